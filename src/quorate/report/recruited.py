"""Who rated and what they went through, as the methods and the ethics paragraph say it."""

from __future__ import annotations

from collections.abc import Iterator

from quorate.findings.names import stated
from quorate.findings.results import Results
from quorate.inquiries.playback import plays_asked
from quorate.languages import without_stop
from quorate.messages import Clauses, Listed, Message, Sentences, Spelled, Text, Together, Word
from quorate.plan.gold import gold_items
from quorate.protocol import Protocol
from quorate.protocol.study_file import AsksEligibility
from quorate.report import facts
from quorate.report.facts import FROM_FILES, INVITED, WORKED_HERE


def raters(protocol: Protocol, results: Results) -> Sentences:
    """Who rated, how they were chosen, and how many came and left."""
    return Sentences(tuple(_raters(protocol, results)))


def _raters(protocol: Protocol, results: Results) -> Iterator[Message]:
    rule, n = protocol.raters, protocol.raters.per_item
    if protocol.file.triage is not None:
        yield Message(
            "Each item that people look at was planned for one rater (the annotator of the tables).",
            "Each item that people look at was planned for {many} raters (the annotators of the tables).",
            n=n, many=Spelled(n), rests_on=[stated("raters.per_item"), stated("triage")],
        )  # fmt: skip
    else:
        yield Message(
            "Each item was planned for one rater (the annotator of the tables).",
            "Each item was planned for {many} raters (the annotators of the tables).",
            n=n, many=Spelled(n), rests_on=[stated("raters.per_item")],
        )  # fmt: skip
        # Whoever is asked where others differ sees only those items.
        if rule.roster == n and not rule.panels and rule.escalate is None:
            yield Message("Every rater was to see every item.", rests_on=[stated("raters.roster")])
    if rule.panels:
        yield Message(
            "Raters form panels: every {field} has raters of its own.", field=rule.panels.replace("_", " "),
            rests_on=[stated("raters.panels")],
        )  # fmt: skip
    if facts.worked_here(results):
        yield from _quiz(protocol)
        yield from _eligibility(protocol)
    yield from _came_and_left(results)
    if brought := results.flow.raters.get("imported", 0):
        yield Message(
            "The answers of {n} rater were brought in from files: recruitment, instructions and what was shown are "
            "not recorded here.",
            "The answers of {n} raters were brought in from files: recruitment, instructions and what was shown are "
            "not recorded here.",
            n=brought, rests_on=[FROM_FILES],
        )  # fmt: skip


def _quiz(protocol: Protocol) -> Iterator[Message]:
    quiz = protocol.raters.screening
    if quiz is None:
        return
    why = [stated("raters.screening"), WORKED_HERE]
    if quiz.n and quiz.by:
        yield Message(
            "Candidates answered a quiz of {n} question on each {field}.",
            "Candidates answered a quiz of {n} questions on each {field}.",
            n=quiz.n, field=quiz.by.replace("_", " "), rests_on=why,
        )  # fmt: skip
    elif quiz.n:
        yield Message(
            "Candidates answered a quiz of {n} question.", "Candidates answered a quiz of {n} questions.",
            n=quiz.n, rests_on=why,
        )  # fmt: skip
    else:
        yield Message("Candidates answered a quiz.", rests_on=why)
    # Only a question about concepts says what the quiz must not give away.
    if any(ask.question.concept_fields() for section in protocol.sections for ask in section.ask):
        yield Message("The concepts of the quiz are not in the study.", rests_on=why)
    yield Message("More than {share} right answers were needed.", share=f"{100 * quiz.above:g}%", rests_on=why)
    if quiz.top:
        taken = Message("The best one was taken.", "The best {many} were taken.", n=quiz.top, many=Spelled(quiz.top))
        if protocol.raters.panels:
            taken = Message(
                "The best one of each panel was taken.", "The best {many} of each panel were taken.",
                n=quiz.top, many=Spelled(quiz.top),
            )  # fmt: skip
        yield taken.because(*why)


def _eligibility(protocol: Protocol) -> Iterator[Message]:
    screens: tuple[AsksEligibility, ...] = protocol.raters.eligibility
    if screens:
        asks = (
            Message("“{prompt}” ({answers})", prompt=ask.question.prompt, answers=Together(ask.accept, " / "))
            for ask in screens
        )
        yield Message(
            "Eligibility was asked, with the answers that let a rater in: {asks}.",
            asks=Clauses(tuple(asks)), rests_on=[stated("raters.eligibility"), WORKED_HERE],
        )  # fmt: skip


