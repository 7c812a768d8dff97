"""The methods section, written from the protocol and from what happened."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quorate import statistics
from quorate.findings.names import judge_name, stated
from quorate.findings.results import Results
from quorate.inquiries.assisted import Triage
from quorate.inquiries.base import Inquiry, Told
from quorate.inquiries.consensus import Consensus
from quorate.inquiries.quality import QualityChecks
from quorate.inquiries.table import INQUIRIES
from quorate.messages import Clauses, Listed, Message, Sentences, Text, clauses, speaks
from quorate.protocol import Asks, Protocol
from quorate.protocol.generations import generations
from quorate.report import declared, facts, recruited
from quorate.report.facts import WORKED_HERE
from quorate.statistics.crossed import FEWEST_GROUPS, FEWEST_RATERS, RARE, RATERS_OF_RARE
from quorate.statistics.engine import JACKKNIFED, LINEARISED
from quorate.statistics.proportions import EFFECTIVE_WILSON, WILSON
from quorate.statistics.table import Statistic


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One run-in heading and its text."""

    heading: Text
    text: Text
    #: Whether it stands in the supplement.
    further: bool = False


#: The fact that sentences about how questions are asked rest on.
ASKED = stated("sections.ask")


def methods(
    protocol: Protocol, results: Results, printed: Collection[str] = (), language: str = "en"
) -> list[Paragraph]:
    """Every paragraph that the protocol has something to say for; the study's own words are in the language.

    `printed` are the ids of the findings in the tables of the paper section.
    """
    written: tuple[tuple[Message, Text], ...] = (
        (Message("Sample"), Sentences(tuple(_sample(protocol, results)))),
        (Message("Raters"), recruited.raters(protocol, results)),
        (Message("Procedure"), recruited.procedure(protocol, results)),
        (QualityChecks.paragraph, _of_inquiries(QualityChecks.paragraph, protocol, results)),
        (Message("Question"), Sentences(tuple(_questions(protocol, results)))),
        (Message("Options"), _options(protocol, language)),
        (Message("Blinding and order"), _blinding(protocol, results)),
        (Message("Scoring"), _scoring(protocol, language)),
        (Message("Judge"), _judge(protocol, results)),
        (Triage.paragraph, _of_inquiries(Triage.paragraph, protocol, results)),
        (Consensus.paragraph, _of_inquiries(Consensus.paragraph, protocol, results)),
        (Message("Statistics"), _in_short(protocol, results, printed)),
        (Message("Hypotheses"), declared.hypotheses(protocol, results)),
        (Message("Amendments"), declared.amendments(protocol, results)),
        (Message("Ethics"), recruited.ethics(protocol, results)),
    )
    told = [Paragraph(heading, text) for heading, text in written if text]
    in_full = _of_inquiries(Inquiry.paragraph, protocol, results)
    return [*told, *([Paragraph(Message("Statistics in full"), in_full, further=True)] if in_full else [])]


def _sample(protocol: Protocol, results: Results) -> Iterator[Message]:
    items, drawn, pool = protocol.file.items, results.flow.items["drawn"], results.flow.items["pool"]
    if items.sample is not None:
        yield from _drawn(protocol, drawn, pool)
    elif drawn < pool:
        yield Message(
            "{k} of the {n} item of the pool was to be rated.", "{k} of the {n} items of the pool were to be rated.",
            k=drawn, n=pool,
        )  # fmt: skip
    else:
        yield Message(
            "The one item of the pool was to be rated.", "All {n} items of the pool were to be rated.", n=pool
        )
    yield from _kept_out(protocol)
    if items.sample is not None and items.sample.by and items.sample.balance:
        yield Message(
            "Within each {field}, every {other} was drawn equally often.",
            field=_plain(items.sample.by), other=_plain(items.sample.balance),
            rests_on=[stated("items.sample.balance")],
        )  # fmt: skip
    if items.iteration is not None:
        which = {"last": Message("Of an item with several iterations, the last was used."),
                 "first": Message("Of an item with several iterations, the first was used.")}  # fmt: skip
        number = Message("Of an item with several iterations, iteration {which} was used.", which=str(items.take))
        yield which.get(str(items.take), number).because(stated("items.iteration"))
    yield from _best_of(protocol)
    yield from declared.size(protocol, results)


