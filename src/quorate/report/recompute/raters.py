"""How raters work: medians of seconds, change along the session, and answers that repeat the one before."""

from __future__ import annotations

from collections import defaultdict
from statistics import median
from typing import Any

from .preferences import compared, side_of
from .study import CannotError, Part, mean, share


def seconds(part: Part) -> dict[str, list[tuple[float, float]]]:
    """For each rater, position and seconds of every item whose time is known."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for answer in part.people:
        row = part.study.shown.get((part.section, answer.item, answer.who), {})
        if row.get("seconds"):
            found[answer.who].append((float(row["position"]), float(row["seconds"])))
    return found


def median_seconds(part: Part, e: dict[str, Any]) -> float:
    """The median time: of one rater, or of what browsers report of clips."""
    if "playback" in e["group"]:
        rows = [row for row in part.study.played if row["section"] == part.section and row["item"] in part.items]
        each = {(row["item"], row["annotator_id"]): row["seconds"] for row in rows}
        who = e.get("raters") or sorted({rater for _, rater in each})
        taken = [float(value) for (_, rater), value in each.items() if value and rater in who]
    else:
        taken = [s for _, s in seconds(part).get(e["raters"][0], [])]
    if not taken:
        raise CannotError("no answer has a time")
    return float(median(taken))


def too_fast(part: Part, e: dict[str, Any]) -> float:
    """Answers in less than three tenths of the median of raters' medians."""
    taken = {rater: [s for _, s in rows] for rater, rows in seconds(part).items()}
    least = 0.3 * median(map(median, taken.values())) if taken else 0.0
    return share(s < least for s in taken.get(e["raters"][0], []))


def drift(part: Part, e: dict[str, Any]) -> float:
    """The least-squares slope of seconds on position within raters."""
    up = across = 0.0
    for rows in seconds(part).values():
        x, y = mean(p for p, _ in rows), mean(s for _, s in rows)
        up += sum((p - x) * (s - y) for p, s in rows)
        across += sum((p - x) ** 2 for p, _ in rows)
    if across == 0:
        raise CannotError("all answers are at one position")
    return up / across


def same_again(part: Part, e: dict[str, Any]) -> float:
    """Answers (or sides, where systems differ by item) equal to the one before, in the order of a rater's work."""
    reading = part.verdict_on or next(iter(part.rules["readings"]))
    rows = []
    sides = {(one.item, one.who): side_of(one) for one in compared(part)} if e.get("what") == "side" else {}
    for answer in part.people:
        shown = part.study.shown.get((part.section, answer.item, answer.who), {})
        if answer.who == e["raters"][0] and shown.get("position"):
            said = sides.get((answer.item, answer.who)) or part.category(answer, reading)
            rows.append((float(shown["position"]), said))
    labels = [label for _, label in sorted(rows, key=lambda row: row[0])]
    return share(a == b for a, b in zip(labels, labels[1:]))  # noqa: B905, RUF007
