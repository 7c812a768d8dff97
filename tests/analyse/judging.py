"""Studies with judges, and what they collected, made on the spot: a triage with an arm, and pairs in both orders."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from quorate.protocol import Protocol, load
from quorate.records import Answer, Collected, Item, Repeated, Route, Shown

SCORES = """\
quorate: 1
title: Scores
seed: 3
items: {from: items.csv, id: id}
sections:
  - id: score
    show: [{text: text}]
    ask:
      - id: quality
        rating: {prompt: Quality, points: [0, 1, 2]}
raters: {per_item: 3, roster: 3, consent: consent.md, instructions: consent.md}
judges:
  ai: {recorded: {field: {quality: ai}}}
triage: {judge: ai, review: score <= 1, audit: 0.2 MORE}
analysis: {by: domain}
"""

PAIRS = """\
quorate: 1
title: Pairs
seed: 3
items: {from: items.csv, id: id}
sections:
  - id: compare
    show:
      - pair: {text: {}, systems: {ours: one, theirs: two}}
    ask:
      - id: better
        KIND
raters: {per_item: 3, roster: 3, consent: consent.md, instructions: consent.md}
judges:
  ai: {simulated: {seed: 1, swap: true, own: ours}}
analysis: ANALYSIS
"""
BY_SIDE = Shown({"left": "ours", "right": "theirs"})
MIRRORED = Shown({"left": "theirs", "right": "ours"})


def scores(folder: Path, n: int = 30, more: str = "") -> Protocol:
    """A study in which a judge scores n items before people do."""
    folder.mkdir(exist_ok=True)
    rows = ["id,text,domain,ai", *(f"i{k},text {k},{'ab'[k % 2]},0" for k in range(n))]
    (folder / "items.csv").write_text("\n".join(rows) + "\n")
    (folder / "consent.md").write_text("Yes?")
    (folder / "study.yaml").write_text(SCORES.replace("MORE", more))
    return load(folder)


def pairs(folder: Path, n: int = 12, kind: str = "winner: {prompt: Better?}", analysis: str = "{}") -> Protocol:
    """A study of n pairs of texts, of which ours is the longer in every third."""
    folder.mkdir(exist_ok=True)
    rows = ["id,one,two", *(f"i{k},{'long ' * (5 if k % 3 == 0 else 1)},{'text ' * 3}" for k in range(n))]
    (folder / "items.csv").write_text("\n".join(rows) + "\n")
    (folder / "consent.md").write_text("Yes?")
    (folder / "study.yaml").write_text(PAIRS.replace("KIND", kind).replace("ANALYSIS", analysis))
    return load(folder)


def said(item: str, who: str, value: object, by: str = "rater", shown: Shown = BY_SIDE, at: str = "score") -> Answer:
    """One answer; R1 holds the first of an item's slots."""
    question = "quality" if at == "score" else "better"
    repeat = int(who[1:]) - 1 if by == "rater" else 0
    return Answer(1, by, who, at, item, question, value, None, value, "", repeat=repeat, shown=shown)


def triaged(protocol: Protocol, seed: int = 1, audit: float = 0.2, pull: float = 0.0) -> tuple[Collected, float]:
    """Three raters look at what the rule sent and at the audited; who saw the score takes it over as often as `pull`.

    The judge is too kind to a quarter of the items. The mean that people would have given to all comes back too.
    """
    rng = np.random.default_rng(seed)
    answers, routes, anchored, truths = [], [], set(), []
    for item in protocol.pool:
        truth = int(rng.choice([0, 1, 2], p=[0.2, 0.3, 0.5]))
        ai = min(2, truth + 1) if rng.random() < 0.25 else truth
        truths.append(truth)
        answers.append(said(item.id, "ai", ai, "judge", Shown()))
        is_sent, is_audited = ai <= 1, rng.random() < audit
        to = "review" if is_sent else "audit" if is_audited else "accepted"
        routes.append(Route("score", item.id, to, 1.0 if is_sent else audit))
        rule = protocol.file.triage
        for rater in ("R1", "R2", "R3") if to != "accepted" else ():
            sees = rule is not None and rule.is_shown(protocol.seed, "score", item.id, rater)
            if sees:
                anchored.add(("score", item.id, rater))
            given = ai if sees and rng.random() < pull else truth
            answers.append(said(item.id, rater, given, shown=Shown()))
    items: tuple[Item, ...] = protocol.pool
    found = Collected(items, tuple(answers), routes=tuple(routes), anchored=frozenset(anchored))
    return found, float(np.mean(truths))


def mirrored(item: str, value: object, purpose: str = "swapped", shown: Shown = MIRRORED) -> Repeated:
    """What the judge said when it was asked once more."""
    return Repeated("ai", "compare", item, purpose, {"better": value}, shown)
