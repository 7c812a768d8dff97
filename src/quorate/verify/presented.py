"""Did browsers show what was drawn? Each submission comes with the report of its page, which is held against the plan.

What is compared is what the protocol and the recorded claims re-derive, not what the assignment's row says. A page
without a script reports nothing, nor does an imported file: then there is nothing to compare.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quorate.chance import opaque
from quorate.collect.evidence import DAY, SHORT
from quorate.collect.practice import practice_shown
from quorate.collect.way import practice_items
from quorate.media import PairBase
from quorate.protocol import Protocol, Section
from quorate.records import Answer, Assignment, Item, Shown
from quorate.store import Report
from quorate.verify.claims import of
from quorate.verify.findings import Finding
from quorate.verify.plan import section_of
from quorate.verify.rows import Place, Rows, place_of

Stored = Mapping[tuple[str, Place, int], Sequence[Answer]]
"""Raters' answers by rater, place in the plan and revision."""


def is_of_a_browser(report: Report) -> bool:
    """Whether a browser sent it: what came from a file names the file in its place."""
    return isinstance(report.evidence, dict) and bool(report.evidence) and "imported" not in report.evidence


def check_presented(protocol: Protocol, rows: Rows, drawn: Mapping[str, Assignment]) -> Iterator[Finding]:
    """Every report is there and shows the item, the sides and the options that are drawn for its place.

    `drawn` are the assignments as the claims make them, by id.
    """
    stored: dict[tuple[str, Place, int], list[Answer]] = defaultdict(list)
    for answer in rows.answers:
        if answer.by == "rater":
            stored[answer.rater, place_of(answer), answer.revision].append(answer)
    seen: dict[str, int] = defaultdict(int)
    known = set()
    for report in rows.reports:
        seen[report.assignment] += 1
        place = (report.section, report.item, report.round, report.repeat)
        key = (report.rater, place, seen[report.assignment])
        known.add(key)
        where = f"submission {report.seq} ({report.rater}, {report.section}, position {report.position})"
        yield from _check_there(where, report, stored.get(key, ()), rows)
        mine, answers = drawn.get(report.assignment), stored.get(key, [])
        # What an earlier protocol showed is not known any more.
        is_known = all(answer.protocol == protocol.collection_hash for answer in answers)
        if mine is not None and is_known and isinstance(report.evidence, dict):
            yield from _check_page(where, protocol, rows, mine, report.evidence)
    for key, answers in stored.items():
        if key not in known:
            one = answers[0]
            where = f"answer {one.seq} ({one.rater}, {one.section}, position {one.position})"
            yield Finding("evidence", where, "the submission that it came with is gone.")
    yield from _check_practice(protocol, rows)


def _check_there(where: str, report: Report, answers: Sequence[Answer], rows: Rows) -> Iterator[Finding]:
    """A page's script always sends a report, and the time in sight is stored with the answers too."""
    evidence = report.evidence
    if report.rater in rows.erased:
        if evidence is not None:
            yield Finding("erasure", where, "the rater asked for erasure, and the browser's report is still there.")
        return
    if evidence is None or not isinstance(evidence, dict):
        yield Finding("evidence", where, "what the browser reported is gone.")
        return
    told = evidence.get("visible_seconds")
    seconds = {answer.seconds for answer in answers}
    expected = float(told) if isinstance(told, int | float) else None
    if not evidence and seconds - {None}:
        yield Finding("evidence", where, "what the browser reported is gone: its answers still have the time in sight.")
    elif answers and seconds != {expected} and not _is_refused(told, seconds):
        stored = ", ".join("none" if one is None else f"{one:g}" for one in seconds)
        yield Finding("evidence", where, f"the browser reports {told!r} seconds in sight, and {stored} is stored.")


def _is_refused(told: Any, seconds: set[float | None]) -> bool:
    """Whether a time is left out of the answers because it is no time."""
    is_time = isinstance(told, int | float) and 0 <= told < DAY
    return not is_time and seconds == {None}


def _check_page(
    where: str, protocol: Protocol, rows: Rows, mine: Assignment, evidence: Mapping[str, Any]
) -> Iterator[Finding]:
    section, item = section_of(protocol, mine.section), rows.by_id.get(mine.item)
    if section is None or item is None:
        return
    position, name = evidence.get("position"), evidence.get("item")
    if isinstance(position, int) and position != mine.position:
        what = f"the page was at position {position}, and {mine.item} is drawn for position {mine.position}."
        yield Finding("presented", where, what)
    if isinstance(name, str) and name != opaque(rows.secret, "item", mine.item):
        other = next((id for id in rows.by_id if opaque(rows.secret, "item", id) == name), "")
        yield Finding("presented", where, f"the page showed {other or 'another item'}, and {mine.item} is drawn.")
    yield from _check_shown(where, section, item, mine.shown, evidence)