def _best_of(protocol: Protocol) -> Iterator[Message]:
    """How the outputs of a system were chosen, as the table of scores has it."""
    rule = protocol.file.items.best_of
    if rule is None or rule.from_ is None:
        return
    known = generations(rule, protocol.tables)
    mine = [known[item.id] for item in protocol.pool if item.id in known]
    numbers = sorted(len(one.scores) for one in mine)
    best = sum(one.is_best for one in mine)
    if not mine:
        return
    what: Text = Message("“{name}”", name=rule.system) if rule.system else Message("a baseline")
    among: Text = Message("{low} to {high}", low=numbers[0], high=numbers[-1])
    n: Any = numbers[0] if numbers[0] == numbers[-1] else among
    score: Text = rule.by or Message("“{name}”", name=rule.score)
    parts = {"what": what, "score": score, "file": rule.from_, "n": n, "all": len(protocol.pool), "best": best}
    reasons = [stated("items.best_of")]
    if best == len(protocol.pool):
        yield Message(
            "The outputs of {what} are each the best of {n} generations by {score}; all scores are in {file}.",
            rests_on=reasons, **parts,
        )  # fmt: skip
    else:
        yield Message(
            "Of the outputs of {what}, {best} of {all} are the best of {n} generations by {score} in {file}.",
            rests_on=reasons, **parts,
        )  # fmt: skip


def _drawn(protocol: Protocol, drawn: int, pool: int) -> Iterator[Message]:
    sample = protocol.file.items.sample
    if sample is None:
        return
    how = Message("by a keyed hash (BLAKE2b) of the seed {seed} and the item’s id", seed=str(protocol.seed))
    if sample.method == "python random":
        how = Message("as Python’s random.sample draws with the seed {seed}", seed=str(protocol.seed))
    if sample.by:
        yield Message(
            "{n} item ({each} of each {field}) was drawn from a pool of {pool} {how}, so that the draw can be "
            "repeated.",
            "{n} items ({each} of each {field}) were drawn from a pool of {pool} {how}, so that the draw can be "
            "repeated.",
            n=drawn, each=sample.n, field=_plain(sample.by), pool=pool, how=how, rests_on=[stated("items.sample.by")],
        )  # fmt: skip
    else:
        yield Message(
            "{n} item was drawn from a pool of {pool} {how}, so that the draw can be repeated.",
            "{n} items were drawn from a pool of {pool} {how}, so that the draw can be repeated.",
            n=drawn, pool=pool, how=how, rests_on=[stated("items.sample")],
        )  # fmt: skip


def _kept_out(protocol: Protocol) -> Iterator[Message]:
    """Which items could not be drawn."""
    rule = protocol.file.items.exclude
    if rule is None:
        return
    where: list[Message] = []
    if rule.values:
        n = len(rule.values)
        where.append(Message("the listed value", "one of {n} listed values", n=n))
    if rule.practice and protocol.practice:
        where.append(Message("a value of the practice items"))
    if not where:
        return
    values = where[0] if len(where) == 1 else Message("{one} or {other}", one=where[0], other=where[1])
    sample = protocol.file.items.sample
    told = Message("Items whose {field} is {values} were kept out.")
    if sample is not None and sample.method == "python random" and sample.by is None:
        told = {
            "kept": Message("Items whose {field} is {values} were kept where the draw took them."),
            "dropped": Message("Items whose {field} is {values} were left out after the draw."),
        }.get(sample.collisions or "", Message("Items whose {field} is {values} were kept out before the draw."))
    yield told.having(field=_plain(rule.field), values=values).because(stated("items.exclude"))


def _questions(protocol: Protocol, results: Results) -> Iterator[Message]:
    here, several = facts.worked_here(results), len(protocol.sections) > 1
    for section in protocol.sections:
        asked = Clauses(tuple(_asked(ask) for ask in section.ask))
        title = section.title or section.id
        if several:
            told = Message("In “{section}” the questions are: {asked}.", section=title, asked=asked)
            if here:
                told = Message("In “{section}” raters were asked: {asked}.", section=title, asked=asked)
        else:
            told = Message("The questions are: {asked}.", asked=asked)
            if here:
                told = Message("Raters were asked: {asked}.", asked=asked)
        yield told.because(*([WORKED_HERE] if here else []))
        for ask in section.ask:
            words = ask.question.cannot_tell_words() if ask.question.is_scored() else ""
            if words:
                yield Message(
                    "They answered in their own words; “{words}” is an answer of its own, and not a correct one.",
                    words=words, rests_on=[ASKED],
                )  # fmt: skip


def _asked(ask: Asks) -> Text:
    """The words of a question, and the ends of its scale."""
    prompt, scale = ask.question.prompt or _plain(ask.id), ask.question.scale()
    # A scale of preference has words and no numbers on the page.
    if len(scale) > 1 and all(isinstance(point, int) and point >= 0 for point in scale):
        return Message("“{prompt}” ({low}–{high})", prompt=prompt, low=str(scale[0]), high=str(scale[-1]))
    return Message("“{prompt}”", prompt=prompt)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _options(protocol: Protocol, language: str) -> Text:
    """How the options of a question were built, where they were."""
    asks = [ask for section in protocol.sections for ask in section.ask]
    told = tuple(
        Message("The options of “{question}” were {parts}.", question=ask.question.prompt, parts=Listed(built),
                rests_on=[ASKED])
        for ask in asks if (built := ask.question.built_of())
    )  # fmt: skip
    return Sentences(told) if told else ""


