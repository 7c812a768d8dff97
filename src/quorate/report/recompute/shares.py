"""Shares: of right answers, kinds of options, tags, Yes, verdicts, and plays."""

from __future__ import annotations

from math import exp, log
from typing import Any

from .study import CannotError, Part, mean, share, tagged


def individual(part: Part, e: dict[str, Any]) -> float:
    """Right answers, of all."""
    return share(bool(answer.right) for answer in part.people)


def majority(part: Part, e: dict[str, Any]) -> float:
    """Items that the majority got right, of those with a verdict."""
    return share(part.is_right(item, verdict) for item, verdict in part.known.items())


def unanimous(part: Part, e: dict[str, Any]) -> float:
    """Items that everybody got right, of those with all their answers."""
    labels = part.labels("correctness").values()
    whole = [said for said in labels if len(said) >= part.study.rules["raters_per_item"]]
    return share(set(said.values()) == {"True"} for said in whole)


def accuracy(part: Part, e: dict[str, Any]) -> float:
    """The right answers of one rater, or of one judge."""
    if e.get("judge"):
        return share(bool(answer.right) for answer in part.of_judge(e["judge"]))
    return share(bool(answer.right) for answer in part.people if answer.who == e["raters"][0])


def role(part: Part, e: dict[str, Any]) -> float:
    """How often one kind of option was taken."""
    rows = part.of_judge(e["judge"]) if e.get("judge") else part.people
    return share(part.category(answer, "role") == e["what"] for answer in rows)


def rate(part: Part, e: dict[str, Any]) -> float:
    """One option, or Yes, of all answers or of verdicts."""
    option = e.get("what", "Yes")
    if e["reading"] == "verdict":
        return share(verdict == option for verdict in part.known.values())
    return share(answer.value == option for answer in part.people)


def tag(part: Part, e: dict[str, Any]) -> float:
    """How often a tag is given, of the answers that could; where none need be given, giving none is an answer, too."""
    rule = next(one for one in part.rules["tags"] if one["name"] == e["what"])
    given = [(answer.item, {name for name, _, _ in tagged(answer.value)}) for answer in part.people]
    for row in part.study.passed:
        if (row["section"], row["question"]) == (part.section, part.id) and row["item"] in part.items:
            given.append((row["item"], set()))
    return share(e["what"] in names for item, names in given if rule["items"] is None or item in rule["items"])


def ambiguity(part: Part, e: dict[str, Any]) -> float:
    """Items without a verdict, of those with enough answers for one."""
    return share(verdict is None for verdict, _, n in part.verdicts.values() if n >= part.study.rules["needed"])


def settled(part: Part, e: dict[str, Any]) -> float:
    """Verdicts that came about in one way, of the items with enough answers."""
    return share(status == e["what"] for _, status, n in part.verdicts.values() if n >= part.study.rules["needed"])


def dawid_skene(part: Part, e: dict[str, Any]) -> float:
    """Items on which Dawid and Skene's (1979) classes are the majority's verdict."""
    labels = part.labels(part.verdict_on)
    seen = {label for said in labels.values() for label in said.values()}
    names = [name for name in part.categories(part.verdict_on) or sorted(seen) if name in seen]
    chances = _classes(labels, names)
    both = [item for item in part.known if item in chances]
    return share(part.known[item] == names[chances[item].index(max(chances[item]))] for item in both)


def _classes(labels: dict[str, dict[str, str]], names: list[str]) -> dict[str, list[float]]:
    """EM from vote shares with 0.01 in every cell of the error rates, until nothing moves by more than 1e-5."""
    q, place = len(names), {name: k for k, name in enumerate(names)}
    given = {item: [(who, place[label]) for who, label in said.items()] for item, said in labels.items()}
    raters = {who for rows in given.values() for who, _ in rows}
    chances = {item: [sum(k == j for _, k in rows) / len(rows) for j in range(q)] for item, rows in given.items()}
    for _ in range(300):
        counts = {who: [[0.01] * q for _ in range(q)] for who in raters}
        for item, rows in given.items():
            for who, k in rows:
                for j in range(q):
                    counts[who][j][k] += chances[item][j]
        rates = {who: [[log(c / sum(row)) for c in row] for row in table] for who, table in counts.items()}
        prevalence = [mean(row[j] for row in chances.values()) for j in range(q)]
        moved = {}
        for item, rows in given.items():
            logs = [
                (log(prevalence[j]) if prevalence[j] > 0 else float("-inf")) + sum(rates[w][j][k] for w, k in rows)
                for j in range(q)
            ]
            top = max(logs)
            likely = [exp(one - top) for one in logs]
            moved[item] = [one / sum(likely) for one in likely]
        change = max(abs(a - b) for item in moved for a, b in zip(moved[item], chances[item]))  # noqa: B905
        chances = moved
        if change <= 1e-5:
            break
    return chances


def played(part: Part, e: dict[str, Any]) -> float:
    """Answers after all clips were played as asked, with a failure, or with a jump; or a system's clips alone."""
    rows = [row for row in part.study.played if row["section"] == part.section and row["item"] in part.items]
    if e.get("systems"):
        return share(row["reached"] == "True" for row in rows if row["system"] == e["systems"][0])
    if e.get("raters"):
        rows = [row for row in rows if row["annotator_id"] == e["raters"][0]]
    holds = {
        "reached": lambda row: row["reached"] == "True",
        "failures": lambda row: int(row["failures"]) > 0 or row["media_failed"] == "True",
        "jumps": lambda row: int(row["seeks"]) > 0,
    }
    if e["what"] not in holds:
        raise CannotError(f"what '{e['what']}' of playback means is not known")
    each: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        each.setdefault((row["item"], row["annotator_id"]), []).append(holds[e["what"]](row))
    return share((all if e["what"] == "reached" else any)(hits) for hits in each.values())
