"""Were clips played as the protocol asks? What browsers report of plays, failures, jumps and time in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import value_of
from quorate.findings.names import plain
from quorate.findings.results import Finding, first, select
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.rater_checks import MOST_RATERS
from quorate.languages import noted
from quorate.media import ToPlay, to_play
from quorate.messages import Message, Sentences
from quorate.protocol import Protocol, Section
from quorate.records import Answer, Estimate, Evidence, Reason
from quorate.sheets.case import Case, computed, without
from quorate.sheets.columns import Bools, Floats, Ints
from quorate.sheets.sheet import Sheet

FILE = "playback.csv"
NO_REPORT = noted("no report from a browser")
REACHED, FAILURES, JUMPS, IN_SIGHT = "reached", "failures", "jumps", "in_sight"
SHARES = (REACHED, FAILURES, JUMPS)

FULL_PLAY = Message(
    "A full play covers 98% of a clip while the page is in sight, at no more than the clip’s own speed; browsers "
    "count them."
)


class Playback(Inquiry):
    """Full plays over all answers, of each system and by each rater; failures, jumps and the time in sight."""

    name = "playback"
    title = Message("Playback")
    is_detail = True

    def fits(self, case: Case) -> bool:
        """It is the question of a section under which its playback is told: the first, where clips are owed."""
        section = case.protocol.section(case.sheet.section)
        if section.ask[0].id != case.sheet.id or not len(case.sheet.sent):
            return False
        media = media_of(section)
        return any(medium.asks_for_plays for medium in media) and any(to_play(media, item) for item in case.sheet.items)

    def find(self, case: Case) -> Iterator[Finding]:
        """Shares of answers and of each system's clips, the time in sight, and the same of each rater."""
        rows = played(case.sheet, case.protocol.section(case.sheet.section))
        yield from _shares(case, rows)
        yield from _systems(case, rows)
        yield case.found(
            "median seconds", _median(case, rows.seconds), what=IN_SIGHT, rows=f"{FILE}: seconds",
            label=Message("Median seconds in sight an answer"),
        )  # fmt: skip
        if len(case.sheet.sent.names) <= MOST_RATERS:
            yield from _raters(case, rows)

    def each(self, part: Case) -> Iterator[Finding]:
        """The shares of answers in each stratum."""
        return _shares(part, played(part.sheet, part.protocol.section(part.sheet.section)))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Over all answers and of each system; in the supplement by stratum and by rater."""
        found = part.of(self.name)
        whole = [one for one in found if not one.raters]
        if not whole:
            return
        yield part.table("playback", self.title, _caption(whole), whole)
        heads: tuple[Message, ...] = (Message("Full plays"), Message("Failures"), Message("Jumps"))
        for by in fields(part.protocol):
            here = part.in_strata(self.name, by=by)
            columns = [(head, list(select(here, what=what))) for head, what in zip(heads, SHARES, strict=True)]
            title = Message("Playback by {field}", field=plain(by))
            caption = Message("Shares of answers by {field}.", field=plain(by))
            yield from part.by_stratum("playback", by, title, caption, columns, further=True)
        who = dict.fromkeys(one.raters for one in found if one.raters)
        of_each = [
            (rater, [first(found, what=what, raters=(rater,)) for what in (*SHARES, IN_SIGHT)]) for (rater,) in who
        ]
        caption = Message(
            "Playback of each rater: shares of answers, and the median time for which an item was in sight."
        )
        heads = (Message("Rater"), *heads, Message("Median seconds in sight"))
        yield pivot(part.key("playback_raters"), Message("Playback by rater"), caption, heads, of_each, further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """What a full play is, and before how many answers it was done."""
        reached = told.results.select(inquiry=self.name, what=REACHED, by="", systems=(), raters=())
        k, n = (sum(one.counted[place] for one in reached if one.counted) for place in (0, 1))
        if n:
            yield FULL_PLAY
            yield Message(
                "By what browsers report, every clip had been played in full as often as asked before {k} of {n} "
                "answers.",
                k=k, n=n, rests_on=reached,
            )  # fmt: skip

    def limits(self, told: Told) -> Iterator[Message]:
        """How many answers came before the clips had been played as asked."""
        for one in told.known(inquiry=self.name, what=REACHED, by="", systems=(), raters=()):
            done, of = one.counted or (0, 0)
            early = Message(
                "{k} of {n} answers were given although, by what browsers report, not every clip had been played in "
                "full as often as asked.",
                k=of - done, n=of,
            )  # fmt: skip
            yield from resting(early, [one] if done < of else ())


def plays_asked(protocol: Protocol, section: Section) -> int:
    """How many full plays a section asks for at most; 0 where it asks for none."""
    media = media_of(section)
    if not any(medium.asks_for_plays for medium in media):
        return 0
    return max((one.times for item in protocol.pool for one in to_play(media, item)), default=0)


@dataclass(frozen=True, slots=True)
class Clip:
    """One clip that a rater had to play: how often it was played in full, and how often it should have been."""

    answer: Answer
    asked: ToPlay
    alone: int
    together: int
    evidence: Evidence

    @property
    def is_reached(self) -> bool:
        """Whether it was played as often as asked."""
        return self.asked.is_done(self.alone, self.together)


@dataclass(frozen=True, eq=False)
class Played:
    """Answered assignments with clips to play, a row each; `clips` are the same by clip, with their rows' places."""

    item: Ints
    who: Ints
    reached: Bools
    failed: Bools
    jumped: Bools
    seconds: Floats
    clips: tuple[Clip, ...]
    clip_row: Ints
    unreported: int


