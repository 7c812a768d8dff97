"""What an audit found: leaks, which are faults, and words in the items' own texts, which are warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

_MOST_LISTED = 30


@dataclass(frozen=True, slots=True)
class Leak:
    """A blind value that reached a rater: what it is, in which reply, and in which part of it."""

    what: str
    reply: str
    part: str
    at: str

    def __str__(self) -> str:
        return f"{self.what} is in the {self.part} of {self.reply} ({self.at})"


@dataclass(frozen=True, slots=True)
class Warned:
    """A word in a text that raters read, which may tell them what is hidden; whether it does, only people can judge."""

    word: str
    why: str
    item: str
    field: str

    def __str__(self) -> str:
        return f"item {self.item}, {self.field}: “{self.word}” ({self.why})"


@dataclass(frozen=True, slots=True)
class Audit:
    """What was served to the played raters, what of it told a blind value, and what could not be marked."""

    leaks: tuple[Leak, ...]
    #: Replies that failed: what they would have told is not known.
    failed: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    #: What is seen of files without looking at what they show, and may tell systems apart.
    outward: tuple[str, ...] = ()
    not_marked: tuple[str, ...] = ()
    items: int = 0
    raters: int = 0
    replies: int = 0
    files: int = 0
    bytes: int = 0
    markers: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing leaked and nothing failed; warnings, of words and of files, are for people to judge."""
        return not self.leaks and not self.failed

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        return {"ok": self.ok, **asdict(self)}

    def __str__(self) -> str:
        served = f"{self.replies:,} replies and {_n(self.files, 'file')} ({self.bytes / 1e6:.1f} MB)"
        played = f"{_n(self.raters, 'rater')}, {_n(self.items, 'item')}, {self.markers:,} markers"
        found = "No blind value leaked" if not self.leaks else f"{_n(len(self.leaks), 'leak')} found"
        lines = [f"{found}: looked at {served}; {played}."]
        lines += _listed(self.leaks)
        if self.failed:
            lines += ["Replies that failed, so that what they tell is not known:", *_listed(self.failed)]
        if self.warnings:
            lines.append("Words in texts that raters read (a warning: they are part of the items):")
            lines += _listed(self.warnings)
        if self.outward:
            lines.append("Files that may tell which system made them (a warning: their bytes cannot be hidden):")
            lines += _listed(self.outward)
        if self.not_marked:
            fields = ", ".join(self.not_marked)
            lines.append(f"Not marked, since the protocol's own rules read them or their kind has no tags: {fields}.")
        return "\n".join(lines)


def _n(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def _listed(found: Sequence[Leak | Warned | str]) -> list[str]:
    lines = [f"  {one}" for one in found[:_MOST_LISTED]]
    if found[_MOST_LISTED:]:
        lines.append(f"  … and {len(found) - _MOST_LISTED:,} more (all of them with --json)")
    return lines
