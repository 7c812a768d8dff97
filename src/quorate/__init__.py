"""Quorate: human evaluation of generative and multimodal AI that a reviewer can check."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Loaded when they are first used, so that a command which needs none of them starts at once.
_HOMES = {
    "Estimate": "quorate.records",
    "Study": "quorate.study",
    "StudyError": "quorate.errors",
    "load": "quorate.protocol",
    "make_plan": "quorate.plan",
    "open": "quorate.study",
    "statistics": "quorate.statistics",
}

__all__ = ["Estimate", "Study", "StudyError", "load", "make_plan", "open", "statistics"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'quorate' has no attribute '{name}'")
    module = import_module(home)
    return module if home == f"quorate.{name}" else getattr(module, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
