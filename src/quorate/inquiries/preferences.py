"""Which of two is better? Wins, ties and losses of each pair of systems, by verdict and by rating, and strengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import PAIR, breakdowns, pivot
from quorate.exhibits.numbers import in_text, p_value, value_of
from quorate.exhibits.tables import Cell, Table, listed
from quorate.findings.names import pair_name, plain
from quorate.findings.results import Finding, Listing, first, select
from quorate.inquiries.base import FEW_ITEMS, Inquiry, Part, Told
from quorate.messages import Listed, Message, Sentences, Text
from quorate.protocol import Protocol
from quorate.records import Estimate
from quorate.sheets.case import RAW, SUMMARY, Case, clustered, computed, title_of
from quorate.sheets.columns import Bools, Ints, Rows
from quorate.sheets.sheet import Sheet
from quorate.sheets.verdicts import STATUSES, Verdicts

FAMILY = "preference"
#: With more pairs than this their table and figure stand in the supplement: the systems have a ranking.
FEW_PAIRS = 6


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
        found = part.of(self.name)
        for question in dict.fromkeys(one.question for one in found):
            mine = tuple(select(found, question=question))
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
        known = told.known(inquiry=self.name, by="")
        if not known:
            return
        ids = [one.id for one in known]
        yield Message(
            "Success rate (RSR) is the share of comparisons that a system wins, net gain wins minus losses in points.",
            rests_on=ids,
        )  # fmt: skip
        rule = counting(told.protocol)
        if rule:
            yield Message("In both, {rule}.", rule=rule, rests_on=ids)
        tests = [one.id for one in known if one.statistic == "sign test"]
        cluster = told.protocol.file.items.cluster
        if tests and cluster:
            yield Message(
                "The sign test is exact, on wins minus losses of each {cluster}, those that come out even left out "
                "(Dixon and Mood 1946).",
                cluster=plain(cluster), rests_on=tests,
            )  # fmt: skip
        elif tests and may_tie(told.protocol):
            yield Message(
                "The sign test is exact, on one verdict an item, ties left out (Dixon and Mood 1946).", rests_on=tests
            )
        elif tests:
            yield Message("The sign test is exact, on one verdict an item (Dixon and Mood 1946).", rests_on=tests)

    def sources(self, told: Told) -> Iterator[str]:
        """The correction of its tests."""
        if len(told.known(inquiry=self.name, statistic="sign test")) > 1:
            yield "Holm 1979"


def prefers(case: Case) -> bool:
    """Whether systems compete in the case's question."""
    return case.sheet.question.compares() and not case.sheet.question.is_scored()


def may_tie(protocol: Protocol) -> bool:
    """Whether any question of the study that compares systems takes an answer of neither."""
    return any(
        ask.question.tie_value() is not None
        for section in protocol.sections for ask in section.ask if ask.question.compares()
    )  # fmt: skip


def counting(protocol: Protocol) -> Text:
    """What ties, and items without a verdict, count for in win rates; nothing where there can be neither."""
    half, drop = (protocol.analysis.ties == rule for rule in ("half", "drop"))
    tied: Text = Message("ties stay in the denominator")
    if half or drop:
        tied = Message("a tie is half a win for each") if half else Message("ties are left out")
    undecided = Message("an ambiguous item is a win of neither")
    if half:
        undecided = Message("an ambiguous item is half a win for each")
    parts = (tied if may_tie(protocol) else "", undecided if protocol.analysis.verdict.majority.out_of > 1 else "")
    return Listed(tuple(filter(None, parts))) if any(parts) else ""


