"""The report's tables as plain records: HTML, Markdown and LaTeX print the same ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from quorate import statistics
from quorate.exhibits.numbers import (
    interval_of,
    n_of,
    p_value,
    percent_confidence,
    value_of,
)
from quorate.findings.names import ADVERBS
from quorate.findings.results import Finding, Listing, Results
from quorate.messages import Message, Text, Word, speaks
from quorate.statistics.estimating import FEW_OF_MANY, FEW_UNITS, RARE_IN_CLUSTERS, RARE_IN_ITEMS

#: What would be said of more rows than this is said once for all of them.
SAID_ONCE = 2
#: The warnings that no interval can be trusted.
TOO_FEW = (FEW_OF_MANY, FEW_UNITS, RARE_IN_ITEMS, RARE_IN_CLUSTERS)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, the id of the finding that it prints, and a word that stands small beside it."""

    text: Text
    id: str = ""
    small: Text = ""
    shade: float = 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """A table with three rules: its caption states the finding, its notes the conventions.

    `numeric` says which columns hold numbers.
    """

    key: str
    title: Text
    caption: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[Text, ...] = ()
    numeric: frozenset[int] = field(default_factory=frozenset)
    #: Whether it stands in the supplement.
    further: bool = False

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the findings that stand in it."""
        return frozenset(cell.id for row in self.rows for cell in row if cell.id)


#: A table of no more letters than these in its widest row need not be drawn out over the whole line.
NARROW = 56


def is_narrow(table: Table) -> bool:
    """Whether a table is easier to read when its columns stand close together."""
    lines = [table.columns, *([f"{cell.text} {cell.small}" for cell in row] for row in table.rows)]
    widths = [max(len(str(line[place])) for line in lines) for place in range(len(table.columns))]
    return sum(widths) + 3 * len(widths) <= NARROW


def listed(listing: Listing, key: str) -> Table:
    """Something that was counted or listed, as a table; a column in which nothing stands is left out."""
    told = [0, *(place for place in range(1, len(listing.columns)) if any(row[place] != "" for row in listing.rows))]
    listing = replace(
        listing, columns=tuple(listing.columns[place] for place in told),
        rows=tuple(tuple(row[place] for place in told) for row in listing.rows),
    )  # fmt: skip
    numeric = {
        place for place in range(1, len(listing.columns))
        if all(isinstance(row[place], int | float) for row in listing.rows)
    }  # fmt: skip
    total = sum(n for row in listing.rows for n in row[1:] if isinstance(n, int)) if listing.shape == "matrix" else 0
    rows = tuple(
        tuple(Cell(_word(value), shade=value / total if total and isinstance(value, int) else 0.0) for value in row)
        for row in listing.rows
    )
    return Table(key, listing.title, listing.caption, listing.columns, rows, (), frozenset(numeric))


def _word(value: object) -> Text:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.1f}" if isinstance(value, float) else value


def metrics(
    results: Results, key: str, title: Text, caption: Text, found: Sequence[Finding], first: Text = ""
) -> Table:
    """Findings as a table, a row each: value, interval, n, and p or a word where there is one."""
    banded = any(finding.band for finding in found)
    tested = any(finding.family and finding.estimate.p is not None for finding in found)
    rows = tuple(
        (
            *cells(results, f),
            *((Cell(_tested(f), small=_corrected(f)),) if tested else ()),
            *((Cell(Word(f.band) if f.band else "–"),) if banded else ()),
        )
        for f in found
    )
    heads = columns_of(found)
    columns = (first or heads[0], *heads[1:], *(("p",) if tested else ()), *((Message("Band"),) if banded else ()))
    notes = notes_of(results, found)
    if tested and any(f.p_adjusted is not None and f.p_adjusted != f.estimate.p for f in found):
        notes = (
            *notes,
            Message("p: as tested; in brackets, corrected by Holm’s method within the table’s family of tests."),
        )
    numeric = frozenset(range(1, 5 if tested else 4))
    return Table(key, title, caption, columns, rows, notes, numeric)


def scoped(key: str, section: str | None) -> str:
    """A table's key, with its section where there are several: a name of a file, of an anchor and of a label.

    >>> scoped("scores_by_lang/ISO", "rate")
    'rate_scores_by_lang=2FISO'
    """
    whole = f"{section}_{key}" if section else key
    return re.sub(r"[^\w=-]", lambda found: "".join(f"={byte:02X}" for byte in found[0].encode()), whole)


def _tested(finding: Finding) -> str:
    return p_value(finding.estimate.p) if finding.family else "–"


def _corrected(finding: Finding) -> str:
    if finding.p_adjusted is None or finding.p_adjusted == finding.estimate.p:
        return ""
    return p_value(finding.p_adjusted)


def columns_of(found: Sequence[Finding]) -> tuple[Text, ...]:
    """The heads of the columns that `cells` fills."""
    confidence = percent_confidence(found[0].estimate) if found else "95%"
    return (Message("Metric"), Message("Value"), Message("{p} interval", p=confidence), "n")


def cells(results: Results, finding: Finding) -> tuple[Cell, ...]:
    """What a finding is called, its value, its interval and its n."""
    value = Cell(value_of(finding), id=finding.id)
    return Cell(results.label(finding)), value, Cell(interval_of(finding)), Cell(n_of(finding))


def notes_of(results: Results, found: Sequence[Finding]) -> tuple[Text, ...]:
    """Why something is undefined, what was left out, and what the statistic warns of."""
    shared, left_out = _shared_notes(found), _left_out_alike(found)
    notes: list[Text] = [*shared.values(), *left_out.values()]
    few = {f.id for f in found if speaks(f.estimate.note, *TOO_FEW) and f.estimate.note not in shared}
    if len(few) > SAID_ONCE:
        notes.append(
            Message(
                "{n} of these figures rest on too few items, or on too few that differ, for any interval to be "
                "trusted.",
                n=len(few),
            )
        )
    for finding in found:
        estimate, what = finding.estimate, results.label(finding)
        if estimate.note in shared or (finding.id in few and len(few) > SAID_ONCE):
            pass
        elif estimate.value is None:
            notes.append(Message("{what}: undefined, since {why}.", what=what, why=estimate.note))
        elif estimate.note:
            notes.append(Message("{what}: {note}.", what=what, note=estimate.note))
        published = statistics.landis_koch(estimate) if finding.band in ADVERBS else finding.band
        if published != finding.band:
            notes.append(
                Message(
                    "{what}: “{band}” in the bands as published, which are closed at .20, .40, …",
                    what=what, band=Word(published or ""),
                )
            )  # fmt: skip
        for why, n in estimate.left_out.items():
            if why not in left_out:
                notes.append(Message("{what}: {n} left out ({why}).", what=what, n=n, why=word(why)))
    return tuple(dict.fromkeys(notes))


def _left_out_alike(found: Sequence[Finding]) -> dict[Text, Message]:
    """What several rows leave out for the same reason, once for all of them."""
    counts: dict[Text, list[int]] = {}
    for finding in found:
        for why, n in finding.estimate.left_out.items():
            counts.setdefault(why, []).append(n)
    told = {}
    for why, numbers in counts.items():
        low, high = min(numbers), max(numbers)
        many: Text = low if low == high else Message("{low} to {high}", low=low, high=high)
        if len(numbers) > SAID_ONCE:
            told[why] = Message(
                "{n} of these figures leave out {many} ({why}).", n=len(numbers), many=many, why=word(why)
            )
    return told


def _shared_notes(found: Sequence[Finding]) -> dict[Text, Message]:
    """What is to be said of several rows, once for all of them."""
    several = Counter(f.estimate.note for f in found if f.estimate.note)
    undefined = {f.estimate.note for f in found if f.estimate.value is None}
    return {
        note: Message("{n} of these figures: undefined, since {why}.", n=n, why=note)
        if note in undefined
        else Message("{n} of these figures: {note}.", n=n, note=note)
        for note, n in several.items() if n > SAID_ONCE
    }  # fmt: skip


def word(why: Text) -> Text:
    """A reason as a reader sees it: a word of ours in the reader's language."""
    return Word(why) if isinstance(why, str) else why
