"""Do judges score as people do? People's mean score of each item held against each judge's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import in_text
from quorate.exhibits.tables import notes_of
from quorate.findings.names import judge_name, plain
from quorate.findings.results import Finding, first, select
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.item_means import is_number, item_means, mean_of_items
from quorate.inquiries.metrics import correlation
from quorate.messages import Listed, Message, Text
from quorate.records import Estimate
from quorate.sheets.case import JUDGED, RAW, Case, computed, named


class PeopleAndAI(Inquiry):
    """A judge's score minus people's mean, how far the two rank items alike, and κ with the verdicts."""

    name = "human and AI"
    title = Message("People and AI")
    names_questions = True

    def fits(self, case: Case) -> bool:
        """A judge gave numbers, too."""
        return is_number(case) and bool(case.sheet.judges)

    def find(self, case: Case) -> Iterator[Finding]:
        """Difference, correlation, and weighted κ with the verdicts, judge by judge."""
        for judge in case.sheet.judges:
            yield from self._beside(case, judge)
            if case.sheet.question.scale():
                yield _weighted_kappa(case, judge)

    def each(self, part: Case) -> Iterator[Finding]:
        """Difference and correlation."""
        for judge in part.sheet.judges:
            yield from self._beside(part, judge)

    def _beside(self, case: Case, judge: str) -> Iterator[Finding]:
        people, its = item_means(case.sheet), item_means(case.sheet, "machines", judge)
        both = ~np.isnan(people) & ~np.isnan(its)
        told: dict[str, Any] = {"question": case.title, "judge": judge_name(judge)}
        yield case.finding(
            f"judge.{judge}.mean_difference", mean_of_items(case, its - people), statistic="mean difference",
            label=Message("{question}: {judge} minus people", **told), rows=ROWS, judge=judge,
        )  # fmt: skip
        rho = correlation(case, "spearman", people[both], its[both], case.sheet.clusters[both])
        yield case.finding(
            f"judge.{judge}.spearman", rho, statistic="spearman", rows=ROWS, judge=judge,
            label=Message("{question}: Spearman’s ρ with {judge}", **told),
        )  # fmt: skip

    def headline(self, part: Part) -> Iterator[Message]:
        """By how much each judge scores higher or lower than people."""
        found = [one for one in part.of(self.name, statistic="mean difference") if one.is_known]
        for judge in dict.fromkeys(one.judge for one in found if not one.is_shared):
            mine = [one for one in select(found, judge=judge) if not one.is_shared]
            gaps = tuple(Message("“{question}” {gap}", question=one.title, gap=in_text(one)) for one in mine)
            yield Message(
                "The mean of {judge} minus people’s, on the items that both scored: {gaps}.", judge=judge_name(judge),
                gaps=Listed(gaps), rests_on=mine,
            )  # fmt: skip

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Over all items, a picture of the differences on each scale; in the supplement the differences by field."""
        found = part.of(self.name)
        if not found:
            return
        gaps = [one for one in found if one.statistic == "mean difference"]
        kinds, several = ("mean difference", "spearman", "cohen kappa"), len({one.judge for one in gaps}) > 1
        beside = [
            (Message("{question}: {judge}", question=one.title, judge=judge_name(one.judge)) if several else one.title,
             [first(found, question=one.question, judge=one.judge, statistic=kind) for kind in kinds])
            for one in gaps
        ]  # fmt: skip
        caption = Message(
            "People’s mean score against the judge’s, item by item. Small: the interval, and the number of items."
        )
        heads: tuple[Text, ...] = (
            Message("Score"), Message("Judge minus people"), Message("Spearman’s ρ"),
            Message("Cohen’s κ, quadratic (with the verdicts)"),
        )  # fmt: skip
        table = pivot(part.key("human_and_AI"), self.title, caption, heads, beside)
        yield replace(table, notes=notes_of(part.results, found))
        ends = {case.sheet.id: case.sheet.question.ends() for case in part.cases}
        scales = list(dict.fromkeys(ends[one.question] for one in gaps))
        for place, scale in enumerate(scales):
            mine = [one for one in gaps if ends[one.question] == scale]
            name = f"ai_{place + 1}" if place else "ai"
            axis = Message("judge minus people")
            caption = Message("The judge’s score minus people’s mean. Lines are intervals.")
            drawn = charts.differences([(one.label, one) for one in mine], axis, say=part.say)
            yield part.drawing(name, drawn, caption)
        for by in fields(part.protocol):
            here = part.in_strata(self.name, by=by, statistic="mean difference")
            columns = [(one.label, list(select(here, question=one.question, judge=one.judge))) for one in gaps]
            title = Message("The judge minus people by {field}", field=plain(by))
            caption = Message("{title}. Small: the interval, and the number of items.", title=title)
            yield from part.by_stratum("human_and_AI", by, title, caption, columns, further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What is held against what."""
        known = told.known(inquiry=self.name, by="")
        mean = Message("A judge’s score is held against people’s mean score of the same item.")
        yield from resting(mean, select(known, statistic="mean difference"))
        kappa = Message("Against the verdicts it is Cohen’s κ with quadratic weights (1968).")
        yield from resting(kappa, select(known, statistic="cohen kappa"))


ROWS = f"{RAW} + {JUDGED}: response_normalized"


def _weighted_kappa(case: Case, judge: str) -> Finding:
    human = case.verdicts.code
    machine = case.sheet.codes_of(judge, case.verdicts.reading)
    both = (human >= 0) & (machine >= 0)
    why = Message("no item has both a verdict and a score")
    kappa = Estimate.undefined(why, confidence=case.confidence, n_items=0)
    if both.any():
        codes = np.stack([human[both], machine[both]], axis=1).astype(float)
        read = named(codes, case.verdicts.labels, True, case.sheet.clusters_of(both))
        kappa = computed(statistics.cohen_kappa, read, weights="quadratic", confidence=case.confidence)
    return case.finding(
        f"judge.{judge}.weighted_kappa", kappa, statistic="cohen kappa", rows=ROWS, judge=judge,
        label=Message(
            "{question}: Cohen’s κ, quadratic (verdict vs {judge})", question=case.title, judge=judge_name(judge)
        ),
    )  # fmt: skip