def _blinding(protocol: Protocol, results: Results) -> Text:
    return Sentences(tuple(_blinded(protocol, results))) if facts.worked_here(results) else ""


def _blinded(protocol: Protocol, results: Results) -> Iterator[Message]:
    order = Message("Each rater had an order of their own, drawn by a keyed hash of the seed and the rater’s id.")
    if recruited.some_came_from_files(results):
        order = Message(
            "Each rater who worked here had an order of their own, drawn by a keyed hash of the seed and the rater’s "
            "id."
        )
    yield order.because(WORKED_HERE)
    triage = protocol.file.triage
    shown = triage is not None and bool(triage.show_score)
    if protocol.file.judges and not shown:
        why = [WORKED_HERE, stated("judges")]
        yield Message("They saw neither other raters’ answers nor any judge’s.", rests_on=why)
    else:
        yield Message("They saw no other raters’ answers.", rests_on=[WORKED_HERE])
    if triage is not None and shown:
        yield _shown_to(triage.show_score)
    yield from _hidden(protocol)


def _hidden(protocol: Protocol) -> Iterator[Message]:
    """What no page shows, and what the pages of one section alone do not."""
    hidden = {section.id: protocol.blind_fields(section) for section in protocol.sections}
    everywhere = [name for name in next(iter(hidden.values())) if all(name in names for names in hidden.values())]
    if everywhere:
        yield Message("Hidden from every page: {fields}.", fields=_fields(everywhere))
    for section in protocol.sections:
        only = [name for name in hidden[section.id] if name not in everywhere]
        if only:
            yield Message("Hidden in “{section}”: {fields}.", section=section.title or section.id, fields=_fields(only))


def _fields(names: Sequence[str]) -> Listed:
    return Listed(tuple(Message("“{prompt}”", prompt=name) for name in names))


def _scoring(protocol: Protocol, language: str) -> Text:
    """How typed answers are scored: once where every question does it alike, else question by question."""
    asks = [ask for section in protocol.sections for ask in section.ask]
    alike: dict[tuple[tuple[Text, ...], bool], list[Text]] = {}
    for ask in asks:
        steps = ask.question.canonical_steps()
        if ask.question.is_scored() and steps:
            prompt = Message("“{prompt}”", prompt=ask.question.prompt)
            alike.setdefault((steps, ask.question.has_variants()), []).append(prompt)
    if not alike:
        return ""
    told = [
        _scored(variants, len(alike) > 1).having(steps=Listed(steps), questions=Listed(tuple(prompts)))
        for (steps, variants), prompts in alike.items()
    ]
    team = Message(
        "Answers close to the target that do not match go to the research team: at least three voters, none of them a "
        "rater, decide by majority without seeing who gave the answer or what it would change, and a decision holds "
        "alike for every rater and judge."
    )
    return Sentences(tuple(one.because(ASKED) for one in (*told, team)))


def _scored(variants: bool, several: bool) -> Message:
    """When a typed answer is right, of all questions or of some of them."""
    if several and variants:
        return Message(
            "An answer to {questions} is brought into canonical form ({steps}) and is correct if it then equals the "
            "target or a listed variant of it."
        )
    if several:
        return Message(
            "An answer to {questions} is brought into canonical form ({steps}) and is correct if it then equals the "
            "target."
        )
    if variants:
        return Message(
            "An answer is brought into canonical form ({steps}) and is correct if it then equals the target or a "
            "listed variant of it."
        )
    return Message("An answer is brought into canonical form ({steps}) and is correct if it then equals the target.")


def _judge(protocol: Protocol, results: Results) -> Text:
    """How each judge answered, in its own words; nothing where none has."""
    if not protocol.file.judges or not results.flow.answers.get("judges"):
        return ""
    told = [entry.judge.told.having(name=judge_name(name)) for name, entry in protocol.file.judges.items()]
    alike = Message("Judges’ answers go through the same reading and scoring as raters’.")
    return Sentences(tuple(one.because("judges answered") for one in (*told, alike)))


def _shown_to(share: float) -> Message:
    why = [stated("triage.show_score"), WORKED_HERE]
    if share == 1:
        told = Message("Every rater saw the judge’s scores, labelled as an AI’s, beside the questions.")
        return told.because(*why)
    return Message(
        "In a drawn {share} of assignments the rater saw the judge’s scores, labelled as an AI’s; those answers stand "
        "apart.",
        share=f"{100 * share:g}%", rests_on=why,
    )  # fmt: skip


