"""Which of two is better? Wins, ties and losses of each pair of systems, by verdict and by rating, and strengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import PAIR, breakdowns, p_cell
from quorate.exhibits.numbers import in_text, value_of
from quorate.exhibits.tables import Table, listed
from quorate.findings.names import pair_name, plain
from quorate.findings.results import Finding, Listing, by_question, first, select
from quorate.inquiries.base import FEW_ITEMS, Inquiry, Part, Told, resting
from quorate.inquiries.compared import Compared, compared, may_tie, part_of, prefers, verdict_signs
from quorate.messages import Listed, Message, Sentences, Text
from quorate.protocol import Protocol
from quorate.records import Estimate
from quorate.sheets.case import RAW, SUMMARY, Case, clustered, computed, title_of
from quorate.sheets.verdicts import STATUSES

FAMILY = "preference"
#: With more pairs than this their table and figure stand in the supplement: the systems have a ranking.
FEW_PAIRS = 6


class Preferences(Inquiry):
    """Each pair of systems: success rate and net gain by verdict and by rating, ties, and the sign test on items."""

    name = "preference"
    title = Message("Preference")
    with_and_without = True

    def fits(self, case: Case) -> bool:
        """The systems compete; where one of the two is the right answer, nobody is asked which is better."""
        return prefers(case)

    def find(self, case: Case) -> Iterator[Finding]:
        """Every pair that was compared."""
        ratings = compared(case)
        # The study's pairs, not the stratum's: else a stratum with one pair would not say which.
        is_one_of_several = len(case.sheet.whole.held["pairs"]) > 1
        for place, pair in enumerate(ratings.pairs):
            yield from _pair(case, ratings.of(place), pair, is_one_of_several)
        if not ratings.pairs:
            none = Estimate.undefined(Message("no pair of systems has been compared yet"), confidence=case.confidence)
            yield case.finding(
                "success_rate", none, statistic="success rate", label=Message("Success rate (RSR)"), unit="%",
                primary=True,
            )  # fmt: skip

    def each(self, part: Case) -> Iterator[Finding]:
        """The same in each stratum."""
        return self.find(part)

    def listings(self, case: Case) -> Iterator[Listing]:
        """Wins, ties and losses of each pair by verdict."""
        return outcomes(case)

    def headline(self, part: Part) -> Iterator[Message]:
        """How often one of two systems was preferred; several systems have a ranking."""
        for mine in by_question(part.of(self.name)):
            if len({one.systems for one in mine}) == 1:
                yield from _of_two(part, mine)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Every pair over all items and by stratum, as figures and as bars; verdicts and how they came about."""
        found = part.of(self.name)
        if part.protocol.raters.most == 1:
            # The one answer to an item is its verdict, and is not shown twice.
            found = tuple(one for one in found if one.reading != "verdict" or one.statistic == "sign test")
        pairs = list(dict.fromkeys((one.question, one.systems) for one in found))
        many = len(pairs) > FEW_PAIRS
        yield _only_pair(part, found) if len(pairs) == 1 else _pairs(part, found, pairs, many)
        cases = [case for case in part.cases if self.fits(case)]
        for case in cases:
            key = "outcomes" if len(cases) == 1 else f"outcomes_{case.sheet.id}"
            drawn, caption = _bars(part, case, key, len(cases) > 1)
            yield part.drawing(key, drawn, caption, further=many, leads=True)
        yield from breakdowns(part.protocol, part.results, part.section, self.name, FEW_ITEMS)
        for listing in part.listed("outcomes"):
            yield replace(listed(listing, part.key(f"outcomes_{listing.question}")), further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What the rates are the share of, what ties and items without a verdict count for, and the test."""
        known, rule = told.known(inquiry=self.name, by=""), counting(told.protocol)
        yield from resting(
            Message(
                "Success rate (RSR) is the share of comparisons that a system wins, net gain wins minus losses in "
                "points."
            ),
            known,
        )
        yield from resting(Message("In both, {rule}.", rule=rule), known if rule else ())
        units = (
            Message("one verdict an item, ties left out") if may_tie(told.protocol) else Message("one verdict an item")
        )
        if cluster := told.protocol.file.items.cluster:
            units = Message(
                "wins minus losses of each {cluster}, those that come out even left out", cluster=plain(cluster)
            )
        test = Message("The sign test is exact, on {units} (Dixon and Mood 1946).", units=units)
        yield from resting(test, select(known, statistic="sign test"))

    def sources(self, told: Told) -> Iterator[str]:
        """The correction of its tests."""
        if len(told.known(inquiry=self.name, statistic="sign test")) > 1:
            yield "Holm 1979"


def counting(protocol: Protocol) -> Text:
    """What ties, and items without a verdict, count for in win rates; nothing where there can be neither."""
    tied, undecided = TIES[protocol.analysis.ties or "denominator"]
    parts = [tied] if may_tie(protocol) else []
    parts += [undecided] if protocol.analysis.verdict.majority.out_of > 1 else []
    return Listed(tuple(parts)) if parts else ""


#: What a tie counts for by each rule, and what an item without a verdict does.
TIES = {
    "denominator": (Message("ties stay in the denominator"), Message("an ambiguous item is a win of neither")),
    "drop": (Message("ties are left out"), Message("an ambiguous item is a win of neither")),
    "half": (Message("a tie is half a win for each"), Message("an ambiguous item is half a win for each")),
}


def _pair(case: Case, ratings: Compared, pair: tuple[str, str], is_one_of_several: bool) -> Iterator[Finding]:
    at, rule = pair if is_one_of_several else (), case.analysis.ties or "denominator"
    signs, among = verdict_signs(case.verdicts, ratings, *pair)
    items, decided = np.where(among, signs, 0), among & case.verdicts.known

    def found(id: str, statistic: str, short: Message, estimate: Estimate, reading: str, **rest: Any) -> Finding:
        told = clustered(case, short)
        own = {"short": told, "label": Message("{what}: {pair}", what=told, pair=pair_name(pair)), "unit": "%"}
        own["rows"] = f"{SUMMARY}: verdict" if reading == "verdict" else f"{RAW}: response_normalized"
        of: dict[str, Any] = {"statistic": statistic, "systems": pair, "reading": reading, **own, **rest}
        return case.finding(id, estimate, at, **of)

    # Under `drop` a verdict of a tie leaves the denominator; an item without a verdict stays.
    counting = among & ~(decided & (items == 0)) if rule == "drop" else among
    of_items = computed(
        statistics.win_tie_loss, items[counting].astype(float), confidence=case.confidence,
        clusters=case.sheet.clusters_of(counting), tie_rule="half" if rule == "half" else "denominator",
    )  # fmt: skip
    share, won = part_of(of_items, "success_rate"), None
    if rule != "half":
        share, won = case.share(items > 0, counting), (int((items > 0).sum()), int(counting.sum()))
    told = Message("Success rate (RSR) by verdict")
    yield found("success_rate.verdict", "success rate", told, share, "verdict", primary=True, counted=won)
    gain, told = part_of(of_items, "net_gain"), Message("Net gain by verdict")
    yield found("net_gain.verdict", "net gain", told, gain, "verdict", unit="points")
    test = computed(
        statistics.sign_test, items[decided].astype(float), confidence=case.confidence,
        clusters=case.sheet.clusters_of(decided),
    )  # fmt: skip
    told = Message("Share of wins among decided items")
    if case.sheet.cluster_field:
        told = Message("Share of wins among decided clusters of items")
    family = f"{FAMILY}.{case.by}" if case.by else FAMILY
    yield found("sign_test", "sign test", told, test, "verdict", family=family)
    ratings_of = computed(
        statistics.win_tie_loss, ratings.sign.astype(float), clusters=case.sheet.clusters[ratings.item],
        confidence=case.confidence, tie_rule=rule,
    )  # fmt: skip
    kept = ratings.only(ratings.sign != 0) if rule == "drop" else ratings
    sign = kept.sign.astype(float)
    wins = (sign + 1) / 2 if rule == "half" else (sign > 0).astype(float)
    won = None if rule == "half" else (int((sign > 0).sum()), len(sign))
    share = case.for_raters(part_of(ratings_of, "success_rate"), wins, kept.item, kept.who, (0.0, 1.0))
    told = Message("Success rate (RSR) by rating")
    yield found("success_rate.rating", "success rate", told, share, "rating", counted=won)
    gain = case.for_raters(part_of(ratings_of, "net_gain"), sign, kept.item, kept.who, (-1.0, 1.0))
    yield found("net_gain.rating", "net gain", Message("Net gain by rating"), gain, "rating", unit="points")
    if case.sheet.question.tie_value() is not None:
        tied = ratings.sign == 0
        share = part_of(ratings_of, "tie_rate")
        share = case.for_raters(share, tied.astype(float), ratings.item, ratings.who, (0.0, 1.0))
        told, n = Message("Ties among ratings"), (int(tied.sum()), len(tied))
        yield found("tie_rate", "tie rate", told, share, "rating", counted=n)


def outcomes(case: Case) -> Iterator[Listing]:
    """Wins, losses and, where there can be any, ties of each pair by verdict, and how the verdicts came about."""
    ratings = compared(case)
    rows = []
    signs_of = (1, 0, -1) if case.sheet.question.tie_value() is not None else (1, -1)
    ways = STATUSES if case.rule.out_of > 1 else ()
    for place, pair in enumerate(ratings.pairs):
        signs, among = verdict_signs(case.verdicts, ratings.of(place), *pair)
        known = among & case.verdicts.known
        counts = [int((known & (signs == sign)).sum()) for sign in signs_of]
        rows.append((*pair, *counts, *(int((among & case.verdicts.came(status)).sum()) for status in ways)))
    if rows:
        heads = {1: Message("Wins"), 0: Message("Ties"), -1: Message("Losses")}
        further = Message("Third rater") if case.calls_a_third else Message("Further raters")
        came = (Message("Agreed"), further, Message("Adjudicated"), Message("Ambiguous"))
        told = Message("Verdicts on each pair of systems: the one answer to each item.")
        if ways:
            told = Message("Verdicts on each pair of systems, and how they came about: one verdict an item.")
        columns = (*PAIR, *(heads[sign] for sign in signs_of), *(came if ways else ()))
        yield case.listing("outcomes", "outcomes", Message("Verdicts on each pair"), told, columns, rows)


# What is said and drawn of it.


def _of_two(part: Part, found: Sequence[Finding]) -> Iterator[Message]:
    """How often one of the two systems was preferred to the other, of all ratings."""
    rate, gain, ties = (
        first(found, statistic=statistic, reading="rating") for statistic in ("success rate", "net gain", "tie rate")
    )
    if rate is None or gain is None or not rate.is_known:
        return
    one, other = rate.systems
    told = [Message(
        "“{one}” was preferred to “{other}” in {share} of the ratings, a net gain of {gain}.", one=one, other=other,
        share=in_text(rate), gain=in_text(gain), rests_on=[rate, gain],
    )]  # fmt: skip
    if ties is not None:
        told.append(Message("{share} of the ratings were ties.", share=value_of(ties), rests_on=[ties]))
    yield part.about(rate, Sentences(tuple(told)))


def _only_pair(part: Part, found: Sequence[Finding]) -> Table:
    """The one pair of the study: a row a figure."""
    title, systems = Message("Preference"), found[0].systems
    if not systems:
        return part.table("preference", title, Message("No pair of systems has been compared yet."), found)
    caption = Message("How often “{one}” won against “{other}”.", one=systems[0], other=systems[1])
    return part.short_table("preference", title, caption, found)


def _pairs(part: Part, found: Sequence[Finding], pairs: Sequence[tuple[str, tuple[str, ...]]], many: bool) -> Table:
    """Every pair of systems: a row each."""
    rows = []
    for question, systems in pairs:
        mine = list(select(found, question=question, systems=systems))
        test = first(mine, statistic="sign test")
        p = p_cell(test, test.p_adjusted) if test is not None else None
        figures = [first(mine, statistic=statistic, reading=reading) for statistic, reading in COLUMNS]
        rows.append((mine[0].title, systems or ("–", "–"), [*figures, p]))
    caption = Message(
        "Each pair of systems: how often the first won (RSR) and its wins minus losses. p: the exact sign test on "
        "verdicts, corrected within its family of tests."
    )
    title = Message("Preference by pair of systems")
    return part.by_pair("preference", title, caption, (*COLUMNS.values(), "p"), rows, further=many)


#: The figures of a pair in the table of pairs, with the heads of their columns.
COLUMNS: Mapping[tuple[str, str], Message] = {
    ("success rate", "verdict"): Message("RSR by verdict"),
    ("success rate", "rating"): Message("RSR by rating"),
    ("net gain", "rating"): Message("Net gain by rating"),
    ("tie rate", "rating"): Message("Ties"),
}


def _bars(part: Part, case: Case, key: str, is_named: bool) -> tuple[str, Text]:
    """Wins, ties and losses of each pair over all ratings, and of a single pair in each stratum; with a caption."""
    ratings = compared(case)
    told: list[Message] = []
    if is_named:
        told.append(Message("The question is “{question}”.", question=title_of(case.sheet)))
    if len(ratings.pairs) == 1:
        rows = [(part.say(Message("All items")), *_counts(ratings)),
                *((stratum.stratum, *_counts(compared(stratum))) for stratum in case.strata())]  # fmt: skip
        one, other = ratings.pairs[0]
        ends = (Message("← “{system}” preferred", system=other), Message("“{system}” preferred →", system=one))
        told.append(Message("Single ratings of {pair}: shares of those that prefer one of the two.",
                            pair=pair_name(ratings.pairs[0])))  # fmt: skip
        if len(rows) > 1:
            told.append(Message("Below all items, each stratum."))
    else:
        rows = [(part.say(pair_name(pair)), *_counts(ratings.of(place))) for place, pair in enumerate(ratings.pairs)]
        ends = (Message("← the second preferred"), Message("the first preferred →"))
        told.append(Message("Single ratings of each pair: shares of those that prefer the first or the second."))
    if case.sheet.question.tie_value() is not None:
        told.append(Message("Grey, across the middle: ties."))
    left, right = map(part.say, ends)
    return charts.outcomes(rows, (left, right)), Sentences(tuple(told))


def _counts(ratings: Compared) -> tuple[int, int, int]:
    won, tied, lost = (int((ratings.sign == sign).sum()) for sign in (1, 0, -1))
    return won, tied, lost
