"""Simulated raters run the whole study through the same code that people go through."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from quorate.chance import uniform
from quorate.collect import way
from quorate.collect.evidence import as_drawn
from quorate.collect.judging import judge_study
from quorate.collect.links import Invitation, invite, panels, places_left
from quorate.collect.practice import answer_seen, practice_answer, practice_done, practice_shown
from quorate.collect.screening import quiz, screening_answer, select
from quorate.collect.triage import triage
from quorate.collect.way import Step, Where, practice_items, where
from quorate.collect.work import Submission, submit, work
from quorate.plan import contested, n_drawn, quota
from quorate.protocol import Asks, Protocol, Section
from quorate.records import Item, Shown
from quorate.store import Store, Tx


@dataclass(frozen=True, slots=True)
class Simulated:
    """A simulated rater: how often right where there is a right answer, and the seed of everything else."""

    seed: int
    accuracy: float

    def fill(self, asks: Sequence[Asks], item: Item, shown: Shown, *ids: object) -> dict[str, list[str]]:
        """A filled form, as a browser would post it."""
        form: dict[str, list[str]] = {}
        for ask in asks:
            draw = partial(_draw, self.seed, item.id, ask.id, ids)
            # Some items are hard for everyone: without that, agreement would be no better than chance.
            ease = uniform(self.seed, "ease", item.id)
            accuracy = min(1.0, max(0.0, self.accuracy + (ease - 0.5)))
            narrowed = shown.to(ask.id)
            raw = ask.question.simulate(item, narrowed, accuracy, draw)
            fields = ask.question.form_of(raw, narrowed)
            form |= {f"{ask.id}.{name}" if name else ask.id: values for name, values in fields.items()}
        return form


def rehearse(
    store: Store, protocol: Protocol, seed: int, accuracy: float, on_answer: Callable[[], None] = lambda: None
) -> int:
    """Every rater of the roster goes the whole way, and offline judges answer; how many answers raters sent."""
    _judge_first(store, protocol)
    store.do(way.open_study)
    raters = [i.person for panel in panels(protocol) for i in _invited(store, protocol, panel)]
    total = sum(_walk(store, protocol, rater, _person(rater, seed, accuracy), on_answer) for rater in raters)
    if protocol.raters.screening and protocol.raters.screening.top:
        chosen = [one.candidate.rater for cut in store.do(lambda tx: select(tx, protocol)) for one in cut.chosen]
        for rater in chosen:
            total += _walk(store, protocol, rater, _person(rater, seed, accuracy), on_answer)
    return total + _settle(store, protocol, seed, accuracy, on_answer)


def _judge_first(store: Store, protocol: Protocol) -> None:
    """Judges that need no network are asked; those that settle items before people see them unless they cost money."""
    settling = () if protocol.file.triage is None else protocol.file.triage.judges
    judges = {id: entry.judge for id, entry in protocol.file.judges.items()}
    free = [id for id, judge in judges.items() if judge.is_offline or (id in settling and not judge.looks)]
    if free:
        judge_study(store, protocol, free)
    if protocol.file.triage is not None:
        store.do(lambda tx: triage(tx, protocol))


def _settle(store: Store, protocol: Protocol, seed: int, accuracy: float, on_answer: Callable[[], None]) -> int:
    """Where raters disagree, those who have finished come back, and then whoever may still be invited."""
    total = 0
    while True:
        came = sum(
            _walk(store, protocol, rater.id, _person(rater.id, seed, accuracy), on_answer)
            for rater in store.read(lambda tx: tx.raters())
        )
        total += came
        if not came and not store.do(lambda tx: _one_more(tx, protocol)):
            return total


def _one_more(tx: Tx, protocol: Protocol) -> int:
    """Invites someone into each panel in which an item waits for a rater who has not seen it; how many came."""
    waiting = [
        panel
        for panel in panels(protocol)
        if any(tx.can_claim("", section.id, stratum=contested(panel)) for section in protocol.sections)
    ]
    return sum(len(invite(tx, protocol, 1, panel)) for panel in waiting if places_left(tx, protocol, panel))


def _invited(store: Store, protocol: Protocol, panel: str) -> list[Invitation]:
    """As many as the study needs; with screening twice as many candidates, so that the cut has something to cut."""
    raters = protocol.raters
    enough = raters.roster or -(-n_drawn(protocol) * raters.per_item // quota(protocol, panel))
    n = 2 * enough if raters.screening else min(enough, raters.cap or enough)
    return store.do(lambda tx: invite(tx, protocol, n, panel))


def _person(rater: str, seed: int, accuracy: float) -> Simulated:
    # Raters differ a little, so that each has an accuracy of his own.
    return Simulated(seed, accuracy + 0.1 * (uniform(seed, "rater", rater) - 0.5))


def _walk(store: Store, protocol: Protocol, rater: str, simulated: Simulated, on_answer: Callable[[], None]) -> int:
    answers = 0
    now = store.do(lambda tx: where(tx, protocol, rater))
    while now.step in _STEPS:
        here = now
        now = store.do(lambda tx: _STEPS[here.step](tx, protocol, here, simulated))  # noqa: B023
        if here.step is Step.WORK:
            answers += 1
            on_answer()
    return answers


_NOTHING = Item("", {})


def _work(tx: Tx, protocol: Protocol, now: Where, simulated: Simulated) -> Where:
    at = work(tx, protocol, now.rater, ahead=0)
    mine = at.place.assignment
    # Who is warned thinks again, and comes to another answer about as often as not.
    again = ("again",) if at.warned and uniform(simulated.seed, "warned", now.rater, mine.item) < 0.5 else ()
    form = simulated.fill(at.section.ask, at.place.item, mine.shown, now.rater, *again)
    evidence = {"position": mine.position, **_report(simulated, at.section, at.place.item, mine.shown, now.rater)}
    key = f"rehearsal/{mine.id}" + (f"/{mine.revision}" if mine.revision else "")
    receipt = submit(tx, protocol, now.rater, Submission(key, mine.id, form, evidence, mine.revision))
    if receipt.step is not Step.WORK:
        return where(tx, protocol, now.rater)
    return Where(now.rater, Step.WORK, mine.section, 0, receipt.answered, receipt.total)


def _practice(tx: Tx, protocol: Protocol, now: Where, simulated: Simulated) -> Where:
    item = practice_items(protocol)[now.position - 1]
    shown = practice_shown(protocol, item, now.rater)
    form = simulated.fill(protocol.practice_section.ask, item, shown, now.rater)
    evidence = _report(simulated, protocol.practice_section, item, shown, now.rater)
    return practice_answer(tx, protocol, now.rater, now.position, form, evidence)


def _report(simulated: Simulated, section: Section, item: Item, shown: Shown, rater: str) -> dict[str, Any]:
    """What a browser might report: all of it as drawn and played, now and then a jump or a file that fails at first."""

    def chance(what: str) -> float:
        return uniform(simulated.seed, what, rater, item.id)

    seconds = round(8 + 40 * chance("seconds"), 1)
    report = as_drawn(section, item, shown)
    if report["media"]:
        report["media"][0] |= {"failures": int(chance("failure") < 0.02), "seeks": int(chance("seek") < 0.15)}
    hidden = int(chance("hidden") < 0.1)
    return {"seconds": seconds + 5 * hidden, "visible_seconds": seconds, "hidden": hidden, "simulated": True, **report}


def _eligibility(tx: Tx, protocol: Protocol, now: Where, simulated: Simulated) -> Where:
    # Rehearsals are about the study, not about who may take part: every simulated rater is eligible.
    form = {ask.id: [ask.accept[int(uniform(simulated.seed, ask.id, now.rater) * len(ask.accept))]]
            for ask in protocol.raters.eligibility}  # fmt: skip
    return way.eligibility(tx, protocol, now.rater, form)


def _screening(tx: Tx, protocol: Protocol, now: Where, simulated: Simulated) -> Where:
    person = tx.rater(now.rater)
    assert person is not None
    form = {}
    for question in quiz(protocol, person):
        # Candidates who come to a quiz know more than raters recognise: most of them pass.
        knows = uniform(simulated.seed, "quiz", now.rater, question.id) < 0.75 + 0.25 * simulated.accuracy
        form[f"quiz.{question.id}"] = [question.answer if knows else question.options[0]]
    return screening_answer(tx, protocol, now.rater, form)


def _background(tx: Tx, protocol: Protocol, now: Where, simulated: Simulated) -> Where:
    form = simulated.fill(protocol.raters.background, _NOTHING, Shown(), now.rater)
    return way.background(tx, protocol, now.rater, form)


def _debrief(tx: Tx, protocol: Protocol, now: Where, simulated: Simulated) -> Where:
    asks = protocol.raters.debrief.ask if protocol.raters.debrief else ()
    return way.debrief(tx, protocol, now.rater, simulated.fill(asks, _NOTHING, Shown(), now.rater))


_STEPS: Mapping[Step, Callable[[Tx, Protocol, Where, Simulated], Where]] = {
    Step.CONSENT: lambda tx, protocol, now, _: way.consent(tx, protocol, now.rater, agree=True),
    Step.ELIGIBILITY: _eligibility,
    Step.BACKGROUND: _background,
    Step.SCREENING: _screening,
    Step.INSTRUCTIONS: lambda tx, protocol, now, _: way.instructions_read(tx, protocol, now.rater),
    Step.PRACTICE: _practice,
    Step.ANSWER: lambda tx, protocol, now, _: answer_seen(tx, protocol, now.rater, now.position),
    Step.FEEDBACK: lambda tx, protocol, now, _: practice_done(tx, protocol, now.rater),
    Step.WORK: _work,
    Step.BREAK: lambda tx, protocol, now, _: way.break_over(tx, protocol, now.rater),
    Step.DEBRIEF: _debrief,
}


def _draw(seed: int, item: str, question: str, ids: tuple[Any, ...], purpose: str) -> float:
    return uniform(seed, purpose, item, question, *ids)
