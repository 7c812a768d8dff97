"""What was recorded and computed: the facts that sentences of the report rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from quorate.findings.names import EXPOSED, VERDICTS, WAITING, stated
from quorate.findings.results import Finding, Results
from quorate.protocol import Protocol

#: Facts by the name that sentences rest on, in place of the id of a finding.
WORKED_HERE, FROM_FILES, INVITED, JUDGED, FROZEN = (
    "raters worked here", "answers came from files", "people were invited", "judges answered", "the protocol is frozen"
)  # fmt: skip


def holds(fact: str, protocol: Protocol, results: Results) -> bool:
    """Whether a sentence may rest on this: a finding that there is, or a fact that is so."""
    if fact in NAMED:
        return NAMED[fact](results)
    if fact.startswith(stated("")):
        return any(_at(protocol.file, fact.removeprefix(stated("")).split(".")))
    return any(finding.id == fact for finding in results.findings)


def _at(part: Any, place: list[str]) -> Iterator[bool]:
    """Whether anything is said at the place, in each part of a list that stands on the way."""
    if isinstance(part, tuple | list):
        for one in part:
            yield from _at(one, place)
    elif isinstance(part, Mapping) and place:
        yield from _at(part.get(place[0]), place[1:])
    elif place:
        yield from _at(getattr(part, place[0], None), place[1:])
    else:
        yield part is not None and part not in ("", False) and part != {}


def known(results: Results) -> list[Finding]:
    """The findings that have a value."""
    return [finding for finding in results.findings if finding.estimate.value is not None]


def computed(results: Results) -> set[str]:
    """The statistics of which at least one has a value."""
    return {finding.statistic for finding in known(results)}


def only_files(results: Results) -> bool:
    """Whether no rater worked here at all."""
    return bool(results.flow.raters.get("imported")) and not results.flow.raters.get("invited")


def worked_here(results: Results) -> bool:
    """Whether anybody went the raters' way here, as far as people or their answers are known."""
    people = results.flow.raters
    return bool(people["consented"]) if "consented" in people else bool(people["analysed"])


#: Whether each of the named facts is so.
NAMED: Mapping[str, Callable[[Results], bool]] = {
    WORKED_HERE: worked_here,
    FROM_FILES: lambda results: bool(results.flow.raters.get("imported")),
    INVITED: lambda results: bool(results.flow.raters.get("invited")),
    JUDGED: lambda results: bool(results.flow.answers.get("judges")),
    FROZEN: lambda results: bool(results.versions),
    EXPOSED: lambda results: bool(results.exposures),
    WAITING: lambda results: any(case.is_open for case in results.borderline),
    VERDICTS: lambda results: bool(results.verdicts),
}


def practised_with_answers(protocol: Protocol) -> tuple[int, int]:
    """Of how many questions the practice round states a right answer, and how many it asks."""
    return len(protocol.practice_answered), len(protocol.practice_section.ask)
