"""Which of two is better? Wins, ties and losses of each pair of systems, by verdict and by rating, and strengths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding, Listing
from quorate.records import Estimate
from quorate.sheets.case import RAW, SUMMARY, Case, computed
from quorate.sheets.columns import Bools, Ints, Rows
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import STATUSES, Verdicts

FAMILY = "preference"
#: What a tie counts for, in the words of a caption.
TIES = {
    "denominator": "ties stay in the denominator, and an ambiguous item is a win of neither",
    "half": "a tie, like an ambiguous item, is half a win for each",
    "drop": "ties are left out, and an ambiguous item is a win of neither",
}


@dataclass(frozen=True, eq=False)
class Compared:
    """Rows of comparisons: for each the pair of systems, the sign of the first, and where the first stood."""

    pairs: tuple[tuple[str, str], ...]
    pair: Ints
    sign: Ints
    on_left: Bools
    item: Ints
    who: Ints

    def of(self, place: int) -> Compared:
        """The comparisons of one pair of systems."""
        return self.only(self.pair == place)

    def only(self, kept: Bools) -> Compared:
        """Some of the comparisons."""
        parts = (getattr(self, name)[kept] for name in ("pair", "sign", "on_left", "item", "who"))
        return Compared(self.pairs, *parts)


def compared(case: Case) -> Compared:
    """The comparisons that planned raters made; answers without two systems are left out."""
    return of_sheet(case.sheet)


def of_sheet(sheet: Sheet) -> Compared:
    """The comparisons of one sheet."""
    if "compared" not in sheet.held:
        sheet.held["compared"] = _compared(sheet)
    found: Compared = sheet.held["compared"]
    return found


def _compared(sheet: Sheet) -> Compared:
    table = sheet.aligned("compared", "people", lambda rows: _read(sheet.whole, rows))
    found = table[:, 0] >= 0
    pair, sign, on_left = table[found].T
    names: list[tuple[str, str]] = sheet.whole.held["pairs"]
    # The pairs of these items alone, in the order of their names.
    counts = np.bincount(pair, minlength=len(names))
    pairs = tuple(names[code] for code in np.flatnonzero(counts))
    who = sheet.people
    return Compared(pairs, (np.cumsum(counts > 0) - 1)[pair], sign, on_left == 1, who.item[found], who.who[found])


def sides_taken(sheet: Sheet) -> Ints:
    """Which side each answer takes, in the order of the rows: 1 the left one, −1 the right one, 0 neither."""
    _, sign, on_left = sheet.aligned("compared", "people", lambda rows: _read(sheet.whole, rows)).T
    return np.where(on_left == 1, sign, -sign)


def _read(sheet: Sheet, rows: Rows) -> Ints:
    """For each row the place of its pair of systems (−1: none), the sign of the first, and whether it stood left."""
    keys = [
        (value, shown.sides.get("left", ""), shown.sides.get("right", ""))
        for value, shown in zip(rows.column("value"), rows.column("shown"), strict=True)
    ]
    an_example = dict(zip(keys, rows.column("shown"), strict=True))
    known = {key: sheet.question.compared(key[0], shown) for key, shown in an_example.items()}
    names = sorted({one[:2] for one in known.values() if one is not None})
    places = {pair: place for place, pair in enumerate(names)}
    sheet.held["pairs"] = names
    coded = {
        key: (-1, 0, 0) if one is None else (places[one[:2]], one[2], int(key[1] == one[0]))
        for key, one in known.items()
    }
    return np.array(list(map(coded.__getitem__, keys)), np.int64).reshape(-1, 3)


def preferences(case: Case) -> Iterator[Finding]:
    """Each pair of systems: success rate and net gain by verdict and by rating, ties, and the sign test on items."""
    ratings = compared(case)
    # The study's pairs, not the stratum's: else a stratum with one pair would not say which.
    is_one_of_several = len(case.sheet.whole.held["pairs"]) > 1
    for place, (first, second) in enumerate(ratings.pairs):
        yield from _pair(case, ratings.of(place), first, second, is_one_of_several)
    if len({name for pair in ratings.pairs for name in pair}) > 2 and not case.by:
        yield from _strengths(case, ratings)
    if not ratings.pairs:
        none = Estimate.undefined("no pair of systems has been compared yet", confidence=case.confidence)
        yield case.finding(
            "success_rate", none, statistic="success rate", label="Success rate", unit="%", group="preference",
            primary=True,
        )  # fmt: skip


def _pair(case: Case, ratings: Compared, first: str, second: str, is_one_of_several: bool) -> Iterator[Finding]:
    pair = (first, second)
    at = pair if is_one_of_several else ()
    who = f", {first} against {second}"
    signs, among = verdict_signs(case.verdicts, ratings, first, second)
    items = np.where(among, signs, 0)
    decided = among & (case.verdicts.code >= 0)
    groups = case.sheet.item_clusters
    words: dict[str, Any] = {
        "group": "preference",
        "rows": f"{SUMMARY}: verdict",
        "systems": pair,
        "reading": "verdict",
    }
    # Under `drop` a verdict of a tie leaves the denominator; an item without a verdict stays.
    counting = among & ~(decided & (items == 0)) if tie_rule(case) == "drop" else among
    by_verdict = computed(
        statistics.win_tie_loss, items[counting].astype(float), confidence=case.confidence,
        clusters=None if groups is None else groups[counting],
        tie_rule="half" if tie_rule(case) == "half" else "denominator",
    )  # fmt: skip
    whole = tie_rule(case) != "half"
    yield case.finding(
        "success_rate.verdict",
        case.share(items > 0, counting) if whole else _part(by_verdict, "success_rate"),
        at,
        statistic="success rate", unit="%", primary=True, label=f"Success rate (RSR){who}, by verdict",
        counted=(int((items > 0).sum()), int(counting.sum())) if whole else None, **words,
    )  # fmt: skip
    yield case.finding(
        "net_gain.verdict", _part(by_verdict, "net_gain"), at, statistic="net gain", unit="points",
        label=f"Net gain{who}, by verdict", **words,
    )  # fmt: skip
    test = computed(
        statistics.sign_test, items[decided].astype(float), confidence=case.confidence,
        clusters=None if groups is None else groups[decided],
    )  # fmt: skip
    yield case.finding(
        "sign_test", test, at, statistic="sign test", unit="%", label=f"Share of wins among decided items{who}",
        family=f"{FAMILY}{'.' + case.by if case.by else ''}", **words,
    )  # fmt: skip
    words |= {"rows": f"{RAW}: response_normalized by item and annotator", "reading": "rating"}
    all_of_them = computed(
        statistics.win_tie_loss, ratings.sign.astype(float), clusters=case.sheet.clusters[ratings.item],
        confidence=case.confidence, tie_rule=tie_rule(case),
    )  # fmt: skip
    n = int((ratings.sign != 0).sum()) if tie_rule(case) == "drop" else len(ratings.sign)
    counts = (int((ratings.sign > 0).sum()), n) if whole else None
    yield case.finding(
        "success_rate.rating", _part(all_of_them, "success_rate"), at, statistic="success rate", unit="%",
        label=f"Success rate (RSR){who}, by rating", counted=counts, **words,
    )  # fmt: skip
    yield case.finding(
        "net_gain.rating", _part(all_of_them, "net_gain"), at, statistic="net gain", unit="points",
        label=f"Net gain{who}, by rating", **words,
    )  # fmt: skip
    if case.sheet.question.tie_value() is None:
        return
    yield case.finding(
        "tie_rate", _part(all_of_them, "tie_rate"), at, statistic="tie rate", unit="%",
        label=f"Ties among ratings{who}", counted=(int((ratings.sign == 0).sum()), len(ratings.sign)), **words,
    )  # fmt: skip


def tie_rule(case: Case) -> str:
    """What a tie counts for in win rates."""
    return case.analysis.ties or "denominator"


def verdict_signs(verdicts: Verdicts, ratings: Compared, first: str, second: str) -> tuple[Ints, Bools]:
    """What each item's verdict says of the first system: 1, 0 (a tie, or no verdict) or −1; and which were compared."""
    among = np.zeros(len(verdicts.code), bool)
    among[ratings.item] = True
    signs = {"win": 1, "loss": -1, first: 1, second: -1}
    told = np.array([signs.get(label, 0) for label in verdicts.labels] or [0])
    return np.where(verdicts.code >= 0, told[verdicts.code], 0), among


