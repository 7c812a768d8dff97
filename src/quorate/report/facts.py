"""What was recorded and computed: the facts that sentences of the report rest on."""

from __future__ import annotations

from quorate.findings.names import ADVERBS
from quorate.findings.results import Finding, Results
from quorate.protocol import Asks, Protocol


def known(results: Results, *groups: str) -> list[Finding]:
    """The findings that have a value, of these groups or of all of them."""
    return [f for f in results.findings if f.estimate.value is not None and (not groups or f.group in groups)]


def computed(results: Results, *groups: str) -> set[str]:
    """The statistics of which at least one has a value."""
    return {finding.statistic for finding in known(results, *groups)}


def is_banded(results: Results) -> bool:
    """Whether any coefficient has one of Landis and Koch's words."""
    return any(finding.band in ADVERBS for finding in known(results))


def only_files(results: Results) -> bool:
    """Whether no rater worked here at all."""
    return bool(results.flow.raters.get("imported")) and not results.flow.raters.get("invited")


def worked_here(results: Results) -> bool:
    """Whether anybody went the raters' way here, as far as people or their answers are known."""
    people = results.flow.raters
    return bool(people["consented"]) if "consented" in people else bool(people["analysed"])


def practised_with_answers(protocol: Protocol) -> tuple[int, int]:
    """Of how many questions the practice round states a right answer, and how many it asks."""
    return len(protocol.practice_answered), len(protocol.practice_section.ask)


def decided(protocol: Protocol) -> list[Asks]:
    """The questions whose answers become one verdict."""
    return [ask for section in protocol.sections for ask in section.ask if ask.question.verdict_on()]


def on_correctness(results: Results) -> list[Finding]:
    """Each question's κ on whether an answer is correct, where there is one."""
    return [f for f in known(results) if not f.by and f.statistic == "fleiss kappa" and f.reading == "correctness"]
