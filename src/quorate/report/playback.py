"""The data file of plays: what browsers counted of every clip that had to be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from quorate.inquiries.playback import Clip, played
from quorate.protocol import Protocol
from quorate.records import Reason
from quorate.sheets.sheet import Sheet

COLUMNS = (
    *("section", "item", "annotator_id", "system", "clip", "full_plays", "full_plays_together", "asked", "reached"),
    *("failures", "media_failed", "seeks", "hidden", "seconds"),
)
"""Of the data file that holds the plays: one row a clip and answer."""


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


def seconds_of(sheet: Sheet) -> list[float | None]:
    """For how long each planned answer's item was in sight; nothing where nobody knows."""
    return [None if np.isnan(seconds) else seconds for seconds in sheet.seconds().tolist()]
