"""What one inquiry works with: a sheet, the study's rules, and a way to name what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from quorate import statistics
from quorate.errors import DataError
from quorate.findings.ids import id_of
from quorate.findings.key import Key
from quorate.findings.names import plain
from quorate.findings.results import Finding, Listing
from quorate.languages import Words, noted
from quorate.messages import Message, Text, Together, Word, naming
from quorate.protocol import Protocol
from quorate.protocol.study_file import Analysis, Majority
from quorate.records import Estimate, Level
from quorate.sheets.columns import Bools, Floats, Ints, Reading
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import Verdicts, verdicts

RAW, SUMMARY, JUDGED = "annotations_raw.csv", "annotations_summary.csv", "judge_responses.csv"
#: Levels of measurement on which two answers are so far apart.
SCALES = (Level.ORDINAL, Level.INTERVAL, Level.RATIO)
#: A breakdown by more values than this is no table that anybody reads.
MOST_STRATA = 40


@dataclass(frozen=True)
class Case:
    """One sheet with the rules of the study and the sheets of the other questions."""

    sheet: Sheet
    protocol: Protocol
    others: Mapping[tuple[str, str], Sheet]
    by: str = ""
    stratum: str = ""
    within: Bools | None = None

    @property
    def analysis(self) -> Analysis:
        """What the study file says of the analysis."""
        return self.protocol.analysis

    @property
    def per_item(self) -> int:
        """How many raters are planned an item."""
        return self.protocol.raters.per_item

    @property
    def calls_a_third(self) -> bool:
        """Whether whoever is asked beyond the planned raters is the third."""
        return self.per_item == 2 and self.protocol.raters.most == 3

    @property
    def rule(self) -> Majority:
        """How answers become a verdict."""
        return self.analysis.verdict.majority

    @property
    def confidence(self) -> float:
        """Of every interval."""
        return self.analysis.confidence

    @property
    def target_column(self) -> str:
        """The column of the data files that holds the right answer."""
        return self.sheet.target_field or "response_normalized"

    @property
    def title(self) -> Text:
        """What the question is called, told apart from others that are asked in the same words."""
        title, mine = title_of(self.sheet), (self.sheet.section, self.sheet.id)
        sections = {at[0] for at, one in self.others.items() if at != mine and title_of(one) == title}
        here = self.protocol.section(mine[0])
        words: list[Text] = [title, *([f" ({mine[1]})"] if mine[0] in sections else [])]
        words += [" (", here.title or here.id, ")"] if sections - {mine[0]} else []
        return Together(tuple(words)) if len(words) > 1 else title

    @cached_property
    def verdicts(self) -> Verdicts:
        """One an item, in the order of items."""
        return verdicts(self.sheet, self.rule)

    def beside(self, question: str) -> Sheet | None:
        """Another question of the same section, over the same items."""
        other = self.others.get((self.sheet.section, question))
        return other if other is None or self.within is None else other.only(self.within)

    def part(self, by: str, stratum: str, within: Bools) -> Case:
        """The case over some of its items; `within` is kept over all of the study's, as other questions need it."""
        whole = within
        if self.within is not None:
            whole = np.zeros(len(self.within), bool)
            whole[np.flatnonzero(self.within)[within]] = True
        return replace(self, sheet=self.sheet.only(within), by=by, stratum=stratum, within=whole)

    def strata(self) -> Iterator[Case]:
        """The case over the items of each value of each field by which the study breaks results down."""
        for field in self.analysis.fields:
            codes, values = self.sheet.field(field)
            found = np.flatnonzero(np.bincount(codes, minlength=1)) if len(codes) else codes
            if len(found) > MOST_STRATA:
                continue
            for code in sorted(found.tolist(), key=lambda code: _by_number(values[code])):
                yield self.part(field, values[code], codes == code)

    def found(self, statistic: str, estimate: Estimate, *, label: Text, **rest: Any) -> Finding:
        """A finding of this sheet under its key: `reading`, `what`, `systems`, `raters` and `judge` say what it is of.

        Its other fields (`unit`, `band`, `rows`, `counted`, …) are of the finding alone.
        """
        sheet = self.sheet
        of: dict[str, Any] = {"section": sheet.section, "question": sheet.id, "round": sheet.round, "by": self.by,
              "stratum": self.stratum}  # fmt: skip
        own = {name: rest[name] for name in ("reading", "what", "systems", "raters", "judge") if name in rest}
        return Finding(
            id=Key(statistic=statistic, **of, **own).id, statistic=statistic, estimate=self.named(estimate),
            label=label, title=self.title, is_shared=sheet.is_shared, **of, **rest,
        )  # fmt: skip

    def finding(self, name: str, estimate: Estimate, of: Sequence[str] = (), end: str = "", **rest: Any) -> Finding:
        """A finding of this sheet; its id begins with the section and the question.

        `name` and `end` are words of ours, joined by dots; between them stand the names `of` whom or what it is.
        """
        sheet = self.sheet
        id = ".".join(filter(None, (sheet.section, sheet.id, name, id_of(*of), end)))
        if sheet.round > 1:
            id += f".round.{sheet.round}"
        if self.by:
            id += f".by.{id_of(self.by, self.stratum)}"
        if sheet.made_of:
            # No row holds such a score: it is made of those of other questions.
            of_them = f"weighted response_normalized of {' and '.join(sheet.made_of)}"
            rest["rows"] = rest.get("rows", "").replace("response_normalized", of_them)
        return Finding(
            id=id, section=sheet.section, question=sheet.id, estimate=self.named(estimate), by=self.by,
            stratum=self.stratum, round=sheet.round, title=self.title, is_shared=sheet.is_shared, **rest,
        )  # fmt: skip

    def listing(
        self, name: str, group: str, title: Text, caption: Text, columns: Iterable[Text], rows: Iterable[Any], **of: Any
    ) -> Listing:
        """Something that is counted or listed of this sheet."""
        sheet = self.sheet
        id = f"{sheet.section}.{sheet.id}.{name}"
        return Listing(id, group, sheet.section, sheet.id, title, caption, tuple(columns), tuple(rows), **of)

    def named(self, estimate: Estimate) -> Estimate:
        """The estimate with its clusters called what they are in the study: items, or the values of a field."""
        own: dict[str, Text] = {"group": Word(noted("item")), "groups": Word(noted("items"))}
        if field := self.sheet.cluster_field:
            own = {"group": Message("cluster ({field})", field=field)}
            own |= {"groups": Message("clusters ({field})", field=field)}
        left_out = {naming(why, **own): n for why, n in estimate.left_out.items()}
        words = {"method": naming(estimate.method, **own), "note": naming(estimate.note, **own)}
        return replace(estimate, left_out=left_out, **words)

    def share(self, hits: Bools, among: Bools | None = None, clusters: Ints | None = None) -> Estimate:
        """A share of items with its interval: Wilson's, by cluster where the study names one."""
        kept = np.ones(len(hits), bool) if among is None else among
        groups = self.sheet.item_clusters if clusters is None else clusters
        if groups is None:
            return statistics.wilson(int(hits[kept].sum()), int(kept.sum()), confidence=self.confidence)
        found = computed(statistics.proportion, hits[kept], clusters=groups[kept], confidence=self.confidence)
        return replace(found, n_items=int(kept.sum()), n_ratings=None)

    def share_of_answers(self, hits: Bools, item: Ints, who: Ints | None = None) -> Estimate:
        """A share of answers; answers about one item (or of one cluster) go together in the interval.

        Where it says `who` gave them, the interval speaks of the raters that the study speaks of.
        """
        groups = self.sheet.clusters[item] if len(item) else item
        found = computed(statistics.proportion, hits, clusters=groups, confidence=self.confidence)
        found = replace(found, n_items=int(np.count_nonzero(np.bincount(item, minlength=1))), n_ratings=len(hits))
        return found if who is None else self.for_raters(found, hits.astype(float), item, who, (0.0, 1.0))

    def for_raters(
        self, found: Estimate, values: Floats, item: Ints, who: Ints, ends: tuple[float, float] | None = None,
        weights: Floats | None = None,
    ) -> Estimate:  # fmt: skip
        """A mean of ratings as it is for these raters, or with the interval and p for new ones where the study asks."""
        if self.analysis.population.raters == "these" or found.value is None:
            return found
        of = (values, self.sheet.clusters[item], who)
        new = computed(statistics.crossed_mean, *of, weights=weights, ends=ends, confidence=self.confidence)
        p = new.p if found.p is not None else None
        return replace(found, low=new.low, high=new.high, se=new.se, p=p, method=new.method, note=new.note)

    def table(self, reading: Reading) -> Any:
        """What a coefficient of agreement is computed from: ratings read once, items with their clusters."""
        codes = reading.table(self.sheet.n_items)
        return named(codes, reading.labels, reading.declared, self.sheet.item_clusters, reading.mirror)