def _strengths(case: Case, ratings: Compared) -> Iterator[Finding]:
    """Bradley and Terry's log-strengths with Davidson's ties, one comparison an item: its verdict."""
    rows, groups = [], []
    for place, (first, second) in enumerate(ratings.pairs):
        signs, among = verdict_signs(case.verdicts, ratings.of(place), first, second)
        for item in np.flatnonzero(among & case.verdicts.known):
            rows.append((first, second, int(signs[item])))
            groups.append(int(case.sheet.clusters[item]))
    clusters = groups if case.sheet.cluster_field else None
    fit = computed(statistics.bradley_terry, rows, clusters=clusters, confidence=case.confidence)
    names = sorted({name for pair in ratings.pairs for name in pair})
    none = Estimate.undefined("no item with this system has a verdict", confidence=case.confidence)
    for name in names:
        strength = fit if isinstance(fit, Estimate) else fit.strengths.get(name, none)
        yield case.finding(
            "bradley_terry", strength, (name,), statistic="bradley terry", label=f"Log-strength of {name}",
            group="strengths", systems=(name,), rows=f"{SUMMARY}: verdict",
        )  # fmt: skip


def on_sides(case: Case) -> Iterator[Finding]:
    """What the sides did, in the ratings whose sides were on a page: a file does not say where anything stood."""
    ratings, is_one_of_several = compared(case), len(case.sheet.whole.held["pairs"]) > 1
    known = ratings.only(~np.isin(ratings.who, [case.sheet.raters.index(name) for name in _of_files(case.sheet)]))
    if not len(known.sign):
        return
    yield from _sides(case, known)
    for place, (first, second) in enumerate(known.pairs):
        if (known.pair == place).any():
            yield from _balance(case, known.of(place), first, second, is_one_of_several)


