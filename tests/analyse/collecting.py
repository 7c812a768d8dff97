"""What a study collected, made on the spot: answers written down in a test, or simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from quorate.chance import uniform
from quorate.plan import sample_items
from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Item, Participant, Shown, Vote
from studies import visual_puns

RATERS = ("A1", "A2", "A3")
WRONG = "out of the blue"


def make_protocol(folder: Path, n: int = 8, pool: int = 12) -> Protocol:
    """A small study of idioms in pictures."""
    return load(visual_puns(folder, pool=pool, n=n))


def written(protocol: Protocol, table: Mapping[str, str], judge: str = "", **rest: object) -> Collected:
    """Answers from a line of marks a rater, one an item: `+` right, `-` wrong, `?` cannot tell, `.` no answer."""
    items = sample_items(protocol)
    answers: list[Answer] = []
    for rater, marks in table.items():
        answers += _line(protocol, items, rater, marks, "rater", len(answers))
    answers += _line(protocol, items, "mllm", judge, "judge", len(answers))
    people = tuple(finished(rater) for rater in table)
    return Collected(items, tuple(answers), **{"participants": people, **rest})  # type: ignore[arg-type]


def finished(rater: str, status: str = "finished") -> Participant:
    """Someone who went the whole way."""
    events = dict.fromkeys(("consent", "eligible", "background", "finished", status), "2026-03-01T09:00:00+00:00")
    return Participant(rater, status, {"background": "Student", "proficiency": "Native"}, events)


def answer(protocol: Protocol, item: Item, rater: str, raw: str, seq: int, by: str = "rater") -> Answer:
    """One answer that went through `parse` as every answer does."""
    section = protocol.sections[0]
    ask = protocol.ask(section.id, "idiom")
    value = ask.question.parse(raw, Shown(), item).value
    at = f"2026-03-01T10:{seq // 60 % 60:02d}:{seq % 60:02d}+00:00"
    repeat = int(rater[1:]) - 1 if by == "rater" else 0
    return Answer(seq, by, rater, section.id, item.id, ask.id, value, None, raw, at, position=seq, repeat=repeat)


def simulated(protocol: Protocol, seed: int = 1, accuracy: Sequence[float] = (0.8, 0.7, 0.6)) -> Collected:
    """Three raters and the recorded judge; some items are hard for everyone."""
    items = sample_items(protocol)
    question = protocol.ask(protocol.sections[0].id, "idiom").question
    answers: list[Answer] = []
    for rater, skill in zip(RATERS, accuracy, strict=True):
        for item in items:
            draw = partial(_draw, seed, rater, item.id)
            ease = min(1.0, max(0.0, skill + uniform(seed, "ease", item.id) - 0.5))
            raw = question.simulate(item, Shown(), ease, draw)
            answers.append(answer(protocol, item, rater, raw, len(answers) + 1))
    for item in items:
        answers.append(answer(protocol, item, "mllm", str(item["mllm_response"]), len(answers) + 1, "judge"))
    return Collected(items, tuple(answers), tuple(finished(rater) for rater in RATERS), simulated=True)


def votes(target: str, canonical: str, *ballots: bool) -> tuple[Vote, ...]:
    """The votes of as many members on one borderline answer."""
    return tuple(
        Vote(f"m{number}", "recognise", "idiom", target, canonical, ballot) for number, ballot in enumerate(ballots)
    )


def _draw(seed: int, rater: str, item: str, purpose: str, *ids: object) -> float:
    return uniform(seed, purpose, rater, item, *ids)


def _line(protocol: Protocol, items: Sequence[Item], who: str, marks: str, by: str, start: int) -> list[Answer]:
    said = {"-": WRONG, "?": "unrecognizable"}
    return [
        answer(protocol, item, who, said.get(mark, str(item["target_idiom"])), start + place, by)
        for place, (item, mark) in enumerate(zip(items, marks, strict=False), 1)
        if mark != "."
    ]
