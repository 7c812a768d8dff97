"""The methods section, written from the protocol and from what happened."""

from __future__ import annotations

from dataclasses import dataclass

from quorate.analyse.accuracy import judge_name
from quorate.analyse.preferences import TIES
from quorate.analyse.results import Results
from quorate.languages import say
from quorate.protocol import Asks, Protocol
from quorate.protocol.study_file import AsksEligibility
from quorate.report import declared
from quorate.report.numbers import several, spelled
from quorate.report.playback import methods_sentence


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One run-in heading and its text."""

    heading: str
    text: str


def methods(protocol: Protocol, results: Results) -> list[Paragraph]:
    """Every paragraph that the protocol has something to say for."""
    written = (
        ("Sample", _sample(protocol, results)),
        ("Raters", _raters(protocol, results)),
        ("Procedure", _procedure(protocol, results)),
        ("Playback", methods_sentence(protocol, results)),
        ("Question", _questions(protocol)),
        ("Blinding and order", _blinding(protocol, results)),
        ("Scoring", _scoring(protocol)),
        ("Judge", _judge(protocol)),
        ("Verdicts", _verdicts(protocol)),
        ("Statistics", _statistics(protocol, results)),
        ("Hypotheses", declared.hypotheses(protocol, results)),
        ("Amendments", declared.amendments(results)),
        ("Ethics", _ethics(protocol, results)),
    )
    return [Paragraph(heading, text) for heading, text in written if text]


def _sample(protocol: Protocol, results: Results) -> str:
    items, drawn, pool = protocol.file.items, results.flow.items["drawn"], results.flow.items["pool"]
    if items.sample is None:
        text = f"All {several(pool, 'item')} of the pool were rated."
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


def _raters(protocol: Protocol, results: Results) -> str:
    raters = protocol.raters
    who = "raters" if raters.per_item != 1 else "rater"
    text = (
        f"Each item was planned for {spelled(raters.per_item)} {who} (the annotators of the tables), who worked alone."
    )
    if raters.roster == raters.per_item and not raters.panels:
        text += " Every rater saw every item."
    quiz = raters.screening
    if quiz is not None:
        n = f"{quiz.n:,} questions" if quiz.n else "questions"
        of = f" of each {quiz.by.replace('_', ' ')}" if quiz.by else ""
        text += f" Candidates answered a quiz of {n}{of}, none of whose concepts are in the study; more than"
        text += f" {100 * quiz.above:g}% right answers were needed"
        text += f", and the best {spelled(quiz.top)} of a panel were taken." if quiz.top else "."
    screens: tuple[AsksEligibility, ...] = raters.eligibility
    if screens:
        asks = "; ".join(f"“{say(ask.question.prompt)}” ({' or '.join(ask.accept)})" for ask in screens)
        text += f" Eligibility was asked: {asks}."
    people = results.flow.raters
    if people.get("invited"):
        text += (
            f" Of {several(people['invited'], 'person', 'people')} invited, {people['consented']:,} consented, "
            f"{people['screened out']:,} {'was' if people['screened out'] == 1 else 'were'} screened out, "
            f"{people['withdrawn']:,} withdrew and {people['excluded']:,} "
            f"{'was' if people['excluded'] == 1 else 'were'} excluded."
        )
    return f"{text} {_brought_in(results)}".strip()


def _brought_in(results: Results) -> str:
    """Raters whose answers came from files went no way that Quorate saw."""
    n = results.flow.raters.get("imported", 0)
    if not n:
        return ""
    return (
        f"The answers of {several(n, 'rater')} were brought in from files: how {'it was' if n == 1 else 'they were'} "
        "recruited, instructed and shown the items is not recorded here."
    )


def _only_files(results: Results) -> bool:
    """Whether no rater worked here at all."""
    return bool(results.flow.raters.get("imported")) and not results.flow.raters.get("invited")


def _procedure(protocol: Protocol, results: Results) -> str:
    if _only_files(results):
        return ""
    raters, steps = protocol.raters, ["consent", "instructions"]
    practice = raters.practice
    if practice is not None:
        n = practice.n or len(protocol.practice)
        steps.append(f"{spelled(n)} practice items with the right answers shown {practice.feedback}")
    steps.append("the work at their own pace")
    if raters.break_after:
        steps[-1] += f", with an optional break after {raters.break_after} items"
    if raters.debrief is not None:
        steps.append("a debriefing")
    who = "Raters who worked here" if results.flow.raters.get("imported") else "Raters"
    text = f"{who} went through {_listed(steps)}."
    times = raters.times
    planned = [(what, say(words)) for what, words in (("practice", times.practice), ("work", times.work)) if words]
    if planned:
        text += f" Planned time: {'; '.join(f'{what}, {words}' for what, words in planned)}."
    return text


def _questions(protocol: Protocol) -> str:
    several_sections = len(protocol.sections) > 1
    parts = []
    for section in protocol.sections:
        for ask in section.ask:
            place = f"{say(section.title) or section.id}: " if several_sections else ""
            parts.append(f"{place}“{say(ask.question.prompt)}”{_can_be_left(ask)}")
    return "Raters were asked: " + "; ".join(parts) + "."


def _can_be_left(ask: Asks) -> str:
    words = ask.question.cannot_tell_words()
    return f" (in their own words; “{words}” is an answer of its own, and not a correct one)" if words else ""


def _blinding(protocol: Protocol, results: Results) -> str:
    if _only_files(results):
        return ""
    hidden = dict.fromkeys(name for section in protocol.sections for name in protocol.blind_fields(section))
    order = "Each rater had an order of their own, drawn by a keyed hash of the seed and the rater’s id."
    triage = protocol.file.triage
    text = f"{order} Raters saw neither other raters’ answers nor any judge’s."
    if triage is not None and triage.show_score:
        text = f"{order} Raters saw no other raters’ answers. {_shown_to(triage.show_score)}"
    return f"{text} Hidden from every page: {_listed([name.replace('_', ' ') for name in hidden])}." if hidden else text


def _scoring(protocol: Protocol) -> str:
    for section in protocol.sections:
        for ask in section.ask:
            steps = ask.question.canonical_steps()
            if ask.question.is_scored() and steps:
                return (
                    f"An answer is brought into canonical form ({_listed(list(steps))}) and is correct if it then "
                    "equals the target or a listed variant of it. Answers close to the target that match neither go to "
                    "the research team: at least three voters, none of them a rater, decide by majority without seeing "
                    "who gave the answer or what it would change, and a decision holds alike for every rater and judge."
                )
    return ""


def _judge(protocol: Protocol) -> str:
    if not protocol.file.judges:
        return ""
    names = _listed([judge_name(name) for name in protocol.file.judges])
    return (
        f"{names} answered the same questions about the same items; its answers went through the same scoring. The "
        f"answer of record is the judge’s reply in its own drawn order.{_triage(protocol)}"
    )


def _triage(protocol: Protocol) -> str:
    """Which of the judge's scores people looked at."""
    rule = protocol.file.triage
    if rule is None:
        return ""
    names = _listed([judge_name(name) for name in rule.judges])
    rest = f"Of the rest, a drawn share of {100 * rule.audit:g}% was audited by people, and the others were accepted."
    if not rule.audit:
        rest = "The rest was accepted, and none of it was audited."
    return f" Items went to people where {rule.review} held of an answer of {names}, or where there was none. {rest}"


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
        f"An item’s verdict is what at least {spelled(rule.needed)} of {spelled(rule.out_of)} answers say. Where "
        "answers are missing and none has that many, the item is ambiguous and is left out, with its number stated."
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
    ("scores", "A mean score is the mean over items of the mean over raters, with a t interval over clusters."),
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


def _ethics(protocol: Protocol, results: Results) -> str:
    parts = []
    n = results.flow.raters.get("imported", 0)
    if not _only_files(results):
        who = "Raters who worked here" if n else "Raters"
        parts.append(f"{who} gave informed consent before they began and could withdraw at any time without penalty.")
    if n:
        parts.append(
            f"The {several(n, 'rater')} whose answers came from files did not consent here; whatever consent they gave "
            "has to be stated by those who collected the files."
        )
    parts.append("Nothing is stored about raters beyond rater ids and the answers shown here.")
    text = " ".join(parts)
    paid = say(protocol.raters.compensation).rstrip(".")
    return f"{text} Compensation: {paid}." if paid else text


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
