"""The playback of clips in the report: what browsers counted, over all answers, by stratum and by rater."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from quorate.exhibits.breakdowns import fields, pivot
from quorate.exhibits.numbers import value_of
from quorate.exhibits.tables import Table, metrics, scoped
from quorate.findings.results import Finding, Results, first, select
from quorate.inquiries.playback import PLAYBACK, RATERS, Clip, played
from quorate.languages import capital
from quorate.media import to_play
from quorate.protocol import Protocol, Section
from quorate.records import Reason
from quorate.sheets.sheet import Sheet

COLUMNS = (
    *("section", "item", "annotator_id", "system", "clip", "full_plays", "full_plays_together", "asked", "reached"),
    *("failures", "media_failed", "seeks", "hidden", "seconds"),
)
"""Of the data file that holds the plays: one row a clip and answer."""

FULL_PLAY = (
    "A full play covers 98% of a clip while the page is in sight, at no more than the clip’s own speed; browsers "
    "count them."
)


def playback_rows(protocol: Protocol, filled: Iterable[Sheet]) -> Iterator[list[Any]]:
    """Every clip that had to be played before an answer, and what the browser reports of it."""
    for sheet in filled:
        section = protocol.section(sheet.section)
        if sheet.id == section.ask[0].id and len(sheet.sent):
            yield from (_row(clip) for clip in played(sheet, section).clips)


def _row(clip: Clip) -> list[Any]:
    answer, asked, seen = clip.answer, clip.asked, clip.evidence
    head = [answer.section, answer.item, answer.rater, asked.system or None, asked.path]
    plays = [clip.alone, clip.together, asked.times, clip.is_reached]
    failed = answer.reason is Reason.MEDIA_FAILED
    return [*head, *plays, seen.failures, failed, seen.seeks, seen.hidden, seen.visible]


def asks_for_plays(protocol: Protocol, section: Section) -> int:
    """How many full plays a section asks for at most; 0 where it asks for none."""
    media = [show.part for show in section.show]
    if not any(medium.asks_for_plays for medium in media):
        return 0
    return max((one.times for item in protocol.pool for one in to_play(media, item)), default=0)


def playback_tables(protocol: Protocol, results: Results, section: Section, scope: str | None) -> Iterator[Table]:
    """Over all answers with each system, then by stratum, then by rater."""
    whole = results.group(PLAYBACK, section.id)
    if not whole:
        return
    yield metrics(results, PLAYBACK, "Playback", _caption(whole), section=scope)
    for by in fields(protocol):
        parts = [f for f in results.parts(PLAYBACK, section.id) if f.by == by]
        strata = dict.fromkeys(f.stratum for f in parts)
        rows = [(stratum, [_of(parts, name, stratum) for name in _SHARES]) for stratum in strata]
        name = by.replace("_", " ")
        heads = (capital(name), "Full plays", "Failures", "Jumps")
        key, caption = scoped(f"playback_by_{by}", scope), f"Shares of answers by {name}."
        yield pivot(key, f"Playback by {name}", caption, heads, rows)
    yield _by_rater(results, section, scope)


_SHARES = ("reached", "failures", "jumps")


def _of(found: Iterable[Finding], name: str, stratum: str) -> Finding | None:
    return first(found, stratum=stratum, what=name, systems=())


def _by_rater(results: Results, section: Section, scope: str | None) -> Table:
    found = results.group(RATERS, section.id)
    names = (*_SHARES, "seconds")
    raters = dict.fromkeys(f.raters for f in found)
    rows = [(who, [first(found, what=name, raters=(who,)) for name in names]) for (who,) in raters]
    heads = ("Rater", "Full plays", "Failures", "Jumps", "Median seconds in sight")
    caption = "Playback of each rater: shares of answers, and the median time for which an item was in sight."
    return pivot(scoped("playback_raters", scope), "Playback by rater", caption, heads, rows)


def _caption(found: Iterable[Finding]) -> str:
    reached = next(select(found, what="reached", systems=()))
    if reached.estimate.value is None:
        return f"Whether clips were played as often as the protocol asks. {FULL_PLAY}"
    return f"In {value_of(reached)!s} of the answers every clip had been played in full as often as asked. {FULL_PLAY}"


def methods_sentence(protocol: Protocol, results: Results) -> str:
    """What the methods say of plays; nothing where no section asks for any."""
    times = max((asks_for_plays(protocol, section) for section in protocol.sections), default=0)
    if not times:
        return ""
    often = {1: "once", 2: "twice"}.get(times, f"{times} times")
    text = f"Every clip to be rated had to be played in full at least {often} before an answer was taken. {FULL_PLAY}"
    shares = select(results.group(PLAYBACK), what="reached", systems=())
    reached = [finding.counted for finding in shares if finding.counted]
    k, n = sum(count for count, _ in reached), sum(of for _, of in reached)
    return f"{text} By what browsers report it was done before {k:,} of {n:,} answers." if n else text


def seconds_of(sheet: Sheet) -> list[float | None]:
    """For how long each planned answer's item was in sight; nothing where nobody knows."""
    return [None if np.isnan(seconds) else seconds for seconds in sheet.seconds().tolist()]
