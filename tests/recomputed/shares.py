"""Shares of answers and of items: right ones, kinds of options, tags, ties, sides, plays."""

from __future__ import annotations

import json

import pandas as pd

from recomputed.intervals import share
from recomputed.study import Case, Told
from recomputed.verdicts import is_right, of_items, verdicts


def of_answers(case: Case, hits: pd.Series, items: pd.Series) -> Told:
    """A share of answers; those about one item, or of one cluster, go together."""
    told = share(hits, case.clusters(items)) if len(hits) else Told(count=0, of=0)
    told.n_items, told.n_ratings = items.nunique(), len(hits)
    return told


def individual(case: Case) -> Told:
    rows = case.rows()
    return of_answers(case, rows.is_correct == "True", rows.item)


def majority(case: Case) -> Told:
    known = verdicts(case).dropna(subset="verdict")
    return of_items(share(is_right(case, known.verdict), case.groups(known.index)))


def unanimous(case: Case) -> Told:
    per_item = case.study.file["raters"]["per_item"]
    right = case.rows().groupby("item").is_correct.agg(["size", lambda said: (said == "True").sum()])
    whole = right[right["size"] >= per_item]
    return of_items(share(whole.iloc[:, 1] == whole["size"], case.groups(whole.index)))


def of_rater(case: Case, rater: str) -> Told:
    rows = case.rows()[lambda all: all.rater == rater]
    return of_items(share(rows.is_correct == "True", case.groups(rows.item)))


def of_judge(case: Case, judge: str) -> Told:
    rows = case.rows("judged", judge)
    return of_items(share(rows.is_correct == "True", case.groups(rows.item)))


def role(case: Case, judge: str | None, name: str) -> Told:
    rows = case.rows("judged", judge) if judge else case.rows()
    return of_answers(case, rows.value == name, rows.item)


def rate(case: Case, option: str | None) -> Told:
    rows = case.rows()
    return of_answers(case, rows.value == (option or "Yes"), rows.item)


def rate_by_verdict(case: Case, option: str | None) -> Told:
    known = verdicts(case).dropna(subset="verdict")
    return of_items(share(known.verdict == (option or "Yes"), case.groups(known.index)))


def _english(text: str | dict[str, str]) -> str:
    return text if isinstance(text, str) else text["en"]


def tag(case: Case, given_tag: str) -> Told:
    """How often a tag is given, of the answers that could: where tags need not be given, none is an answer, too."""
    rule = case.ask["tags"]
    name, condition = next(
        (_english(one), group.get("applies_when"))
        for group in rule["groups"] for one in group["tags"] if _english(one) == given_tag
    )  # fmt: skip
    section = next(s for s in case.study.file["sections"] if s["id"] == case.section)
    whole = case.study.people
    asked = whole[whole.question == (case.question if rule.get("required", True) else section["ask"][0]["id"])]
    if condition is not None:
        field, _, value = condition.partition(" == ")
        asked = asked[asked.item.map(case.study.items[field]) == value.strip('"')]
    given = whole[whole.question == case.question]
    tags = {
        (item, rater): {one for part in ("primary", "secondary") for one in json.loads(value)[part]}
        for item, rater, value in zip(given.item, given.rater, given.value, strict=True)
    }
    hits = pd.Series([name in tags.get(key, ()) for key in zip(asked.item, asked.rater, strict=True)], dtype=bool)
    return of_answers(case, hits, asked.item)


def played(case: Case, what: str, whose: str | None, who: str | None) -> Told:
    """Of the answers with clips to play: all played as asked, one failed, a jump; or of a system's clips."""
    rows = case.study.played
    rows = rows[(rows.section == case.section) & rows.item.isin(case.items)]
    if whose == "of":
        rows = rows[rows.system == who]
        return of_answers(case, rows.reached == "True", rows.item)
    if who:
        rows = rows[rows.annotator_id == who]
    hits = {
        "reached": rows.reached == "True",
        "failures": (rows.failures.astype(int) > 0) | (rows.media_failed == "True"),
        "jumps": rows.seeks.astype(int) > 0,
    }[what]
    each = hits.groupby([rows.item, rows.annotator_id]).agg("all" if what == "reached" else "any")
    items = each.index.get_level_values(0).to_series()
    return of_items(share(each, case.groups(items))) if who else of_answers(case, each, items)


def threshold(case: Case) -> float:
    """Three tenths of the median of raters' median seconds."""
    seconds = case.presented().assign(seconds=lambda table: table.seconds.astype(float))
    return 0.3 * float(seconds.groupby("rater").seconds.median().median())


def too_fast(case: Case, rater: str) -> Told:
    seconds = case.presented()[lambda table: table.rater == rater].seconds.astype(float)
    told = share(seconds < threshold(case))
    told.n_ratings = len(seconds)
    return told