def _came_and_left(results: Results) -> Iterator[Message]:
    people = results.flow.raters
    if not people.get("invited"):
        return
    yield Message(
        "{n} person was invited and {consented} consented.", "{n} people were invited and {consented} consented.",
        n=people["invited"], consented=people["consented"], rests_on=[INVITED],
    )  # fmt: skip
    if len(results.flow.became) > 1:
        ways = (Message("{n} {outcome}", n=n, outcome=Word(word)) for word, n in results.flow.became.items())
        yield Message("What became of them: {ways}.", ways=Clauses(tuple(ways)), rests_on=[INVITED])
    yield Message(
        "The answers of {n} rater are analysed.", "The answers of {n} raters are analysed.",
        n=people["analysed"], rests_on=[INVITED],
    )  # fmt: skip
    if successors := results.flow.successors:
        who = (Message("{rater} for {other}", rater=one.rater, other=one.instead_of) for one in successors)
        yield Message(
            "{n} place that had become free was given to someone else who had passed the quiz ({who}).",
            "{n} places that had become free were given to others who had passed the quiz ({who}).",
            n=len(successors), who=Clauses(tuple(who)), rests_on=[INVITED],
        )  # fmt: skip
    for name, panel in results.flow.panels.items():
        if panel["analysed"] < panel["planned"]:
            yield Message(
                "Panel {panel} has {k} of {n} rater.", "Panel {panel} has {k} of {n} raters.",
                panel=name, k=panel["analysed"], n=panel["planned"], rests_on=[stated("raters.panels")],
            )  # fmt: skip
    if people.get("called in"):
        yield Message(
            "{n} of them answered only where others differed, which counts in verdicts alone.",
            n=people["called in"], rests_on=[stated("raters.escalate")],
        )  # fmt: skip


def procedure(protocol: Protocol, results: Results) -> Text:
    """What raters went through, step by step; nothing where nobody did."""
    return Sentences(tuple(_steps(protocol, results))) if facts.worked_here(results) else ""


def some_came_from_files(results: Results) -> bool:
    """Whether not all of the raters worked here, so that sentences have to say of whom they speak."""
    return bool(results.flow.raters.get("imported"))


def _steps(protocol: Protocol, results: Results) -> Iterator[Message]:
    rule = protocol.raters
    gave = Message("Raters gave consent and were shown the instructions.")
    if some_came_from_files(results):
        gave = Message("Raters who worked here gave consent and were shown the instructions.")
    yield gave.because(WORKED_HERE)
    yield from _practised(protocol)
    if rule.break_after:
        yield Message(
            "They worked at their own pace, with an optional break after {n} item.",
            "They worked at their own pace, with an optional break after {n} items.",
            n=rule.break_after, rests_on=[stated("raters.break_after"), WORKED_HERE],
        )  # fmt: skip
    else:
        yield Message("They worked at their own pace.", rests_on=[WORKED_HERE])
    plays = max(plays_asked(protocol, section) for section in protocol.sections)
    if plays:
        yield Message(
            "Every clip to be rated had to be played in full at least once before an answer was taken.",
            "Every clip to be rated had to be played in full at least {many} times before an answer was taken.",
            n=plays, many=Spelled(plays), rests_on=[stated("sections.show"), WORKED_HERE],
        )  # fmt: skip
    yield from _checked(protocol)
    if rule.debrief is not None:
        yield Message("A debriefing followed.", rests_on=[stated("raters.debrief"), WORKED_HERE])
    times = rule.times
    if times.practice:
        words, why = without_stop(times.practice), [stated("raters.times.practice"), WORKED_HERE]
        yield Message("Planned time for practice: {words}.", words=words, rests_on=why)
    if times.work:
        words, why = without_stop(times.work), [stated("raters.times.work"), WORKED_HERE]
        yield Message("Planned time for work: {words}.", words=words, rests_on=why)


