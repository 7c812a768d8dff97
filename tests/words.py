"""A small study of words, for tests of who gets what: no pictures, one rating."""

from __future__ import annotations

from pathlib import Path

from raters import UnderWay

STUDY = """\
quorate: 1
title: Which word?
seed: {seed}
items: {{from: words.csv, id: id}}
sections:
  - id: judge
    show:
      - text: {{field: word}}
    ask:
      - id: score
        rating: {{prompt: How good is it?, points: [1, 2, 3, 4, 5]}}
raters:
{raters}
  consent: consent.md
  instructions: instructions.md
"""


def words(folder: Path, raters: str, n: int = 12, seed: int = 7) -> Path:
    """A study of n words in two fields (law and art in turns), with these settings of its raters."""
    folder.mkdir(parents=True)
    rows = [f"w{number:03d},word {number},{'law' if number % 2 else 'art'}" for number in range(n)]
    (folder / "words.csv").write_text("\n".join(["id,word,field", *rows]) + "\n")
    (folder / "gold.csv").write_text("id,word,field\ng1,gold one,law\ng2,gold two,art\ng3,gold three,law\n")
    for name in ("consent", "instructions"):
        (folder / f"{name}.md").write_text(f"# {name}\n")
    settings = "\n".join(f"  {line}" for line in raters.splitlines())
    (folder / "study.yaml").write_text(STUDY.format(raters=settings, seed=seed))
    return folder


def rate(running: UnderWay, rater: str, score: int) -> str:
    """Answers the next open item; its id."""
    place = running.work(rater).place.assignment
    running.submit(rater, running.submission(rater, "", form={"score": [str(score)]}))
    return place.item