def media_of(section: Section) -> list[Any]:
    """What a section shows."""
    return [show.part for show in section.show]


def played(sheet: Sheet, section: Section) -> Played:
    """What browsers report of every assignment that was answered, or sent in without an answer."""
    media = media_of(section)
    asked = [to_play(media, item) for item in sheet.items]
    clips: list[Clip] = []
    rows: list[tuple[int, int, bool, bool, bool, float]] = []
    places: list[int] = []
    unreported = 0
    for answer, item, who in zip(sheet.sent.answers, sheet.sent.item.tolist(), sheet.sent.who.tolist(), strict=True):
        known = sheet.evidence.get((answer.item, answer.rater))
        if not asked[item]:
            continue
        if known is None:
            unreported += 1
            continue
        mine = [Clip(answer, one, *known.plays.get(one.path, (0, 0)), known) for one in asked[item]]
        failed = known.failures > 0 or answer.reason is Reason.MEDIA_FAILED
        visible = np.nan if known.visible is None else known.visible
        places += [len(rows)] * len(mine)
        rows.append((item, who, all(clip.is_reached for clip in mine), failed, known.seeks > 0, visible))
        clips += mine
    columns = [np.array(column) for column in zip(*rows, strict=True)] if rows else [np.zeros(0)] * 6
    item_of, who_of, reached, failed_of, jumped, seconds = columns
    return Played(
        item_of.astype(np.int64), who_of.astype(np.int64), reached.astype(bool), failed_of.astype(bool),
        jumped.astype(bool), seconds.astype(float), tuple(clips), np.array(places, np.int64), unreported,
    )  # fmt: skip


def _shares(case: Case, rows: Played) -> Iterator[Finding]:
    told = (
        (REACHED, rows.reached, Message("Answers after all clips were played in full as often as asked"), "reached"),
        (FAILURES, rows.failed, Message("Answers to which a clip failed to load or to play"), "failures"),
        (JUMPS, rows.jumped, Message("Answers during which a rater jumped within a clip"), "seeks"),
    )
    for what, hits, label, column in told:
        share = case.share_of_answers(hits, rows.item)
        yield case.found(
            "playback", without(share, {NO_REPORT: rows.unreported}), what=what, label=label, unit="%",
            counted=(int(hits.sum()), len(hits)), rows=f"{FILE}: {column}",
        )  # fmt: skip


def _systems(case: Case, rows: Played) -> Iterator[Finding]:
    """Of each system's clips, those that were played as often as asked."""
    systems = np.array([clip.asked.system for clip in rows.clips], object)
    reached = np.array([clip.is_reached for clip in rows.clips], bool)
    for system in sorted(set(systems.tolist()) - {""}):
        mine = systems == system
        yield case.found(
            "playback", case.share_of_answers(reached[mine], rows.item[rows.clip_row[mine]]), what=REACHED,
            systems=(system,), label=Message("{system}: clips played in full as often as asked", system=system),
            unit="%", counted=(int(reached[mine].sum()), int(mine.sum())), rows=f"{FILE}: reached [system = {system}]",
        )  # fmt: skip


def _median(case: Case, seconds: Floats) -> Estimate:
    found = computed(statistics.speed, seconds, confidence=case.confidence)
    return found if isinstance(found, Estimate) else found.median_seconds[1]


def _raters(case: Case, rows: Played) -> Iterator[Finding]:
    told: Sequence[tuple[str, Bools, Message]] = (
        (REACHED, rows.reached, Message("{rater}: answers after full plays")),
        (FAILURES, rows.failed, Message("{rater}: answers with a failure")),
        (JUMPS, rows.jumped, Message("{rater}: answers with a jump")),
    )
    for place, rater in enumerate(case.sheet.sent.names):
        mine = rows.who == place
        for what, hits, label in told:
            share = case.share(hits[mine], clusters=case.sheet.clusters_of(rows.item[mine]))
            yield case.found(
                "playback", share, what=what, raters=(rater,), label=label.having(rater=rater), unit="%",
                counted=(int(hits[mine].sum()), int(mine.sum())), rows=f"{FILE} [annotator_id = {rater}]",
            )  # fmt: skip
        yield case.found(
            "median seconds", _median(case, rows.seconds[mine]), what=IN_SIGHT, raters=(rater,),
            label=Message("{rater}: median seconds in sight", rater=rater),
            rows=f"{FILE}: seconds [annotator_id = {rater}]",
        )  # fmt: skip


def _caption(found: Sequence[Finding]) -> Sentences:
    reached = next(select(found, what=REACHED, systems=()))
    share = Message("Whether clips were played as often as the protocol asks.")
    if reached.is_known:
        share = Message("In {share} of the answers every clip had been played in full as often as asked.")
    return Sentences((share.having(share=value_of(reached)).because(reached), FULL_PLAY))