def _pair(case: Case, ratings: Compared, pair: tuple[str, str], is_one_of_several: bool) -> Iterator[Finding]:
    at = pair if is_one_of_several else ()
    signs, among = verdict_signs(case.verdicts, ratings, *pair)
    items = np.where(among, signs, 0)
    decided = among & (case.verdicts.code >= 0)
    groups = case.sheet.item_clusters

    def words(short: Message, reading: str, rows: str) -> dict[str, Any]:
        told = clustered(case, short)
        label = Message("{what}: {pair}", what=told, pair=pair_name(pair))
        return {"short": told, "label": label, "systems": pair, "reading": reading, "rows": rows}

    def by_verdict(short: Message) -> dict[str, Any]:
        return words(short, "verdict", f"{SUMMARY}: verdict")

    def by_rating(short: Message) -> dict[str, Any]:
        return words(short, "rating", f"{RAW}: response_normalized")

    # Under `drop` a verdict of a tie leaves the denominator; an item without a verdict stays.
    counting = among & ~(decided & (items == 0)) if tie_rule(case) == "drop" else among
    of_items = computed(
        statistics.win_tie_loss, items[counting].astype(float), confidence=case.confidence,
        clusters=None if groups is None else groups[counting],
        tie_rule="half" if tie_rule(case) == "half" else "denominator",
    )  # fmt: skip
    whole = tie_rule(case) != "half"
    yield case.finding(
        "success_rate.verdict",
        case.share(items > 0, counting) if whole else _part(of_items, "success_rate"),
        at, statistic="success rate", unit="%", primary=True,
        counted=(int((items > 0).sum()), int(counting.sum())) if whole else None,
        **by_verdict(Message("Success rate (RSR) by verdict")),
    )  # fmt: skip
    yield case.finding(
        "net_gain.verdict", _part(of_items, "net_gain"), at, statistic="net gain", unit="points",
        **by_verdict(Message("Net gain by verdict")),
    )  # fmt: skip
    test = computed(
        statistics.sign_test, items[decided].astype(float), confidence=case.confidence,
        clusters=None if groups is None else groups[decided],
    )  # fmt: skip
    short = Message("Share of wins among decided items")
    if case.sheet.cluster_field:
        short = Message("Share of wins among decided clusters of items")
    yield case.finding(
        "sign_test", test, at, statistic="sign test", unit="%",
        family=f"{FAMILY}{'.' + case.by if case.by else ''}", **by_verdict(short),
    )  # fmt: skip
    all_of_them = computed(
        statistics.win_tie_loss, ratings.sign.astype(float), clusters=case.sheet.clusters[ratings.item],
        confidence=case.confidence, tie_rule=tie_rule(case),
    )  # fmt: skip
    kept = ratings.only(ratings.sign != 0) if tie_rule(case) == "drop" else ratings
    n, sign = len(kept.sign), kept.sign.astype(float)
    won = (sign + 1) / 2 if tie_rule(case) == "half" else (sign > 0).astype(float)
    success = case.for_raters(_part(all_of_them, "success_rate"), won, kept.item, kept.who, (0.0, 1.0))
    gain = case.for_raters(_part(all_of_them, "net_gain"), sign, kept.item, kept.who, (-1.0, 1.0))
    yield case.finding(
        "success_rate.rating", success, at, statistic="success rate", unit="%",
        counted=(int((ratings.sign > 0).sum()), n) if whole else None,
        **by_rating(Message("Success rate (RSR) by rating")),
    )  # fmt: skip
    yield case.finding(
        "net_gain.rating", gain, at, statistic="net gain", unit="points",
        **by_rating(Message("Net gain by rating")),
    )  # fmt: skip
    if case.sheet.question.tie_value() is None:
        return
    tied = (ratings.sign == 0).astype(float)
    ties = case.for_raters(_part(all_of_them, "tie_rate"), tied, ratings.item, ratings.who, (0.0, 1.0))
    yield case.finding(
        "tie_rate", ties, at, statistic="tie rate", unit="%",
        counted=(int((ratings.sign == 0).sum()), len(ratings.sign)), **by_rating(Message("Ties among ratings")),
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
        pairs = dict.fromkeys((one.question, one.systems) for one in found if one.systems)
        several = len({question for question, _ in pairs}) > 1
        rows = []
        for question, systems in pairs:
            mine = [first(found, question=question, systems=systems, what=what) for what in BALANCE]
            rows.append(((*([part.title_of(question, part.section.id)] if several else []), *systems), mine))
        caption = Message("How evenly the two systems of a pair stood left and right in the ratings that count.")
        heads = ((Message("Question"),) if several else ()) + PAIR + tuple(BALANCE.values())
        yield pivot(part.key("balance"), Message("Balance of sides"), caption, heads, rows, further=True)

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
            whole = Sentences((side, drawn))
            if len(known) > 1:
                title = told.title_of(one.question, one.section)
                yield Message("“{question}”: {sentence}", question=title, sentence=whole, rests_on=[one])
            else:
                yield Message("{sentence}", sentence=whole, rests_on=[one])


def _bias(case: Case, ratings: Compared) -> Finding:
    """Does the side matter? The share of decided ratings that took the left one."""
    took_left = np.where(ratings.on_left, ratings.sign, -ratings.sign)
    found = computed(
        statistics.position_bias, took_left.astype(float), clusters=case.sheet.clusters[ratings.item],
        confidence=case.confidence,
    )  # fmt: skip
    return case.finding(
        "position_bias", _part(found, "first_chosen"), statistic="position bias", unit="%",
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
            groups = case.sheet.item_clusters
            share = case.share(tied, clusters=None if groups is None else groups[ratings.item[mine]])
            yield case.finding(
                "ties_of_rater", share, (rater,), statistic="tie rate", unit="%",
                label=clustered(case, Message("Ties of {rater}", rater=rater)), raters=(rater,),
                counted=(int(tied.sum()), int(mine.sum())), rows=f"{RAW} [annotator_id = {rater}]",
            )  # fmt: skip


def outcomes(case: Case) -> Iterator[Listing]:
    """Wins, losses and, where there can be any, ties of each pair by verdict, and how the verdicts came about."""
    ratings, status = compared(case), case.verdicts.status
    rows = []
    signs_of = (1, 0, -1) if case.sheet.question.tie_value() is not None else (1, -1)
    ways = range(len(STATUSES)) if case.rule.out_of > 1 else ()
    for place, pair in enumerate(ratings.pairs):
        signs, among = verdict_signs(case.verdicts, ratings.of(place), *pair)
        known = among & case.verdicts.known
        counts = [int((known & (signs == sign)).sum()) for sign in signs_of]
        rows.append((*pair, *counts, *(int((among & (status == at)).sum()) for at in ways)))
    if rows:
        heads = {1: Message("Wins"), 0: Message("Ties"), -1: Message("Losses")}
        further = Message("Third rater") if case.calls_a_third else Message("Further raters")
        came = (Message("Agreed"), further, Message("Adjudicated"), Message("Ambiguous"))
        told = Message("Verdicts on each pair of systems: the one answer to each item.")
        if ways:
            told = Message("Verdicts on each pair of systems, and how they came about: one verdict an item.")
        yield Listing(
            f"{case.sheet.section}.{case.sheet.id}.outcomes", "outcomes", case.sheet.section, case.sheet.id,
            Message("Verdicts on each pair"), told,
            (*PAIR, *(heads[sign] for sign in signs_of), *(came if ways else ())), tuple(rows),
        )  # fmt: skip


def _part(found: Any, name: str) -> Estimate:
    return found if isinstance(found, Estimate) else replace(getattr(found, name))


# What is said and drawn of it.


def _of_two(part: Part, found: Sequence[Finding]) -> Iterator[Message]:
    """How often one of the two systems was preferred to the other, of all ratings."""
    rate, gain, ties = (
        first(found, statistic=statistic, reading="rating") for statistic in ("success rate", "net gain", "tie rate")
    )
    if rate is None or gain is None or not rate.is_known:
        return
    one, other = rate.systems
    told = Message(
        "“{one}” was preferred to “{other}” in {share} of the ratings, a net gain of {gain}.", one=one, other=other,
        share=in_text(rate), gain=in_text(gain), rests_on=[rate, gain],
    )  # fmt: skip
    if ties is not None:
        tied = Message("{share} of the ratings were ties.", share=value_of(ties), rests_on=[ties])
        yield part.about(rate, Sentences((told, tied)))
    else:
        yield part.about(rate, told)


def _only_pair(part: Part, found: Sequence[Finding]) -> Table:
    """The one pair of the study: a row a figure."""
    title, systems = Message("Preference"), found[0].systems
    if not systems:
        return part.table("preference", title, Message("No pair of systems has been compared yet."), found)
    caption = Message("How often “{one}” won against “{other}”.", one=systems[0], other=systems[1])
    return part.short_table("preference", title, caption, found)


def _pairs(part: Part, found: Sequence[Finding], pairs: Sequence[tuple[str, tuple[str, ...]]], many: bool) -> Table:
    """Every pair of systems: a row each."""
    several = len({question for question, _ in pairs}) > 1
    rows = []
    for question, systems in pairs:
        mine = list(select(found, question=question, systems=systems))
        test = first(mine, statistic="sign test")
        p = Cell(p_value(test.p_adjusted), id=test.id) if test is not None else None
        figures = [first(mine, statistic=statistic, reading=reading) for statistic, reading in COLUMNS]
        names = systems or ("–", "–")
        rows.append(((*([part.title_of(question, part.section.id)] if several else []), *names), [*figures, p]))
    heads = ((Message("Question"),) if several else ()) + PAIR + tuple(COLUMNS.values())
    caption = Message(
        "Each pair of systems: how often the first won (RSR) and its wins minus losses. p: the exact sign test on "
        "verdicts, corrected within its family of tests."
    )
    title = Message("Preference by pair of systems")
    return pivot(part.key("preference"), title, caption, (*heads, "p"), rows, further=many)


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
