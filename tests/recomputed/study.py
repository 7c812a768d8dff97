"""A rehearsed study as frames: its exported files and its study file, and nothing that Quorate computed of them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

import numpy as np
import pandas as pd
from ruamel.yaml import YAML


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


class Study:
    """The exported files of a study, read once; every question's answers in the same columns."""

    def __init__(self, files: Mapping[str, str], study_file: str, more: Mapping[str, str]):
        self.file = YAML(typ="safe", pure=True).load(study_file)
        self.tables = {name: read(text) for name, text in more.items()}
        self.results = json.loads(files["results.json"])
        self.known: dict[tuple[Any, ...], Any] = {}
        self.asks = {(s["id"], ask["id"]): ask for s in self.file["sections"] for ask in s["ask"]}
        self.id = self.file.get("export", {}).get("item_id", "item")
        self.people = self._answers(files["annotations_raw.csv"])
        self.judged = self._answers(files.get("judge_responses.csv", ""))
        self.more = self._answers(files.get("annotations_more.csv", ""))
        self.summary = self._answers(files["annotations_summary.csv"])
        self.presented = read(files["presentations.csv"])
        self.played = read(files["playback.csv"]) if "playback.csv" in files else pd.DataFrame()
        self.items = read(next(text for name, text in files.items() if name.startswith("sampled_")))
        if self.id not in self.items:
            # The protocol's own list has no ids; nothing is grouped there, so the items alone matter.
            self.items = pd.DataFrame({self.id: self.summary["item"].drop_duplicates()})
        self.items = self.items.rename(columns={self.id: "item"}).set_index("item", drop=False)

    def _answers(self, text: str) -> pd.DataFrame:
        rows = read(text) if text else pd.DataFrame(columns=["section", "question", self.id, "annotator_id"])
        if "section" not in rows:
            section, question = next(iter(self.asks))
            rows = rows.assign(section=section, question=question)
        names = {self.id: "item", "annotator_id": "rater", "response_normalized": "value", "response_label": "label"}
        return rows.rename(columns=names)

    @property
    def rule(self) -> tuple[int, int]:
        """So many of so many make a verdict."""
        needed, _, out_of = self.file["analysis"]["verdict"]["majority"].partition(" of ")
        return int(needed), int(out_of)

    @cached_property
    def clusters(self) -> pd.Series | None:
        """The cluster of each item, where the study names one."""
        name = self.file["items"].get("cluster")
        return None if name is None else self.items[name]

    def families(self) -> dict[tuple[str, str], list[dict[str, Any]]]:
        """Every family of exploratory tests, with the estimates in it."""
        found: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for one in self.results["estimates"]:
            if one.get("exploratory"):
                found.setdefault((one["section"], one["family"]), []).append(one)
        return found


@dataclass
class Told:
    """What an estimate comes to by another way; None is undefined."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    se: float | None = None
    p: float | None = None
    count: int | None = None
    of: int | None = None
    n_items: int | None = None
    n_ratings: int | None = None


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Computed once for each question, stratum and arguments: many estimates read the same rows."""

    @wraps(function)
    def known(case: Case, *given: Any) -> Any:
        key = (
            function.__qualname__,
            *(case.entry.get(name) for name in ("section", "question", "by", "stratum")),
            *given,
        )
        if key not in case.study.known:
            case.study.known[key] = function(case, *given)
        return case.study.known[key]

    return known


class NotCoveredError(Exception):
    """This number is computed by no other way yet."""


@dataclass
class Case:
    """One estimate to be computed again: its question's rows, within its stratum."""

    study: Study
    entry: dict[str, Any]

    @property
    def section(self) -> str:
        return self.entry["section"]

    @property
    def question(self) -> str:
        return self.entry["question"]

    @property
    def rest(self) -> str:
        """The id without section, question and stratum."""
        start = f"{self.section}.{self.question}."
        return self.entry["id"].removeprefix(start).split(".by.")[0]

    @cached_property
    def ask(self) -> dict[str, Any]:
        return self.study.asks.get((self.section, self.question), {})

    @property
    def items(self) -> pd.Index:
        """The items of the stratum of which the question is asked."""
        return self._items()

    @once
    def _items(self) -> pd.Index:
        by, stratum = self.entry.get("by"), self.entry.get("stratum")
        items = self.study.items.index
        if by and by in self.study.items:
            items = items[self.study.items[by] == stratum]
        elif by:
            items = items[items.isin(self._tagged(by, stratum))]
        asked = self.study.people[self.study.people.question.isin(self.parts)].item
        return items[items.isin(set(asked))]

    def _tagged(self, question: str, tag: str) -> set[str]:
        """The items that more than half of the raters gave a tag; `none of these`: no tag of the question."""
        given = self.study.people[self.study.people.question == question]
        n = self.study.people[self.study.people.question == self.parts[0]].groupby("item").size()
        tags = [(item, one) for item, value in zip(given.item, given.value, strict=True)
                for one in json.loads(value)["secondary"]]  # fmt: skip
        votes = pd.DataFrame(tags, columns=["item", "tag"]).groupby(["tag", "item"]).size()
        most = {(tag, item) for (tag, item), k in votes.items() if 2 * k > n.get(item, 0)}
        if tag == "none of these":
            return set(n.index) - {item for _, item in most}
        return {item for one, item in most if one == tag}

    @property
    def parts(self) -> list[str]:
        """The questions that the numbers come from: a score has several."""
        return list(self.weights) or [self.question]

    @cached_property
    def weights(self) -> dict[str, float]:
        """The weights of a score made of several answers; `_shared` keeps those parts that are asked of every item."""
        section = next(s for s in self.study.file["sections"] if s["id"] == self.section)
        for score in section.get("scores", ()):
            if self.question == score["id"]:
                return dict(score["weights"])
            if self.question == score["id"] + "_shared":
                everywhere = {ask["id"] for ask in section["ask"] if "applies_when" not in ask}
                return {name: weight for name, weight in score["weights"].items() if name in everywhere}
        return {}

    @once
    def rows(self, of: str = "people", judge: str = "") -> pd.DataFrame:
        """The answers to the question about these items: of people, of those called in, or of a judge."""
        table = getattr(self.study, of)
        found = table[(table.section == self.section) & table.question.isin(self.parts) & table.item.isin(self.items)]
        return found[found.rater == judge] if judge else found

    def groups(self, items: pd.Series | pd.Index) -> np.ndarray | None:
        """The cluster of each of these items, or None where the study names none."""
        return None if self.study.clusters is None else self.study.clusters.loc[list(items)].to_numpy()

    def clusters(self, items: pd.Series | pd.Index) -> np.ndarray:
        """The cluster of each of these items; where the study names none, the item itself."""
        groups = self.groups(items)
        return np.asarray(list(items)) if groups is None else groups

    @once
    def presented(self) -> pd.DataFrame:
        """How the answers to this question were presented."""
        table = self.study.presented
        found = table[(table.section == self.section) & table.item.isin(self.items)]
        return (
            found.rename(columns={"annotator_id": "rater"})
            .set_index(["item", "rater"], drop=False)
            .rename_axis([None, None])
        )