def _of_files(sheet: Sheet) -> list[str]:
    return [name for name in sheet.raters if name in sheet.from_files]


def _sides(case: Case, ratings: Compared) -> Iterator[Finding]:
    """Does the side matter? The share of decided ratings that took the left one."""
    took_left = np.where(ratings.on_left, ratings.sign, -ratings.sign)
    found = computed(
        statistics.position_bias, took_left.astype(float), clusters=case.sheet.clusters[ratings.item],
        confidence=case.confidence,
    )  # fmt: skip
    yield case.finding(
        "position_bias", _part(found, "first_chosen"), statistic="position bias", unit="%", group="sides",
        label="Decided ratings that took the left side", rows=f"{RAW}: response_normalized; presentations.csv: left",
        counted=(int((took_left > 0).sum()), int((took_left != 0).sum())),
    )  # fmt: skip


def _balance(case: Case, ratings: Compared, first: str, second: str, is_one_of_several: bool) -> Iterator[Finding]:
    """How evenly the two stood left and right, in all ratings, and where it is the least even."""
    rows, pair = "presentations.csv: left", (first, second)
    at = pair if is_one_of_several else ()
    yield case.finding(
        "side_balance", case.share_of_answers(ratings.on_left, ratings.item), at, statistic="side balance", unit="%",
        group="balance", systems=pair, label=f"Ratings with {first} on the left and {second} on the right", rows=rows,
        counted=(int(ratings.on_left.sum()), len(ratings.on_left)),
    )  # fmt: skip
    for name, who in (("rater", ratings.who), ("item", ratings.item)):
        uneven = np.abs(np.bincount(who, np.where(ratings.on_left, 1.0, -1.0)))
        most = Estimate(
            float(uneven.max(initial=0)), confidence=case.confidence, n_ratings=len(who),
            method=f"largest difference between left and right within one {name}; it is counted, not estimated",
        )  # fmt: skip
        yield case.finding(
            "side_balance", most, at, f"within_{name}", statistic="difference of sides", group="balance", rows=rows,
            systems=pair, what=f"within {name}",
            label=f"Largest difference of sides within one {name}, {first} and {second}",
        )  # fmt: skip


def tie_rates(case: Case) -> Iterator[Finding]:
    """How often each rater sees no difference."""
    ratings = compared(case)
    for place, rater in enumerate(case.sheet.raters):
        mine = ratings.who == place
        tied = ratings.sign[mine] == 0
        groups = case.sheet.item_clusters
        share = case.share(tied, clusters=None if groups is None else groups[ratings.item[mine]])
        yield case.finding(
            "ties_of_rater", share, (rater,), statistic="tie rate", label=f"Ties of {rater}", unit="%",
            group="tie rates", raters=(rater,), counted=(int(tied.sum()), int(mine.sum())),
            rows=f"{RAW}: annotator {rater}",
        )  # fmt: skip


def outcomes(case: Case) -> Iterator[Listing]:
    """Wins, ties and losses of each pair by verdict, and how the verdicts came about."""
    ratings = compared(case)
    rows = []
    status = case.verdicts.status
    for place, (first, second) in enumerate(ratings.pairs):
        signs, among = verdict_signs(case.verdicts, ratings.of(place), first, second)
        known = among & case.verdicts.known
        ways = [int((among & (status == at)).sum()) for at in range(len(STATUSES))]
        counts = [int((known & (signs == sign)).sum()) for sign in (1, 0, -1)]
        rows.append((first, second, *counts, *ways))
    if rows:
        columns: tuple[str, ...] = ("System", "Against", "Wins", "Ties", "Losses")
        told = "Verdicts on each pair of systems: the one answer to each item."
        if case.rule.out_of > 1:
            columns += ("Agreed", "Third rater", "Adjudicated", "Ambiguous")
            told = "Verdicts on each pair of systems, and how they came about: one verdict an item."
        yield Listing(
            f"{case.sheet.section}.{case.sheet.id}.outcomes", "outcomes", case.sheet.section, case.sheet.id,
            "Wins, ties and losses by verdict", f"{told} In win rates, {TIES[tie_rule(case)]}.", columns,
            tuple(row[:len(columns)] for row in rows),
        )  # fmt: skip


def _part(found: Any, name: str) -> Estimate:
    return found if isinstance(found, Estimate) else replace(getattr(found, name))
