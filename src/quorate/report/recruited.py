"""Methods, about people: how raters came, what they went through, and what they agreed to."""

from __future__ import annotations

from collections.abc import Iterator

from quorate.exhibits.numbers import series, several, spelled
from quorate.findings.results import Results
from quorate.inquiries.playback import plays_asked
from quorate.languages import say
from quorate.plan.gold import gold_items
from quorate.protocol import Protocol
from quorate.protocol.study_file import AsksEligibility
from quorate.report import facts


def raters(protocol: Protocol, results: Results, language: str = "en") -> str:
    """Who rated, how they were chosen, and how many came and left."""
    rule, is_triaged = protocol.raters, protocol.file.triage is not None
    who = "rater (the annotator" if rule.per_item == 1 else "raters (the annotators"
    what = "Each item that people look at" if is_triaged else "Each item"
    parts = [f"{what} was planned for {spelled(rule.per_item)} {who} of the tables)."]
    # Whoever is asked where others differ sees only those items.
    if rule.roster == rule.per_item and not rule.panels and rule.escalate is None and not is_triaged:
        parts.append("Every rater was to see every item.")
    if facts.worked_here(results):
        parts += [_quiz(protocol), _eligibility(protocol, language)]
    parts += [_came_and_left(results), _brought_in(results)]
    return " ".join(part for part in parts if part)


def _quiz(protocol: Protocol) -> str:
    quiz = protocol.raters.screening
    if quiz is None:
        return ""
    n = f"{quiz.n:,} questions" if quiz.n else "questions"
    of = f" on each {quiz.by.replace('_', ' ')}" if quiz.by else ""
    text = f"Candidates answered a quiz of {n}{of}"
    # Only a question about concepts says what the quiz must not give away.
    if any(ask.question.concept_fields() for section in protocol.sections for ask in section.ask):
        text += ", none of whose concepts are in the study"
    text += f"; more than {100 * quiz.above:g}% right answers were needed"
    where = " of a panel" if protocol.raters.panels else ""
    return f"{text}, and the best {spelled(quiz.top)}{where} were taken." if quiz.top else f"{text}."


def _eligibility(protocol: Protocol, language: str) -> str:
    screens: tuple[AsksEligibility, ...] = protocol.raters.eligibility
    if not screens:
        return ""
    asks = "; ".join(f"“{say(ask.question.prompt, language)}” ({' / '.join(ask.accept)})" for ask in screens)
    return f"Eligibility was asked, with the answers that let a rater in: {asks}."


def _came_and_left(results: Results) -> str:
    people = results.flow.raters
    if not people.get("invited"):
        return ""
    text = f"{several(people['invited'], 'person was', 'people were')} invited and {people['consented']:,} consented."
    ways = "; ".join(f"{n:,} {word}" for word, n in results.flow.became.items())
    left = f"What became of them: {ways}." if len(results.flow.became) > 1 else ""
    text = " ".join(filter(None, (text, left, f"The answers of {several(people['analysed'], 'rater')} are analysed.")))
    for name, panel in results.flow.panels.items():
        if panel["analysed"] < panel["planned"]:
            text += f" Panel {name} has {panel['analysed']:,} of {several(panel['planned'], 'rater')}."
    if people.get("called in"):
        text += f" {people['called in']:,} of them answered only where others differed, which counts in verdicts alone."
    return text


def _brought_in(results: Results) -> str:
    """Raters whose answers came from files went no way that Quorate saw."""
    n = results.flow.raters.get("imported", 0)
    if not n:
        return ""
    return (
        f"The answers of {several(n, 'rater')} were brought in from files: recruitment, instructions and what was "
        "shown are not recorded here."
    )


def procedure(protocol: Protocol, results: Results, language: str = "en") -> str:
    """What raters went through, step by step; nothing where nobody did."""
    return " ".join(_steps(protocol, results, language)) if facts.worked_here(results) else ""


def who_worked(results: Results) -> str:
    """Raters, or those among them whose answers did not come from files."""
    return "Raters who worked here" if results.flow.raters.get("imported") else "Raters"


