"""Results that are more than one number: frozen dataclasses that hold estimates and show themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any, ClassVar

import numpy as np

from quorate.messages import Clauses, Message

from ..estimates import Estimate


class Finding:
    """The common part of a result of several estimates: each field that is one, or holds some, is named and shown."""

    title: ClassVar[str] = ""

    def estimates(self) -> dict[str, Estimate]:
        """Every estimate in the result by name, in the order of the fields.

        >>> from quorate.statistics.preference import win_tie_loss
        >>> list(win_tie_loss([1, 1, -1, 0]).estimates())
        ['success rate', 'net gain', 'tie rate']
        """
        found: dict[str, Estimate] = {}
        for field in fields(self):  # type: ignore[arg-type]
            _collect(field.name.replace("_", " "), getattr(self, field.name), found)
        return found

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        rows = self.estimates()
        width = max((len(name) for name in rows), default=0)
        lines = [f"{name:<{width}}  {estimate}" for name, estimate in rows.items()]
        return "\n".join([self.title, *lines] if self.title else lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{estimate._repr_html_()}</td></tr>"
            for name, estimate in self.estimates().items()
        )
        return f"<table><caption>{escape(self.title)}</caption>{rows}</table>"


def _collect(name: str, value: Any, found: dict[str, Estimate]) -> None:
    if isinstance(value, Estimate):
        found[name] = value
    elif isinstance(value, Finding):
        for inner, estimate in value.estimates().items():
            found[f"{name}: {inner}"] = estimate
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            _collect(f"{name}: {key}", inner, found)


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate | Finding):
        return value.as_dict()
    if isinstance(value, Message | Clauses):
        return str(value)
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value
