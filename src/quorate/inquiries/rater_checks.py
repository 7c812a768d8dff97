"""How raters work: pace, change over the session, agreement with the others. These flag; they exclude nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from quorate import statistics
from quorate.exhibits import charts
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import heading, pivot
from quorate.exhibits.numbers import in_text
from quorate.findings.results import Finding, first, select
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.compared import sides_taken
from quorate.messages import Message, Text
from quorate.records import Estimate
from quorate.sheets.case import RAW, Case, computed, named
from quorate.sheets.choices import is_by_pair

#: Beyond this many raters each one's figure is a table that nobody reads.
MOST_RATERS = 40
#: Into how many parts of a rater's work the picture of the pace falls.
PARTS = 8
#: A line through fewer points than these is no picture of a pace.
FEWEST_POINTS = 4

WITH_THE_REST, SECONDS, FAST, DRIFT, AGAIN = (
    "agreement with the rest", "median seconds", "too fast", "drift", "straight-lining"
)  # fmt: skip


class RatersAtWork(Inquiry):
    """What each rater did, beside the others."""

    name = "raters at work"
    title = Message("Raters at work")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """Two answers can be the same answer; or it is the question of a section under which its pace is told."""
        return _is_shared(case) or _is_first(case)

    def find(self, case: Case) -> Iterator[Finding]:
        """Agreement with the others, pace, and answers that repeat the one before."""
        if _is_shared(case):
            yield from _with_the_rest(case)
        if _is_first(case):
            yield from _pace(case)
        if _is_same_everywhere(case):
            yield from _same_again(case)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """A row a rater, and the pace along the session; all of it in the supplement."""
        found = part.of(self.name)
        caption = Message("What each rater did, beside the others. No figure here excludes anybody by itself.")
        if part.protocol.raters.exclude is not None:
            caption = Message(
                "What each rater did, beside the others. No figure here excludes anybody, except as the protocol’s "
                "rule says."
            )
        columns = list(_columns(part))
        who = dict.fromkeys(rater for _, column in columns for rater in column)
        rows = [(rater, [column.get(rater) for _, column in columns]) for rater in who]
        heads = (Message("Rater"), *(name for name, _ in columns))
        yield pivot(part.key("rater_checks"), self.title, caption, heads, rows, further=True)
        points = over_time(part.cases[0]) if part.cases else []
        if len(points) >= FEWEST_POINTS:
            drawn = _along(points, part)
            yield part.drawing("time", drawn, _caption(first(found, statistic=DRIFT), len(points)), further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What is looked at, as far as it was found."""
        known = told.known(inquiry=self.name)
        beside = Message(
            "What each rater did is told beside the others; none of these figures excludes anybody by itself."
        )
        if told.protocol.raters.exclude is not None:
            beside = Message(
                "What each rater did is told beside the others; none of these figures excludes anybody, except as the "
                "protocol’s rule says."
            )
        looked = (WITH_THE_REST, SECONDS, AGAIN)
        yield from resting(beside, [one for one in known if one.statistic in looked])
        fast = Message("An answer counts as too fast below three tenths of the median of raters’ median times.")
        yield from resting(fast, select(known, statistic=FAST))


def _is_shared(case: Case) -> bool:
    return bool(case.sheet.question.readings()) and case.per_item > 1


def _is_first(case: Case) -> bool:
    """The time is the assignment's, so it is read off the first question alone."""
    return case.protocol.section(case.sheet.section).ask[0].id == case.sheet.id


def _is_same_everywhere(case: Case) -> bool:
    """The first question, where every item offers the same categories and none of them is right."""
    question = case.sheet.question
    if not _is_first(case) or not question.readings() or question.is_scored() or question.rates_each():
        return False
    return not question.depends_on_item(question.verdict_on() or question.readings()[0])


def _with_the_rest(case: Case) -> Iterator[Finding]:
    """Each rater's agreement with the others who rated the same items."""
    sheet = case.sheet
    if not 2 <= len(sheet.raters) <= MOST_RATERS:
        return
    reading = sheet.reading(sheet.question.verdict_on() or sheet.question.readings()[0])
    table = reading.by_rater(sheet.n_items, len(sheet.raters))
    read = named(table, reading.labels, reading.declared, sheet.item_clusters)
    found = computed(statistics.agreement_with_rest, read, confidence=case.confidence)
    for place, rater in enumerate(sheet.raters, 1):
        if isinstance(found, Estimate):
            share = found
        else:
            alone = Message("{rater} shares no item with anybody", rater=rater)
            share = found.agreement.get(place, Estimate.undefined(alone, confidence=case.confidence))
        yield case.found(
            WITH_THE_REST, share, raters=(rater,), label=Message("{rater}: agreement with the others", rater=rater),
            unit="%", rows=f"{RAW} [annotator_id = {rater}, ≠ {rater}]",
        )  # fmt: skip