def named(
    codes: Floats, labels: tuple[Any, ...], declared: bool, clusters: Any, mirror: Mapping[Any, Any] | None = None
) -> Any:
    """Ratings by code, whose categories have their names again: a note may speak of them."""
    from quorate.statistics import Ratings

    categories = list(range(len(labels))) if declared and labels else None
    read = Ratings.from_matrix(codes, categories=categories, clusters=clusters if codes.size else None)
    found = replace(read, categories=tuple(map(labels.__getitem__, read.categories)))
    return found.mirrored(mirror) if mirror else found


def computed(statistic: Callable[..., Any], *data: Any, confidence: float, **options: Any) -> Any:
    """The statistic of these data; data that it cannot use give an undefined estimate that says why."""
    try:
        return statistic(*data, confidence=confidence, **options)
    except DataError as error:
        return Estimate.undefined(error.why, confidence=confidence)


def without(share: Estimate, left_out: Mapping[Text, int]) -> Estimate:
    """The estimate with what was left out, and why."""
    return replace(share, left_out={**share.left_out, **{why: int(n) for why, n in left_out.items() if n}})


def told(share: Estimate, why: Text) -> Estimate:
    """An undefined estimate says why in the study's words."""
    return replace(share, note=why) if share.value is None else share


def clustered(case: Case, label: Message) -> Message:
    """The label with the unit of clustering, where items of the study go together in intervals and tests."""
    field = plain(case.sheet.cluster_field)
    return Message("{what}, clustered by {field}", what=label, field=field) if field else label


def title_of(sheet: Sheet) -> Words:
    """What a question is called: its prompt, in each language that it has."""
    return sheet.question.prompt or plain(sheet.id)


def pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every two of the names, in order.

    >>> list(pairs(["A1", "A2", "A3"]))
    [('A1', 'A2'), ('A1', 'A3'), ('A2', 'A3')]
    """
    listed = list(names)
    for place, first in enumerate(listed):
        for second in listed[place + 1 :]:
            yield first, second


def _by_number(text: str) -> tuple[int, float, str]:
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text
