"""The methods section, written from the protocol and from what happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quorate.analyse.accuracy import judge_name
from quorate.analyse.preferences import TIES
from quorate.analyse.results import Results
from quorate.languages import say
from quorate.protocol import Asks, Protocol
from quorate.report import declared, recruited
from quorate.report.numbers import several, spelled
from quorate.report.playback import methods_sentence
from quorate.report.recruited import listed


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One run-in heading and its text."""

    heading: str
    text: str


def methods(protocol: Protocol, results: Results, language: str = "en") -> list[Paragraph]:
    """Every paragraph that the protocol has something to say for; the study's own words are in the language."""
    written = (
        ("Sample", _sample(protocol, results)),
        ("Raters", recruited.raters(protocol, results, language)),
        ("Procedure", recruited.procedure(protocol, results, language)),
        ("Playback", methods_sentence(protocol, results)),
        ("Question", _questions(protocol, language)),
        ("Blinding and order", _blinding(protocol, results)),
        ("Scoring", _scoring(protocol)),
        ("Judge", _judge(protocol)),
        ("Triage", _triage(protocol)),
        ("Verdicts", _verdicts(protocol)),
        ("Statistics", _statistics(protocol, results)),
        ("Hypotheses", declared.hypotheses(protocol, results)),
        ("Amendments", declared.amendments(results)),
        ("Ethics", recruited.ethics(protocol, results, language)),
    )
    return [Paragraph(heading, text) for heading, text in written if text]


def _sample(protocol: Protocol, results: Results) -> str:
    items, drawn, pool = protocol.file.items, results.flow.items["drawn"], results.flow.items["pool"]
    if items.sample is None:
        text = f"All {several(pool, 'item')} of the pool were to be rated."
    else:
        how = {
            "quorate": f"by a keyed hash (BLAKE2b) of the seed {protocol.seed} and the item’s id",
            "python random": f"as Python’s random.sample draws with the seed {protocol.seed}",
        }[items.sample.method]
        text = f"{several(drawn, 'item')} were drawn from a pool of {pool:,} {how}, so that the draw can be repeated."
    if items.exclude is not None:
        text += " What raters meet in the instructions and in practice was kept out of the draw."
    if items.sample is not None and items.sample.by:
        text = text.replace(
            " were drawn", f" ({items.sample.n:,} of each {items.sample.by.replace('_', ' ')}) were drawn", 1
        )
        if items.sample.balance:
            text += f" Within each, every {items.sample.balance.replace('_', ' ')} is drawn equally often."
    if items.iteration is not None:
        which = {"last": "the last", "first": "the first"}.get(str(items.take), f"iteration {items.take}")
        text += f" Of an item with several iterations, {which} was used."
    return f"{text} {declared.size(protocol, results)}".strip()


def _questions(protocol: Protocol, language: str) -> str:
    several_sections = len(protocol.sections) > 1
    parts = []
    for section in protocol.sections:
        asked = "; ".join(f"“{say(ask.question.prompt, language)}”{_range(ask)}" for ask in section.ask)
        title = say(section.title, language) or section.id
        parts.append(
            f"In “{title}” raters were asked: {asked}." if several_sections else f"Raters were asked: {asked}."
        )
        parts += [
            f"They answered in their own words; “{words}” is an answer of its own, and not a correct one."
            for ask in section.ask
            if (words := ask.question.cannot_tell_words())
        ]
    return " ".join(parts)


def _range(ask: Asks) -> str:
    """The ends of an ordered scale."""
    scale = ask.question.scale()
    # A scale of preference has words and no numbers on the page.
    numbered = len(scale) > 1 and all(isinstance(point, int) and point >= 0 for point in scale)
    return f" ({scale[0]}–{scale[-1]})" if numbered else ""


def _blinding(protocol: Protocol, results: Results) -> str:
    if recruited.only_files(results):
        return ""
    order = "Each rater had an order of their own, drawn by a keyed hash of the seed and the rater’s id."
    triage = protocol.file.triage
    text = f"{order} Raters saw neither other raters’ answers nor any judge’s."
    if triage is not None and triage.show_score:
        text = f"{order} Raters saw no other raters’ answers. {_shown_to(triage.show_score)}"
    return " ".join([text, *_hidden(protocol)])


def _hidden(protocol: Protocol) -> Iterator[str]:
    """What no page shows, and what the pages of one section alone do not."""
    hidden = {section.id: protocol.blind_fields(section) for section in protocol.sections}
    everywhere = [name for name in next(iter(hidden.values())) if all(name in names for names in hidden.values())]
    if everywhere:
        yield f"Hidden from every page: {_fields(everywhere)}."
    for section in protocol.sections:
        only = [name for name in hidden[section.id] if name not in everywhere]
        if only:
            yield f"Hidden in “{say(section.title) or section.id}”: {_fields(only)}."


def _fields(names: Sequence[str]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)


