"""Limits that the data show, as sentences for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quorate.analyse.hypotheses import ADDED, CHANGED, OPEN, WITHDRAWN
from quorate.findings.names import EXPOSED, WAITING, judge_name, plain, stated
from quorate.findings.results import Results
from quorate.messages import Listed, Message, Spelled, Text
from quorate.protocol import Protocol

FEW_CLUSTERS = 20
MOST_NAMES = 12


def limits(protocol: Protocol, results: Results) -> tuple[Text, ...]:
    """Every sentence that these data call for."""
    return tuple(dict.fromkeys(sentence for rule in RULES for sentence in rule(protocol, results)))


#: What is said of a judge whose answers are drawn, beside real answers of people.
BY_CHANCE = Message(
    "{judge} is simulated: its answers are drawn by chance, and no figure about it is a finding, while people’s "
    "answers are real."
)


def _by_chance(protocol: Protocol, results: Results) -> Iterator[Text]:
    for name, entry in protocol.file.judges.items():
        told = [one for one in results.select(judge=name) if one.is_known]
        if entry.judge.by_chance and told and not results.simulated:
            yield BY_CHANCE.having(judge=judge_name(name)).because(*told)


def _answers_missing(protocol: Protocol, results: Results) -> Iterator[Text]:
    answers = results.flow.answers
    short = answers["planned"] - answers["given"]
    if answers["in all"] == 0 and answers["given"] == 0:
        yield Message("No rater’s answer is in the analysis, so nothing can be said about people yet.")
    elif short > 0:
        yield Message(
            "{given} of {planned} planned answers are there; figures are over what was answered, and each says what it "
            "leaves out.",
            given=answers["given"], planned=answers["planned"],
        )  # fmt: skip


def _late(protocol: Protocol, results: Results) -> Iterator[Text]:
    late = results.flow.answers["late"]
    if late:
        yield Message(
            "{n} answer came after the place had gone to another rater and is in no figure.",
            "{n} answers came after the place had gone to another rater and are in no figure.",
            n=late,
        )


def _raters(protocol: Protocol, results: Results) -> Iterator[Text]:
    n = len(results.annotators)
    if protocol.raters.per_item == 1 and n > 1:
        yield Message(
            "Each item has one rater: whether another would have said the same is not known.",
            rests_on=[stated("raters.per_item")],
        )
    if n == 1:
        yield Message("One rater cannot agree or disagree with anybody: there is no agreement to report.")
    elif 1 < n < 10 and not any(one.of_new_raters and one.estimate.low is not None for one in results.findings):
        yield Message(
            "Intervals speak of these {raters} raters on new items, not of other raters: with so few, how raters "
            "differ cannot be told from chance.",
            raters=Spelled(n),
        )


def _open_borderline(protocol: Protocol, results: Results) -> Iterator[Text]:
    waiting = sum(case.is_open for case in results.borderline)
    if waiting:
        yield Message(
            "{n} borderline answer waits for the team’s decision and counts as not correct until then.",
            "{n} borderline answers wait for the team’s decision and count as not correct until then.",
            n=waiting, rests_on=[WAITING],
        )  # fmt: skip


def _exposed(protocol: Protocol, results: Results) -> Iterator[Text]:
    for one in results.exposures:
        told: Text = Message("outputs of {n} systems", n=len(one.systems))
        if len(one.systems) <= MOST_NAMES:
            told = Listed(tuple(
                Message("“{name}” ({count} of {of})", name=name, count=count, of=of)
                for name, (count, of) in sorted(one.systems.items())
            ))  # fmt: skip
        earlier, later = map(protocol.section, (one.earlier, one.later))
        yield Message(
            "Outputs that raters compared in section “{later}” were known to them from section “{earlier}”, and those "
            "beside them were not: {systems}. What is familiar may be judged otherwise.",
            later=later.title or later.id, earlier=earlier.title or earlier.id, systems=told, rests_on=[EXPOSED],
        )  # fmt: skip


def _panels(protocol: Protocol, results: Results) -> Iterator[Text]:
    if protocol.raters.panels:
        yield Message(
            "Every {field} has raters of its own, so differences between them may be differences between their raters.",
            field=plain(protocol.raters.panels), rests_on=[stated("raters.panels")],
        )  # fmt: skip


def _few_clusters(protocol: Protocol, results: Results) -> Iterator[Text]:
    cluster = protocol.file.items.cluster
    n = results.flow.items.get("clusters", 0)
    if cluster and 0 < n < FEW_CLUSTERS:
        yield Message(
            "The items come in {n} group by {field}: with so few, intervals are rough.",
            "The items come in {n} groups by {field}: with so few, intervals are rough.",
            n=n, field=plain(cluster), rests_on=[stated("items.cluster")],
        )  # fmt: skip


def _exploratory(protocol: Protocol, results: Results) -> Iterator[Text]:
    tests = [finding for finding in results.findings if finding.is_exploratory]
    told = Message("{n} tests were not declared beforehand: they are exploratory.")
    if not any(one.is_confirmatory for one in results.hypotheses):
        told = Message("{n} tests were made and none was declared beforehand: they are exploratory.")
    if len(tests) > 1:
        yield told.having(n=len(tests)).because(*tests)


def _hypotheses(protocol: Protocol, results: Results) -> Iterator[Text]:
    for one in results.hypotheses:
        if not one.is_confirmatory:
            yield LATER[one.declared].having(id=one.id)
        elif one.outcome == OPEN:
            yield Message("Hypothesis “{id}” cannot be decided, since {why}.", id=one.id, why=one.note)


#: What is said of a hypothesis that the first consent did not freeze as it is.
LATER: Mapping[str, Message] = {
    ADDED: Message("Hypothesis “{id}” was added after the first consent: it confirms nothing."),
    CHANGED: Message("Hypothesis “{id}” was changed after the first consent: it confirms nothing."),
    WITHDRAWN: Message("Hypothesis “{id}” was withdrawn after the first consent: it confirms nothing."),
}


def _imported(protocol: Protocol, results: Results) -> Iterator[Text]:
    n = results.flow.raters.get("imported", 0)
    if n:
        yield Message(
            "The answers of {n} rater came from files: consent, instructions, order and blinding are not recorded for "
            "them.",
            "The answers of {n} raters came from files: consent, instructions, order and blinding are not recorded for "
            "them.",
            n=n,
        )


RULES = (
    _by_chance,
    _answers_missing,
    _late,
    _raters,
    _open_borderline,
    _exposed,
    _panels,
    _few_clusters,
    _hypotheses,
    _exploratory,
    _imported,
)
