"""The ids of findings: words joined by dots, with names in them so that no two names can give one id."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import unquote


def id_of(*names: str) -> str:
    """An id made of these names. Everything in a name but letters, digits, "_" and "-" is escaped, dots among it.

    >>> id_of("fleiss_kappa", "correctness"), id_of("sign_test", "gpt-4.1", "C++")
    ('fleiss_kappa.correctness', 'sign_test.gpt-4%2E1.C%2B%2B')
    """
    return ".".join(map(_escaped, names))


def names_of(id: str) -> tuple[str, ...]:
    """The names that an id is made of.

    >>> names_of("sign_test.gpt-4%2E1.C%2B%2B")
    ('sign_test', 'gpt-4.1', 'C++')
    """
    return tuple("" if part == "%" else unquote(part) for part in id.split("."))


def apart(name: str, taken: Collection[str]) -> str:
    """A name of ours that is none of those that the study gave.

    >>> apart("overall", ["fluency"]), apart("overall", ["overall"])
    ('overall', 'overall*')
    """
    return apart(f"{name}*", taken) if name in taken else name


def _escaped(name: str) -> str:
    """One name; an empty one is a percent sign alone, which no other name gives."""
    return re.sub(r"[^\w-]", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name) or "%"
