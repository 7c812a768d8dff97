"""What raters, judges and questions are called where a reader meets them."""

from __future__ import annotations


def judge_name(judge: str) -> str:
    """A judge's id as a reader sees it: short ids are abbreviations.

    >>> judge_name("mllm"), judge_name("similarity")
    ('MLLM', 'similarity')
    """
    return judge.upper() if len(judge) <= 4 else judge


#: How a band reads inside a sentence.
ADVERBS = {
    "poor": "less than chance would give",
    "slight": "slightly beyond chance",
    "fair": "fairly beyond chance",
    "moderate": "moderately beyond chance",
    "substantial": "substantially beyond chance",
    "almost perfect": "almost perfectly",
}