def _pace(case: Case) -> Iterator[Finding]:
    """Each rater's median seconds an item, and how the time changes from item to item."""
    rows, seconds = case.sheet.people, case.sheet.seconds()
    if np.isnan(seconds).all():
        return
    if len(case.sheet.raters) <= MOST_RATERS:
        found = computed(statistics.speed, seconds, rows.who, confidence=case.confidence)
        medians = {} if isinstance(found, Estimate) else found.median_seconds
        for place, median in sorted(medians.items()):
            rater = case.sheet.raters[place]
            yield case.found(
                SECONDS, median, raters=(rater,), label=Message("{rater}: median seconds an item", rater=rater),
                rows=f"presentations.csv: seconds [annotator_id = {rater}]",
            )  # fmt: skip
        fast = {} if isinstance(found, Estimate) else found.too_fast
        for place, share in sorted(fast.items()):
            rater = case.sheet.raters[place]
            yield case.found(
                FAST, share, raters=(rater,), unit="%", rows=f"presentations.csv: seconds [annotator_id = {rater}]",
                label=Message("{rater}: answers too fast to have been considered", rater=rater),
            )  # fmt: skip
    positions = np.array(rows.column("position"), float)
    slope = computed(statistics.drift, seconds, positions, rows.who, confidence=case.confidence)
    yield case.found(
        DRIFT, slope if isinstance(slope, Estimate) else slope.overall, what="seconds",
        label=Message("Change of seconds with each further item"), rows="presentations.csv: seconds, position",
    )  # fmt: skip


def _same_again(case: Case) -> Iterator[Finding]:
    """How often each rater gives the answer that the rater gave to the item before, with p against a random order.

    Where systems differ by item it is the side that may come again.
    """
    sheet = case.sheet
    if not 1 <= len(sheet.raters) <= MOST_RATERS:
        return
    reading = sheet.reading(sheet.question.verdict_on() or sheet.question.readings()[0])
    positions = np.array(sheet.people.column("position"), float)
    by_pair = is_by_pair(sheet)
    code = sides_taken(sheet) if by_pair else reading.code
    found = computed(statistics.straight_lining, code, reading.who, positions, confidence=case.confidence)
    repeated = {} if isinstance(found, Estimate) else found.repeated
    for place, share in sorted(repeated.items()):
        rater = sheet.raters[place]
        if rater in sheet.from_files:
            # A file does not say in which order its rows were answered.
            continue
        label = Message("{rater}: answers that repeat the one before", rater=rater)
        if by_pair:
            label = Message("{rater}: sides that repeat the one before", rater=rater)
        yield case.found(
            AGAIN, share, raters=(rater,), what="side" if by_pair else "", unit="%", label=label,
            rows=f"{RAW} [annotator_id = {rater}]; presentations.csv: position",
        )  # fmt: skip


def _columns(part: Part) -> Iterator[tuple[Text, Mapping[str, Finding]]]:
    """What the table of raters tells, a column each; what is found of several questions has a column for each."""
    here = [one for one in part.results.select(section=part.section.id, by="", round=1) if len(one.raters) == 1]
    names = {
        WITH_THE_REST: Message("Agreement with the others"), "accuracy": Message("Accuracy"),
        "tie rate": Message("Ties"), SECONDS: Message("Median seconds an item"), FAST: Message("Too fast"),
        AGAIN: Message("Same as the answer before"),
    }  # fmt: skip
    for statistic, name in names.items():
        mine = [one for one in select(here, statistic=statistic) if one.what in ("", "side")]
        if any(one.what == "side" for one in mine):
            name = Message("Same side as before")
        questions = dict.fromkeys(one.question for one in mine)
        for question in questions:
            several = Message("{what}: {question}", what=name, question=heading(question))
            own = {one.raters[0]: one for one in select(mine, question=question)}
            yield several if len(questions) > 1 else name, own


def _caption(slope: Finding | None, n: int) -> Message:
    """What the picture of the pace shows, and by how much the pace changes."""
    if slope is None or not slope.is_known:
        return Message("Median seconds an item, in {n} parts of the raters’ work.", n=n)
    return Message(
        "Median seconds an item, in {n} parts of the raters’ work; the time changes by {slope} s with each further "
        "item.",
        n=n, slope=in_text(slope), rests_on=[slope],
    )  # fmt: skip


def over_time(case: Case) -> list[tuple[float, float]]:
    """Position (the middle of a part of the session) and median seconds there; each part has about as many answers."""
    rows = case.sheet.people
    if not len(rows):
        return []
    positions, seconds = np.array(rows.column("position"), float), case.sheet.seconds()
    edges = np.unique(np.quantile(positions, np.linspace(0, 1, PARTS + 1)))
    found = []
    for low, high in pairwise(edges):
        here = (positions >= low) & ((positions < high) | (high == edges[-1]))
        if here.any() and not np.isnan(seconds[here]).all():
            found.append((float((low + high) / 2), float(np.nanmedian(seconds[here]))))
    return found


def _along(points: list[tuple[float, float]], part: Part) -> str:
    """Median seconds along the session."""
    across, up = Message("position in the rater’s work"), Message("median seconds an item")
    return charts.over_time(points, part.say(across), part.say(up))
