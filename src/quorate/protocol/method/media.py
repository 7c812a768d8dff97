"""A rule about files: nothing that is seen without looking at what they show may tell which system made them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from quorate.media import Medium, source_of
from quorate.protocol.method.book import Found, MethodRule
from quorate.protocol.protocol import Protocol

#: A value that so few files have is no mark by which anybody could learn to know a system.
FEWEST = 2
_LISTED = 3


def files_tell_systems(protocol: Protocol) -> Iterator[Found]:
    """No format and no dimension is one system's alone where another system's output stands beside it."""
    for s, section in enumerate(protocol.sections):
        for m, show in enumerate(section.show):
            for what, told in _told(protocol, show.part).items():
                marks = [f"only '{system}' has {value} ({n} files)" for (system, value), n in told.most_common()]
                more = f"; and {len(marks) - _LISTED} more" if marks[_LISTED:] else ""
                sentence = f"the {what} of files can tell which system made them: {'; '.join(marks[:_LISTED])}{more}."
                yield ("sections", s, "show", m, show.kind), sentence


def _told(protocol: Protocol, medium: Medium) -> dict[str, Counter[tuple[str, str]]]:
    """By what is seen of a file: the systems that alone have a value, with it and with how many files have it."""
    had: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    beside: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for item in protocol.pool:
        seen = [
            (system, what, value)
            for system, paths in medium.paths_by_system(item).items()
            for path in paths
            for what, value in medium.outward(path, protocol.originals.file(source_of(path))).items()
        ]
        for system, what, value in seen:
            had[what, value].add(system)
            if any(other != system and same == what and its != value for other, same, its in seen):
                beside[what][system, value] += 1
    return {
        what: alone
        for what, counts in beside.items()
        if (alone := Counter({k: n for k, n in counts.items() if n >= FEWEST and len(had[what, k[1]]) == 1}))
    }


MEDIA: tuple[MethodRule, ...] = (
    MethodRule(
        id="files-tell-systems",
        title="A format or a dimension tells which system made a file",
        why="Raters who see that one of two is always larger, or of another format, compare systems and not outputs. "
        "Addresses, names and times are hidden, and the bytes themselves cannot be.",
        source="Schulz & Grimes (2002), Blinding in randomised trials; ITU-R BS.1534-3 (hidden reference).",
        fix="Convert the outputs of all systems to one format, one size and one rate, with the same settings, before "
        "anybody is asked.",
        find=files_tell_systems,
    ),
)