def _scoring(protocol: Protocol) -> str:
    for section in protocol.sections:
        for ask in section.ask:
            steps = ask.question.canonical_steps()
            if ask.question.is_scored() and steps:
                return (
                    f"An answer is brought into canonical form ({listed(list(steps))}) and is correct if it then "
                    "equals the target or a listed variant of it. Answers close to the target that match neither go to "
                    "the research team: at least three voters, none of them a rater, decide by majority without seeing "
                    "who gave the answer or what it would change, and a decision holds alike for every rater and judge."
                )
    return ""


def _judge(protocol: Protocol) -> str:
    """How each judge answered, in its own words."""
    if not protocol.file.judges:
        return ""
    told = [entry.judge.told.format(name=judge_name(name)) for name, entry in protocol.file.judges.items()]
    told = [text[:1].upper() + text[1:] for text in told]
    return " ".join([*told, "Judges’ answers go through the same reading and scoring as raters’."])


def _triage(protocol: Protocol) -> str:
    """Which of the judge's scores people looked at."""
    rule = protocol.file.triage
    if rule is None:
        return ""
    names = listed([judge_name(name) for name in rule.judges])
    rest = f"Of the rest, a drawn share of {100 * rule.audit:g}% was audited by people, and the others were accepted."
    if not rule.audit:
        rest = "The rest was accepted, and none of it was audited."
    return f"Items went to people where {rule.review} held of an answer of {names}, or where there was none. {rest}"


def _shown_to(share: float) -> str:
    if share == 1:
        return "Every rater saw the judge’s scores, labelled as an AI’s, beside the questions."
    return (
        f"In a drawn {100 * share:g}% of assignments the rater saw the judge’s scores, labelled as an AI’s; those "
        "answers stand apart."
    )


def _verdicts(protocol: Protocol) -> str:
    rule, escalate = protocol.analysis.verdict.majority, protocol.raters.escalate
    text = (
        f"An item’s verdict is what at least {spelled(rule.needed)} of {spelled(rule.out_of)} answers say. "
        "An item on which too few answers are the same is ambiguous: it has no verdict, and every figure says what it "
        "does with it."
    )
    if escalate is not None:
        text += (
            f" Where planned raters differ on {escalate.when.replace('_', ' ')}, a further rater is asked, who is not "
            f"told so; with {spelled(escalate.to)} raters and no agreement a member of the team decides. Those answers "
            "make verdicts and are in no figure of agreement."
        )
    questions = [ask.question for section in protocol.sections for ask in section.ask]
    if any(question.verdict_on() == "outcome" for question in questions):
        text += " Preferences come to a verdict on win, same or loss, not on the points of the scale."
    if any(question.scale() and question.verdict_on() == "responses" for question in questions):
        text += " On an ordered scale a verdict is a point of the scale, never a mean."
    if protocol.analysis.by:
        share = f"{100 * protocol.analysis.ambiguity_alarm:g}%"
        text += f" A stratum with more than {share} ambiguous items is marked to be reassessed."
    return text


#: What is said of each kind of figure that the results hold: a group of findings, and a sentence.
STATISTICS: tuple[tuple[str, str], ...] = (
    ("preference", "Success rate is the share of comparisons that a system wins, net gain wins minus losses in points; "
     "{ties}. The sign test is exact, on one verdict an item, ties left out (Dixon and Mood 1946)."),
    ("strengths", "Strengths are Bradley and Terry’s (1952) with Davidson’s (1970) ties."),
    ("differences", "Two systems are compared on the items that show both, by Wilcoxon’s signed-rank test (1945)."),
    ("scores", "A mean score is the mean over items of the mean over raters, with a t interval over items (or clusters "
     "of them)."),
    ("metrics", "Correlations are Spearman’s, Kendall’s and Pearson’s, at the level where the metric lives."),
)  # fmt: skip


def _statistics(protocol: Protocol, results: Results) -> str:
    analysis = protocol.analysis
    bands = {
        "half-open": "half-open as the protocol writes them (κ = 0.20 is fair)",
        "published": "closed at two decimals as published (κ = 0.20 is slight)",
    }[analysis.bands]
    on = "on whether an answer is correct, and beside it on the answers themselves"
    scored = any(ask.question.canonical_steps() for section in protocol.sections for ask in section.ask)
    parts = [
        "Agreement among raters is Fleiss’ κ (1971), between two raters Cohen’s κ (1960)"
        + (f", {on}. " if scored else ", over planned and independent ratings alone. ")
        + f"Bands are those of Landis and Koch (1977), {bands}."
    ]
    if any(finding.statistic == "krippendorff alpha" for finding in results.findings):
        parts.append("On ordered scales Krippendorff’s α (ordinal) stands beside it, since κ takes points as names.")
    ties = TIES[analysis.ties or "denominator"]
    parts += [sentence.format(ties=ties) for group, sentence in STATISTICS if results.group(group)]
    parts.append(
        f"Every estimate has a {100 * analysis.confidence:g}% interval: for κ linearised over items on the atanh "
        "scale; for shares of items Wilson’s (1927); for shares of answers Wilson’s at the effective number of "
        "answers, since answers about one item go together. Intervals speak of these raters on new items."
    )
    cluster = protocol.file.items.cluster
    if cluster:
        parts.append(f"Items of one {cluster.replace('_', ' ')} go together: it is the unit of every interval.")
    return " ".join(parts)