def _check_shown(
    where: str, section: Section, item: Item, shown: Shown, evidence: Mapping[str, Any]
) -> Iterator[Finding]:
    yield from _check_files(where, section, item, shown, evidence.get("media"))
    yield from _check_words(where, section, item, shown, evidence.get("sides"))
    options = evidence.get("options")
    told: Mapping[str, Any] = options if isinstance(options, dict) else {}
    for ask in section.ask:
        standing, order = ask.question.option_words(shown.to(ask.id), item), told.get(ask.id)
        if standing and isinstance(order, list) and not _stand(order, standing):
            drawn = ", ".join(words[0] for words in standing)
            what = f"for {ask.id} the page showed {', '.join(map(str, order))}, and {drawn} is drawn."
            yield Finding("options", where, what)


def _stand(order: Sequence[Any], standing: Sequence[Sequence[str]]) -> bool:
    """Whether options stand in an order: each is reported by how it begins, in whatever language."""
    return len(order) == len(standing) and all(
        one in {" ".join(text.split())[:SHORT] for text in words} for one, words in zip(order, standing, strict=True)
    )


def _check_files(where: str, section: Section, item: Item, shown: Shown, entries: Any) -> Iterator[Finding]:
    """Every reported file is one of the item's, and the sides of a pair stand as they are drawn."""
    if not isinstance(entries, list):
        return
    told = [entry["path"] for entry in entries if isinstance(entry, dict) and "path" in entry]
    drawn = [(show.part, show.part.on_page(item, shown)) for show in section.show]
    for path in dict.fromkeys(told):
        if not any(path in paths for _, paths in drawn):
            yield Finding("presented", where, f"it showed {path}, which is not of {item.id}.")
    for medium, paths in drawn:
        found = [path for path in dict.fromkeys(told) if path in paths]
        if isinstance(medium, PairBase) and found != [path for path in dict.fromkeys(paths) if path in found]:
            yield Finding("sides", where, f"from left to right the page showed {', '.join(found)}.")


def _check_words(where: str, section: Section, item: Item, shown: Shown, sides: Any) -> Iterator[Finding]:
    """Texts side by side are known by how they begin and end; where both begin and end alike nothing can be said."""
    if not isinstance(sides, list) or len(sides) != 2:
        return
    for show in section.show:
        if show.part.n_sides == 2 and isinstance(show.part, PairBase) and not show.part.on_page(item, shown):
            left, right = (str(item.fields.get(side.medium.field) or "") for side in show.part.sides(item, shown))
            if _reads(sides[0], right) and _reads(sides[1], left) and not _reads(sides[0], left):
                yield Finding("sides", where, f"on the left the page showed “{sides[0][0]}”, which is drawn right.")


def _reads(ends: Any, text: str) -> bool:
    """Whether a text begins and ends so; what marks it up does not count."""
    if not isinstance(ends, list) or len(ends) != 2:
        return False
    begin, end, whole = (_letters(str(one)) for one in (*ends, text))
    return whole.startswith(begin) and whole.endswith(end)


def _letters(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _check_practice(protocol: Protocol, rows: Rows) -> Iterator[Finding]:
    """Reports of practice pages: their sides and options are drawn for each rater."""
    items = {item.id: item for item in practice_items(protocol)}
    assignments = {one.id: one for one in rows.assignments}
    for report in rows.presentations:
        where = f"report {report.seq} of {report.rater}"
        if report.assignment is not None:
            mine = assignments.get(report.assignment)
            if mine is None or mine.rater != report.rater:
                yield Finding("presented", where, "it is about an assignment that this rater never had.")
            elif isinstance(report.evidence, dict):
                yield from _check_page(f"{where} ({of(mine)})", protocol, rows, mine, report.evidence)
        elif isinstance(report.evidence, dict) and report.evidence.get("practice") in items:
            item = items[report.evidence["practice"]]
            shown = practice_shown(protocol, item, report.rater)
            where = f"{where} (practice, {item.id})"
            yield from _check_shown(where, protocol.practice_section, item, shown, report.evidence)