def _steps(protocol: Protocol, results: Results, language: str) -> Iterator[str]:
    rule = protocol.raters
    yield f"{who_worked(results)} gave consent and were shown the instructions."
    if rule.practice is not None:
        yield _practised(protocol)
    if rule.break_after:
        yield f"They worked at their own pace, with an optional break after {rule.break_after:,} items."
    else:
        yield "They worked at their own pace."
    times_asked = max(plays_asked(protocol, section) for section in protocol.sections)
    if times_asked:
        often = {1: "once", 2: "twice"}.get(times_asked, f"{times_asked} times")
        yield f"Every clip to be rated had to be played in full at least {often} before an answer was taken."
    yield from _checked(protocol)
    if rule.debrief is not None:
        yield "A debriefing followed."
    times = rule.times
    for what, words in (("practice", times.practice), ("work", times.work)):
        if words:
            yield f"Planned time for {what}: {say(words, language).rstrip('.')}."


def _checked(protocol: Protocol) -> Iterator[str]:
    """What was mixed into the work and is in no estimate."""
    checks = protocol.raters.checks
    if n := len(gold_items(protocol)):
        which = "one item with a known answer, which enters"
        if n > 1:
            which = f"{spelled(n)} items with known answers, which enter"
        yield f"Mixed into the work: {which} no estimate."
    if checks is not None and checks.repeats:
        of = f"{f'up to {spelled(checks.repeats)}' if checks.repeats > 1 else 'one'} of a rater’s own items"
        yield f"For consistency {of} came a second time; those answers enter no estimate."


def _practised(protocol: Protocol) -> str:
    rule = protocol.raters.practice
    n = (rule.n if rule else 0) or len(protocol.practice)
    text = f"They practised on {spelled(n)} {'item' if n == 1 else 'items'}"
    stated, asked = facts.practised_with_answers(protocol)
    if rule is None or not stated:
        return f"{text}."
    if stated < asked:
        return f"{text}, and saw the right answers to {spelled(stated)} of {spelled(asked)} questions {rule.feedback}."
    return f"{text}, and saw the right answers {rule.feedback}."


def ethics(protocol: Protocol, results: Results, language: str = "en") -> str:
    """What raters agreed to, what is recorded about them, and what they were told of their pay."""
    parts = []
    n, worked = results.flow.raters.get("imported", 0), facts.worked_here(results)
    if worked:
        parts.append(f"{who_worked(results)} gave consent before they began, and could withdraw at any time.")
    if n:
        parts.append(
            f"The {several(n, 'rater')} whose answers came from files did not consent here; whatever consent they gave "
            "has to be stated by those who collected the files."
        )
    if worked:
        parts.append(f"Recorded about each rater: {series(list(_recorded(protocol)))}.")
        parts += _kept_back(protocol)
        paid = say(protocol.raters.compensation, language).rstrip(".")
        parts += [f"Compensation, as raters were told: “{paid}”."] if paid else []
    return " ".join(parts)


def _recorded(protocol: Protocol) -> Iterator[str]:
    """What the store holds of a rater who went the whole way."""
    rule = protocol.raters
    yield "an id"
    yield "the steps taken with their times"
    yield "the answers with what the browser reported meanwhile"
    for words, is_asked in (
        ("what was answered about eligibility", bool(rule.eligibility)),
        ("what was answered about the rater’s background", bool(rule.background)),
        ("the answers to the quiz", rule.screening is not None),
        ("the answers in practice", rule.practice is not None),
        ("what was answered at the end", bool(rule.debrief and rule.debrief.ask)),
        ("the id on the platform that the rater came from", rule.platform is not None),
    ):
        if is_asked:
            yield words


def _kept_back(protocol: Protocol) -> Iterator[str]:
    rule = protocol.raters
    if rule.platform is not None:
        yield "Ids on the platform are in no published file."
    if rule.debrief and rule.debrief.ask:
        yield "What raters answered at the end is in no published file."
