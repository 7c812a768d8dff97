"""Methods, about people: how raters came, what they went through, and what they agreed to."""

from __future__ import annotations

from collections.abc import Iterator

from quorate.analyse.results import Results
from quorate.languages import say
from quorate.protocol import Protocol
from quorate.protocol.study_file import AsksEligibility
from quorate.report.numbers import several, spelled


def raters(protocol: Protocol, results: Results, language: str = "en") -> str:
    """Who rated, how they were chosen, and how many came and left."""
    rule = protocol.raters
    who = "raters" if rule.per_item != 1 else "rater"
    parts = [
        f"Each item was planned for {spelled(rule.per_item)} {who} (the annotators of the tables), who worked alone."
    ]
    # Whoever is asked where others differ sees only those items.
    if rule.roster == rule.per_item and not rule.panels and rule.escalate is None:
        parts.append("Every rater was to see every item.")
    parts += [_quiz(protocol), _eligibility(protocol, language), _came_and_left(results), _brought_in(results)]
    return " ".join(part for part in parts if part)


def _quiz(protocol: Protocol) -> str:
    quiz = protocol.raters.screening
    if quiz is None:
        return ""
    n = f"{quiz.n:,} questions" if quiz.n else "questions"
    of = f" on each {quiz.by.replace('_', ' ')}" if quiz.by else ""
    text = f"Candidates answered a quiz of {n}{of}, none of whose concepts are in the study; more than"
    text += f" {100 * quiz.above:g}% right answers were needed"
    return f"{text}, and the best {spelled(quiz.top)} of a panel were taken." if quiz.top else f"{text}."


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


def only_files(results: Results) -> bool:
    """Whether no rater worked here at all."""
    return bool(results.flow.raters.get("imported")) and not results.flow.raters.get("invited")


def procedure(protocol: Protocol, results: Results, language: str = "en") -> str:
    """What raters went through, step by step."""
    return "" if only_files(results) else " ".join(_steps(protocol, results, language))


def _steps(protocol: Protocol, results: Results, language: str) -> Iterator[str]:
    rule = protocol.raters
    who = "Raters who worked here" if results.flow.raters.get("imported") else "Raters"
    yield f"{who} gave consent and read the instructions."
    if rule.practice is not None:
        n = rule.practice.n or len(protocol.practice)
        items = "item" if n == 1 else "items"
        yield f"They practised on {spelled(n)} {items}, and saw the right answers {rule.practice.feedback}."
    if rule.break_after:
        yield f"They worked at their own pace, with an optional break after {rule.break_after:,} items."
    else:
        yield "They worked at their own pace."
    if rule.debrief is not None:
        yield "A debriefing followed."
    times = rule.times
    for what, words in (("practice", times.practice), ("work", times.work)):
        if words:
            yield f"Planned time for {what}: {say(words, language).rstrip('.')}."


def ethics(protocol: Protocol, results: Results, language: str = "en") -> str:
    """What raters agreed to, what is stored about them, and what they were paid."""
    parts = []
    n = results.flow.raters.get("imported", 0)
    if not only_files(results):
        who = "Raters who worked here" if n else "Raters"
        parts.append(f"{who} gave informed consent before they began and could withdraw at any time without penalty.")
    if n:
        parts.append(
            f"The {several(n, 'rater')} whose answers came from files did not consent here; whatever consent they gave "
            "has to be stated by those who collected the files."
        )
    parts.append("Nothing is stored about raters beyond rater ids and the answers shown here.")
    paid = say(protocol.raters.compensation, language).rstrip(".")
    return " ".join([*parts, *([f"Compensation, as raters were told: “{paid}”."] if paid else [])])


def listed(words: list[str]) -> str:
    """Words as a sentence lists them.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"
