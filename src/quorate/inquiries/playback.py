"""Were clips played as the protocol asks? What browsers report of plays, failures, jumps and time in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quorate import statistics
from quorate.findings.results import Finding
from quorate.inquiries.rater_checks import MOST_RATERS
from quorate.media import ToPlay, to_play
from quorate.protocol import Section
from quorate.records import Answer, Estimate, Evidence, Reason
from quorate.sheets.case import Case, computed, without
from quorate.sheets.columns import Bools, Floats, Ints
from quorate.sheets.sheet import Sheet

PLAYBACK, RATERS = "playback", "playback of each rater"
FILE = "playback.csv"
NO_REPORT = "no report from a browser"


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


def asks_for_plays(case: Case) -> bool:
    """Whether this is the question of a section under which its playback is told: the first, where clips are owed."""
    section = case.protocol.section(case.sheet.section)
    if section.ask[0].id != case.sheet.id or not len(case.sheet.sent):
        return False
    media = media_of(section)
    return any(medium.asks_for_plays for medium in media) and any(to_play(media, item) for item in case.sheet.items)


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


def playback(case: Case) -> Iterator[Finding]:
    """Full plays over all answers, of each system and by each rater; failures, jumps and the time in sight."""
    rows = played(case.sheet, case.protocol.section(case.sheet.section))
    yield from _shares(case, rows)
    if case.by:
        return
    yield from _systems(case, rows)
    yield _visible(case, rows.seconds)
    if len(case.sheet.sent.names) <= MOST_RATERS:
        yield from _raters(case, rows)


def _shares(case: Case, rows: Played) -> Iterator[Finding]:
    told = (
        ("reached", rows.reached, "Answers after all clips were played in full as often as asked", "reached"),
        ("failures", rows.failed, "Answers to which a clip failed to load or to play", "failures"),
        ("jumps", rows.jumped, "Answers during which a rater jumped within a clip", "seeks"),
    )
    for name, hits, label, column in told:
        share = case.share_of_answers(hits, rows.item)
        yield case.finding(
            f"playback.{name}", without(share, {NO_REPORT: rows.unreported}), statistic="playback", unit="%", what=name,
            group=PLAYBACK, label=label, counted=(int(hits.sum()), len(hits)), rows=f"{FILE}: {column}",
        )  # fmt: skip


def _systems(case: Case, rows: Played) -> Iterator[Finding]:
    """Of each system's clips, those that were played as often as asked."""
    systems = np.array([clip.asked.system for clip in rows.clips], object)
    reached = np.array([clip.is_reached for clip in rows.clips], bool)
    for system in sorted(set(systems.tolist()) - {""}):
        mine = systems == system
        share = case.share_of_answers(reached[mine], rows.item[rows.clip_row[mine]])
        yield case.finding(
            "playback.reached.system", share, (system,), statistic="playback", unit="%", group=PLAYBACK,
            what="reached", systems=(system,),
            label=f"{system}: clips played in full as often as asked", rows=f"{FILE}: reached, system {system}",
            counted=(int(reached[mine].sum()), int(mine.sum())),
        )  # fmt: skip


def _visible(case: Case, seconds: Floats) -> Finding:
    return case.finding(
        "playback.seconds", _median(case, seconds), statistic="median seconds", group=PLAYBACK, what="seconds",
        label="Median seconds in sight an answer", rows=f"{FILE}: seconds",
    )  # fmt: skip


def _median(case: Case, seconds: Floats) -> Estimate:
    found = computed(statistics.speed, seconds, confidence=case.confidence)
    return found if isinstance(found, Estimate) else found.median_seconds[1]


def _raters(case: Case, rows: Played) -> Iterator[Finding]:
    for place, rater in enumerate(case.sheet.sent.names):
        mine = rows.who == place
        words: dict[str, Any] = {"group": RATERS, "raters": (rater,)}
        told: Sequence[tuple[str, Bools, str]] = (
            ("reached", rows.reached[mine], "answers after full plays"),
            ("failures", rows.failed[mine], "answers with a failure"),
            ("jumps", rows.jumped[mine], "answers with a jump"),
        )
        for name, hits, label in told:
            groups = case.sheet.item_clusters
            share = case.share(hits, clusters=None if groups is None else groups[rows.item[mine]])
            yield case.finding(
                f"playback.{name}.rater", share, (rater,), label=f"{rater}: {label}", statistic="playback", unit="%",
                what=name, counted=(int(hits.sum()), int(mine.sum())), rows=f"{FILE}: annotator {rater}", **words,
            )  # fmt: skip
        yield case.finding(
            "playback.seconds.rater", _median(case, rows.seconds[mine]), (rater,), statistic="median seconds",
            what="seconds", label=f"{rater}: median seconds in sight", rows=f"{FILE}: seconds of annotator {rater}",
            **words,
        )  # fmt: skip
