"""What raters, judges and questions are called where a reader meets them."""

from __future__ import annotations


def judge_name(judge: str) -> str:
    """A judge's id as a reader sees it: short ids are abbreviations.

    >>> judge_name("mllm"), judge_name("similarity")
    ('MLLM', 'similarity')
    """
    return judge.upper() if len(judge) <= 4 else judge


def stated(place: str) -> str:
    """The name of the fact that the study file says something at a place, its default included.

    >>> stated("raters.practice")
    'study file: raters.practice'
    """
    return f"study file: {place}"


#: How a band reads inside a sentence.
ADVERBS = {
    "poor": "less than chance would give",
    "slight": "slightly beyond chance",
    "fair": "fairly beyond chance",
    "moderate": "moderately beyond chance",
    "substantial": "substantially beyond chance",
    "almost perfect": "almost perfectly",
}