def _checked(protocol: Protocol) -> Iterator[Message]:
    """What was mixed into the work and is in no estimate."""
    checks = protocol.raters.checks
    if n := len(gold_items(protocol)):
        yield Message(
            "Mixed into the work: one item with a known answer, which enters no estimate.",
            "Mixed into the work: {many} items with known answers, which enter no estimate.",
            n=n, many=Spelled(n), rests_on=[stated("raters.checks.gold"), WORKED_HERE],
        )  # fmt: skip
    if checks is not None and checks.repeats:
        yield Message(
            "For consistency one of a rater’s own items came a second time; those answers enter no estimate.",
            "For consistency up to {many} of a rater’s own items came a second time; those answers enter no estimate.",
            n=checks.repeats, many=Spelled(checks.repeats), rests_on=[stated("raters.checks.repeats"), WORKED_HERE],
        )  # fmt: skip


def _practised(protocol: Protocol) -> Iterator[Message]:
    rule = protocol.raters.practice
    if rule is None:
        return
    why = [stated("raters.practice"), WORKED_HERE]
    n = rule.n or len(protocol.practice)
    yield Message("They practised on one item.", "They practised on {many} items.", n=n, many=Spelled(n), rests_on=why)
    answered, asked = facts.practised_with_answers(protocol)
    if not answered:
        return
    each = rule.feedback == "after each item"
    if answered < asked:
        saw = Message("After the round they saw the right answers to {k} of {n} questions.", k=answered, n=asked)
        if each:
            saw = Message("After each item they saw the right answers to {k} of {n} questions.", k=answered, n=asked)
    else:
        saw = Message("After the round they saw the right answers.")
        if each:
            saw = Message("After each item they saw the right answers.")
    yield saw.because(*why)


def ethics(protocol: Protocol, results: Results) -> Text:
    """What raters agreed to, what is recorded about them, and what they were told of their pay."""
    parts = tuple(_ethics(protocol, results))
    return Sentences(parts) if parts else ""


def _ethics(protocol: Protocol, results: Results) -> Iterator[Message]:
    n, worked = results.flow.raters.get("imported", 0), facts.worked_here(results)
    if worked:
        gave = Message("Raters gave consent before they began, and could withdraw at any time.")
        if n:
            gave = Message("Raters who worked here gave consent before they began, and could withdraw at any time.")
        yield gave.because(WORKED_HERE)
    if n:
        yield Message(
            "The {n} rater whose answers came from files did not consent here; whatever consent they gave has to be "
            "stated by those who collected the files.",
            "The {n} raters whose answers came from files did not consent here; whatever consent they gave has to be "
            "stated by those who collected the files.",
            n=n, rests_on=[FROM_FILES],
        )  # fmt: skip
    if worked:
        recorded = Listed(tuple(_recorded(protocol)))
        yield Message("Recorded about each rater: {what}.", what=recorded, rests_on=[WORKED_HERE])
        yield from _kept_back(protocol)
        if protocol.raters.compensation:
            yield Message(
                "Compensation, as raters were told: “{words}”.", words=without_stop(protocol.raters.compensation),
                rests_on=[stated("raters.compensation"), WORKED_HERE],
            )  # fmt: skip


def _recorded(protocol: Protocol) -> Iterator[Message]:
    """What the store holds of a rater who went the whole way."""
    rule = protocol.raters
    yield Message("an id")
    yield Message("the steps taken with their times")
    yield Message("the answers with what the browser reported meanwhile")
    if rule.eligibility:
        yield Message("what was answered about eligibility", rests_on=[stated("raters.eligibility")])
    if rule.background:
        yield Message("what was answered about the rater’s background", rests_on=[stated("raters.background")])
    if rule.screening is not None:
        yield Message("the answers to the quiz", rests_on=[stated("raters.screening")])
    if rule.practice is not None:
        yield Message("the answers in practice", rests_on=[stated("raters.practice")])
    if rule.debrief and rule.debrief.ask:
        yield Message("what was answered at the end", rests_on=[stated("raters.debrief.ask")])
    if rule.platform is not None:
        yield Message("the id on the platform that the rater came from", rests_on=[stated("raters.platform")])


def _kept_back(protocol: Protocol) -> Iterator[Message]:
    rule = protocol.raters
    if rule.platform is not None:
        yield Message("Ids on the platform are in no published file.", rests_on=[stated("raters.platform")])
    if rule.debrief and rule.debrief.ask:
        why = [stated("raters.debrief.ask")]
        yield Message("What raters answered at the end is in no published file.", rests_on=why)