#: What is said of a statistic that is no share and no coefficient: a test or a model.
TESTS: Mapping[str, Message] = {
    "sign test": Message("the exact sign test"),
    "wilcoxon": Message("Wilcoxon’s signed-rank test"),
    "bradley terry": Message("the Bradley–Terry model"),
}


def _in_short(protocol: Protocol, results: Results, printed: Collection[str]) -> Text:
    """Which coefficients, tests and models the paper section's tables hold, and what is so of every interval."""
    shown = {finding.statistic: finding.id for finding in facts.known(results) if finding.id in printed}
    named = {row.found_as: row for row in statistics.TABLE if row.found_as in shown and _has_a_name(row)}
    names = [
        Message("{what} ({sources})", what=TESTS.get(name, row.title), sources=Listed(row.sources))
        for name, row in named.items()
    ]
    parts = []
    if names:
        told = Message("The tables hold {names}; how each figure is computed stands in the supplement.")
        parts = [told.having(names=Listed(tuple(names))).because(*(shown[name] for name in named))]
    parts += _intervals(protocol, results)
    return Sentences(tuple(parts)) if parts else ""


def _has_a_name(row: Statistic) -> bool:
    return bool(row.sources) and (
        row.found_as in TESTS or row.shape in ("ratings", "whole items", "two raters", "scores")
    )


def _of_inquiries(paragraph: Message, protocol: Protocol, results: Results) -> Text:
    """What the inquiries say in one paragraph."""
    told = Told(protocol, results)
    mine = (sentence for one in INQUIRIES if one.paragraph == paragraph for sentence in one.methods(told))
    return Sentences(found) if (found := tuple(dict.fromkeys(mine))) else ""


#: How an interval is made, as its method says, and what is said of it.
INTERVALS: tuple[tuple[tuple[Message, ...], Message], ...] = (
    ((LINEARISED, JACKKNIFED), Message("for coefficients of agreement linearised over items on the atanh scale")),
    ((WILSON,), Message("for shares Wilson’s (1927)")),
    ((EFFECTIVE_WILSON,), Message("for shares of answers Wilson’s at the effective number of answers, since answers "
     "about one item go together")),
)  # fmt: skip


def _population(protocol: Protocol, results: Results) -> Iterator[Message]:
    """Of which items and raters intervals speak."""
    known = facts.known(results)
    new = [one for one in known if one.of_new_raters]
    others = [one for one in known if one.estimate.low is not None and not one.of_new_raters]
    these = [one.id for one in others]
    if told := [one.id for one in new if one.estimate.low is not None]:
        yield Message(
            "Those of means, shares of ratings and net gains speak of new raters on new items: their errors are from "
            "the analysis of variance over items and raters, both taken as samples, with Satterthwaite’s degrees of "
            "freedom, of shares and net gains on the atanh scale.",
            rests_on=[*told, stated("analysis.population")],
        )  # fmt: skip
    if none := [one.id for one in new if one.estimate.low is None]:
        yield Message(
            "A mean, share of ratings or net gain without an interval has too few raters or items to speak of new "
            "raters, or ratings that do not tell how raters differ. An interval takes at least {raters} raters and "
            "{groups} items or groups of items, and {many} raters where an outcome is rarer than {share}.",
            raters=FEWEST_RATERS, groups=FEWEST_GROUPS, many=RATERS_OF_RARE, share=f"{100 * RARE:g}%",
            rests_on=[*none, stated("analysis.population")],
        )  # fmt: skip
    if new and any(one.statistic == "mean of means" for one in others):
        yield Message(
            "All other intervals, and those of means that count every stratum the same, speak of these raters on new "
            "items.", rests_on=these,
        )  # fmt: skip
    elif these and new:
        yield Message("All other intervals speak of these raters on new items.", rests_on=these)
    elif these:
        yield Message("They speak of these raters on new items.", rests_on=these)


def _intervals(protocol: Protocol, results: Results) -> Iterator[Message]:
    """How the intervals that were computed are made, and of whom they speak."""
    sure = [finding for finding in facts.known(results) if finding.estimate.low is not None]
    methods = {finding.estimate.method for finding in sure if not finding.of_new_raters}
    ids = [finding.id for finding in sure]
    if not ids:
        return
    told = [words for kinds, words in INTERVALS if any(speaks(method, *kinds) for method in methods)]
    share = f"{100 * protocol.analysis.confidence:g}%"
    all_are = Message("Intervals are {share} intervals.", share=share)
    if told:
        all_are = Message("Intervals are {share} intervals: {how}.", share=share, how=clauses(*told))
    yield all_are.because(*ids)
    yield from _population(protocol, results)
    cluster = protocol.file.items.cluster
    if cluster:
        yield Message(
            "Items of one “{field}” go together in every interval over items.", field=cluster.replace("_", " "),
            rests_on=[stated("items.cluster"), *ids],
        )  # fmt: skip
