"""What the sides did, how evenly they were drawn, and how often each rater sees no difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from quorate import statistics
from quorate.exhibits.blocks import Block
from quorate.findings.results import Finding, first
from quorate.inquiries.base import Inquiry, Part, Told, of_question
from quorate.inquiries.compared import Compared, compared, part_of, prefers
from quorate.messages import Message, Sentences
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, clustered, computed


class Sides(Inquiry):
    """What the sides did, in the ratings whose sides were on a page: a file does not say where anything stood."""

    name = "sides"
    title = Message("Sides")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """Two systems are compared."""
        return case.sheet.question.compares()

    def find(self, case: Case) -> Iterator[Finding]:
        """Whether the side mattered, and how evenly sides were drawn."""
        ratings, is_one_of_several = compared(case), len(case.sheet.whole.held["pairs"]) > 1
        from_files = [place for place, name in enumerate(case.sheet.raters) if name in case.sheet.from_files]
        known = ratings.only(~np.isin(ratings.who, from_files))
        if not len(known.sign):
            return
        yield _bias(case, known)
        for place, pair in enumerate(known.pairs):
            if (known.pair == place).any():
                yield from _balance(case, known.of(place), pair, is_one_of_several)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Position bias; in the supplement the balance that was reached, a pair a row."""
        found = part.of(self.name)
        bias = [one for one in found if one.statistic == "position bias"]
        caption = Message("Whether the side matters: without a bias half of the decided ratings take the left side.")
        if bias:
            yield part.table("sides", Message("Position bias"), caption, bias)
        pairs = {(one.question, one.systems): one.title for one in found if one.systems}
        rows = [
            (title, systems, [first(found, question=question, systems=systems, what=what) for what in BALANCE])
            for (question, systems), title in pairs.items()
        ]
        caption = Message("How evenly the two systems of a pair stood left and right in the ratings that count.")
        yield part.by_pair("balance", Message("Balance of sides"), caption, tuple(BALANCE.values()), rows)

    def limits(self, told: Told) -> Iterator[Message]:
        """A side that is taken more often than the other."""
        known = told.known(inquiry=self.name, statistic="position bias", by="")
        for one in known:
            value, low, high = one.height, one.estimate.low, one.estimate.high
            if low is None or high is None or low <= 0.5 <= high:
                continue
            share = f"{100 * value:.0f}%"
            side = Message("Raters favour the right side ({share} of decided ratings took the left).", share=share)
            if value > 0.5:
                side = Message("Raters favour the left side ({share} of decided ratings took it).", share=share)
            drawn = Message(
                "Sides were drawn, so the bias weakens differences between systems and favours none of them."
            )
            yield of_question(one, Sentences((side, drawn)), known)


def _bias(case: Case, ratings: Compared) -> Finding:
    """Does the side matter? The share of decided ratings that took the left one."""
    took_left = np.where(ratings.on_left, ratings.sign, -ratings.sign)
    found = computed(
        statistics.position_bias, took_left.astype(float), clusters=case.sheet.clusters[ratings.item],
        confidence=case.confidence,
    )  # fmt: skip
    return case.finding(
        "position_bias", part_of(found, "first_chosen"), statistic="position bias", unit="%",
        label=clustered(case, Message("Decided ratings that took the left side")),
        rows=f"{RAW}: response_normalized; presentations.csv: left",
        counted=(int((took_left > 0).sum()), int((took_left != 0).sum())),
    )  # fmt: skip


#: What is told of the balance of sides, and the heads of its columns.
BALANCE: Mapping[str, Message] = {
    "": Message("Ratings with the first on the left"),
    "within rater": Message("Largest difference within one rater"),
    "within item": Message("Largest difference within one item"),
}


def _balance(case: Case, ratings: Compared, pair: tuple[str, str], is_one_of_several: bool) -> Iterator[Finding]:
    """How evenly the two stood left and right, in all ratings, and where it is the least even."""
    rows, at = "presentations.csv: left", pair if is_one_of_several else ()
    of: dict[str, str] = dict(zip(("one", "other"), pair, strict=True))
    label = Message("Ratings with “{one}” on the left and “{other}” on the right", **of)
    yield case.finding(
        "side_balance", case.share_of_answers(ratings.on_left, ratings.item), at, statistic="side balance", unit="%",
        systems=pair, label=clustered(case, label), rows=rows,
        counted=(int(ratings.on_left.sum()), len(ratings.on_left)),
    )  # fmt: skip
    for name, who, told in (
        ("rater", ratings.who, Message("Largest difference of sides within one rater: “{one}” and “{other}”", **of)),
        ("item", ratings.item, Message("Largest difference of sides within one item: “{one}” and “{other}”", **of)),
    ):
        uneven = np.abs(np.bincount(who, np.where(ratings.on_left, 1.0, -1.0)))
        most = Estimate(
            float(uneven.max(initial=0)), confidence=case.confidence, n_ratings=len(who),
            method=Message("largest difference between left and right; it is counted, not estimated"),
        )  # fmt: skip
        yield case.finding(
            "side_balance", most, at, f"within_{name}", statistic="difference of sides", rows=rows, systems=pair,
            what=f"within {name}", label=told,
        )  # fmt: skip


class TiesOfEach(Inquiry):
    """How often each rater sees no difference; it is shown with the raters at work."""

    name = "ties of each rater"
    title = Message("Ties of each rater")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """A rater may answer that neither is better."""
        return prefers(case) and case.sheet.question.tie_value() is not None

    def find(self, case: Case) -> Iterator[Finding]:
        """A share of answers of each rater."""
        ratings = compared(case)
        for place, rater in enumerate(case.sheet.raters):
            mine = ratings.who == place
            tied = ratings.sign[mine] == 0
            share = case.share(tied, clusters=case.sheet.clusters_of(ratings.item[mine]))
            yield case.finding(
                "ties_of_rater", share, (rater,), statistic="tie rate", unit="%",
                label=clustered(case, Message("Ties of {rater}", rater=rater)), raters=(rater,),
                counted=(int(tied.sum()), int(mine.sum())), rows=f"{RAW} [annotator_id = {rater}]",
            )  # fmt: skip
