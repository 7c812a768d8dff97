"""What raters, judges and questions are called where a reader meets them."""

from __future__ import annotations

from typing import Any

from quorate.languages import noted
from quorate.messages import Message

#: What every reader knows by its letters.
LETTERS = ("ai", "llm", "mllm", "vlm")


def judge_name(judge: str) -> str:
    """A judge's id as a reader sees it: as the study has it, but for abbreviations that are written in capitals.

    >>> judge_name("mllm"), judge_name("rex")
    ('MLLM', 'rex')
    """
    return judge.upper() if judge in LETTERS else judge


def stated(place: str) -> str:
    """The name of the fact that the study file says something at a place, its default included.

    >>> stated("raters.practice")
    'study file: raters.practice'
    """
    return f"study file: {place}"


#: Facts that sentences rest on in place of the id of a finding, and the mark of a stratum with too few of them.
VERDICTS = "answers come to verdicts"
EXPOSED = "outputs were seen before they were compared"
WAITING = "answers wait for a decision"
ABOVE = noted("above the threshold")
#: The share of items without a verdict.
AMBIGUITY = "ambiguity rate"


def plain(name: str) -> str:
    """A name of the study as words.

    >>> plain("task_family")
    'task family'
    """
    return name.replace("_", " ")


def quoted(name: Any) -> Message:
    """A name of the study inside a sentence or a label: whole, and seen to end where it ends.

    >>> str(quoted("claude 3.5, tuned"))
    '“claude 3.5, tuned”'
    """
    return Message("“{name}”", name=name)


def pair_name(systems: tuple[str, ...]) -> Message:
    """Two systems that are held against each other."""
    one, other = systems
    return Message("“{one}” against “{other}”", one=one, other=other)


#: How a band reads inside a sentence.
ADVERBS = {
    "poor": Message("less than chance would give"),
    "slight": Message("slightly beyond chance"),
    "fair": Message("fairly beyond chance"),
    "moderate": Message("moderately beyond chance"),
    "substantial": Message("substantially beyond chance"),
    "almost perfect": Message("almost perfect"),
}
