"""Does the report print what its numbers are? Every printed number is read and held against results.json.

This reads as a stranger would: it knows tables and numbers, and shares nothing with what wrote the report. On the page
each number leads to its finding; in the other formats it stands in the same table and place as on the page.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from quorate.verify.readers import (
    ALL,
    PrintedCell,
    PrintedTable,
    folded,
    html_tables,
    latex_table,
    markdown_tables,
    pdf_text,
    squeezed,
)

_NUMBER = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?")
_P = re.compile(r"< \.001|\.\d{3}|1\.000")
_INTERVAL = re.compile(r"\[(.+), (.+)\]")
_COUNT = re.compile(r"([\d,]+)(?:/([\d,]+))?")
#: The least that a table of one finding a row has: its name, its value, its interval and its n.
_VALUE, _SPAN, _N = 1, 2, 3
#: What of a finding belongs to a row or to a column of its table, and is the same all along it.
_OF_LINES = ("section", "question", "statistic", "systems", "raters", "judge", "by", "stratum")
_OF_ONE_QUESTION = ("reading", "what")
#: A column of letters, each for a group of systems: a system may be called A, and is not meant by them.
_LETTERS = "Groups"
#: How far the next row of a table may be in the text of a PDF: a page may end between them.
_NEXT_ROW, _MOST_WAYS = 600, 200
#: Marks that are turned around beside letters that go from right to left.
_MIRRORED = str.maketrans(")]}>", "([{<")
Place = tuple[int, int]
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Misprint:
    """A number of the report that is not what results.json holds."""

    table: str
    id: str
    printed: str
    held: str

    def __str__(self) -> str:
        return f"{self.table} prints {self.printed} for {self.id}, and results.json holds {self.held}."


def misprints(page: str, results: Mapping[str, Any]) -> Iterator[Misprint]:
    """Every number of the page's tables that is not the one of its id in results.json, its interval and n included."""
    known = {finding["id"]: finding for finding in results["estimates"]}
    for table in html_tables(page):
        for row in table.rows:
            for place, cell in enumerate(row):
                if not cell.id:
                    continue
                if cell.id not in known:
                    yield Misprint(table.id, cell.id, cell.text, "no such number")
                    continue
                for printed, held in _wrong(row, place, known[cell.id]):
                    yield Misprint(table.id, cell.id, printed, held)
        yield from _misplaced(table, known)
        yield from _unlisted(table, results.get("listings", ()))


def otherwise(
    page: str, markdown: str | None = None, latex: Mapping[str, str] | None = None, pdf: bytes | None = None
) -> Iterator[Misprint]:
    """Every cell that another format of the report prints otherwise than its page does, or not at all."""
    tables = html_tables(page)
    if markdown is not None:
        found = markdown_tables(markdown)
        if len(found) != len(tables):
            yield Misprint("report.md", "its tables", f"{len(found)}", f"{len(tables)}, as the page has them")
        for table, other in zip(tables, found, strict=False):
            yield from _unlike(table, other, squeezed, f"report.md, {table.id}")
    if latex is not None:
        files = {found.id: found for found in map(latex_table, latex.values())}
        for table in tables:
            name = table.id.removeprefix("table-").replace("_", "-")
            if name in files:
                yield from _unlike(table, files.pop(name), _in_latex, f"latex, {table.id}")
            elif table.id.startswith("table-"):
                yield Misprint("latex", table.id, "nothing", "a table, as the page has it")
        for name in files:
            yield Misprint("latex", name, "a table", "none of this name on the page")
    if pdf is not None:
        yield from _not_in_pdf(tables, folded(pdf_text(pdf)))


def _in_latex(text: str) -> str:
    """What LaTeX prints: some dashes are one."""
    return re.sub("-+", "-", folded(text))


def _unlike(table: PrintedTable, other: PrintedTable, fold: Any, where: str) -> Iterator[Misprint]:
    """What two printings of a table do not have in common."""
    heads = [[fold(column) for column in one.columns] for one in (table, other)]
    if heads[0] != heads[1]:
        yield Misprint(where, "its columns", " | ".join(other.columns), " | ".join(table.columns))
    if len(table.rows) != len(other.rows):
        yield Misprint(where, "its rows", f"{len(other.rows)}", f"{len(table.rows)}, as the page has them")
    for row, again in zip(table.rows, other.rows, strict=False):
        for cell, seen in zip(row, again, strict=False):
            said = {fold(cell.text + cell.small), fold(f"{cell.text} ({cell.small})")}
            if fold(seen.text + seen.small) not in said or (seen.id and seen.id != cell.id):
                printed = f"{seen.text} {seen.small}".strip()
                yield Misprint(where, seen.id or cell.id or row[0].text, printed, f"{cell.text} {cell.small}".strip())
        if len(row) != len(again):
            yield Misprint(where, row[0].text, f"{len(again)} cells", f"{len(row)}, as the page has them")


def _not_in_pdf(tables: Sequence[PrintedTable], text: str) -> Iterator[Misprint]:
    """Rows that the text of a PDF does not have where they belong: under their table's head, one after another."""
    at = 0
    for table in tables:
        head = folded("".join(table.columns))
        turned = _end_in_any_order(head, text, at, len(text)) if any(map(_is_leftward, table.columns)) else None
        begin = text.find(head, at) if head else _first_rows(table, text, at)
        known = [end for end in (begin + len(head) if begin >= 0 else None, turned) if end is not None]
        if not known:
            yield Misprint("report.pdf", table.id, "nothing", f"a table of {len(table.rows)} rows")
            continue
        at = min(known)
        names = [folded(row[0].text + row[0].small) for row in table.rows] if table.id == ALL else []
        for row in table.rows:
            # The list of all numbers is shorter on paper.
            if table.id == ALL and not _is_listed(folded(row[0].text + row[0].small), names, text, at):
                continue
            cells = [folded(cell.text + cell.small) for cell in row]
            ends = _end_of(cells, text, at, head)
            if _goes_leftwards(row):
                # The same numbers may stand in a later table as well: the row is the nearer one.
                turned = _end_in_any_order("".join(cells), text, at) if any(cell.id for cell in row) else None
                ends = min((end for end in (ends, turned) if end is not None), default=None)
                # What prints no number may be read in an order that nobody can tell.
                ends = at if ends is None and not any(cell.id for cell in row) else ends
            if ends is None:
                held = " | ".join(f"{cell.text} {cell.small}".strip() for cell in row)
                yield Misprint("report.pdf", next((cell.id for cell in row if cell.id), table.id), "not this row", held)
            else:
                at = ends


def _is_listed(name: str, names: Sequence[str], text: str, at: int) -> bool:
    """Whether a name stands in the text from here on, and not as the beginning of a longer one of these names.

    >>> _is_listed("mean", ["mean", "mean.round.2"], "mean.round.2 4.0", 0)
    False
    """
    longer = [other for other in names if other.startswith(name) and other != name]
    while (at := text.find(name, at)) >= 0:
        if not any(text.startswith(other, at) for other in longer):
            return True
        at += 1
    return False


def _first_rows(table: PrintedTable, text: str, at: int) -> int:
    """Where a table begins whose head has no letter that can be told: where most of its first rows stand together."""
    rows = [folded("".join(cell.text + cell.small for cell in row)) for row in table.rows]
    found = (text.find("".join(rows[:n]), at) for n in range(len(rows), 0, -1))
    return next((begin for begin in found if begin >= 0), at)


def _goes_leftwards(row: Sequence[PrintedCell]) -> bool:
    return any(_is_leftward(cell.text) for cell in row)


def _is_leftward(text: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)


def _end_of(cells: Sequence[str], text: str, at: int, head: str) -> int | None:
    """Where a row ends in the text; where a page ends in it, the rest of each cell stands under the head again."""
    whole = "".join(cells)
    found = text.find(whole, at, at + len(whole) + _NEXT_ROW)
    if found >= 0:
        return found + len(whole)
    # What begins the next cell may be what would go on in this one: each may end some letters before it seems to.
    ways = [(at, "")]
    for cell in cells:
        ways = [(at + n, rests + cell[n:]) for at, rests in ways[:_MOST_WAYS] for n in _begun(cell, text, at)]
    for place, rests in ways:
        found = text.find(head + rests, place, place + _NEXT_ROW)
        if found >= 0:
            return found + len(head + rests)
    return None


def _end_in_any_order(whole: str, text: str, at: int, within: int = _NEXT_ROW) -> int | None:
    """Where a row ends whose letters go from right to left: what stands beside them is read in another order."""
    wanted, n = sorted(whole.translate(_MIRRORED)), len(whole)
    places = range(at, min(at + n + within, len(text) - n) + 1)
    found = (place + n for place in places if sorted(text[place : place + n].translate(_MIRRORED)) == wanted)
    return next(found, None)


def _begun(cell: str, text: str, at: int) -> Iterator[int]:
    """How many of a cell's first letters stand in the text from here on, and some fewer."""
    n = next((k for k, letter in enumerate(cell) if text[at + k : at + k + 1] != letter), len(cell))
    yield from range(n, max(n - 3, -1), -1) if n < len(cell) else [n]


def _misplaced(table: PrintedTable, known: Mapping[str, Mapping[str, Any]]) -> Iterator[Misprint]:
    """Numbers of another stratum, rater, system or statistic than the row and the column that they stand in."""
    cells = {
        (x, y): known[cell.id] for y, row in enumerate(table.rows) for x, cell in enumerate(row) if cell.id in known
    }
    wrong = {*_under_other_labels(table, cells), *_under_other_pairs(table, cells)}
    for name in (*_OF_LINES, *_OF_ONE_QUESTION):
        said = {place: _names(finding, name) for place, finding in cells.items()}
        if len(set(said.values())) < 2:
            continue
        # Another question may be at another level, and its coefficient of another kind.
        of = {place: finding["question"] if name in _OF_ONE_QUESTION else "" for place, finding in cells.items()}
        odd = [_odd_ones(said, of, axis) for axis in (0, 1)]
        axis = 1 if len({x for x, _ in cells}) < 2 or len(odd[1]) < len(odd[0]) else 0
        wrong |= {(place, name) for place in odd[axis] if not _is_said_small(table, place, said[place])}
        wrong |= {(place, name) for place in _under_other_names(table, cells, name, axis)}
    wrong |= {(place, "statistic") for place in _under_other_statistics(table, cells)}
    for (x, y), name in sorted(wrong):
        cell, of_what = table.rows[y][x], cells[x, y].get(name)
        yield Misprint(table.id, cell.id, f"{cell.text} of {name} {of_what!r}", "another for this row and column")


def _is_said_small(table: PrintedTable, place: Place, names: Names) -> bool:
    """Whether a number has its own names small beside it, such as the two raters that agree most."""
    small = _name(table.rows[place[1]][place[0]].small)
    return bool(names) and all(name and _name(name) in small for name in names)


def _odd_ones(said: Mapping[Place, Names], of: Mapping[Place, str], axis: int) -> list[Place]:
    """The cells that are not like most of their column (0) or row (1)."""
    lines: dict[tuple[int, str], list[Place]] = defaultdict(list)
    for place in said:
        lines[place[axis], of[place]].append(place)
    odd: list[Place] = []
    for places in lines.values():
        names = [said[place] for place in places]
        usual = max(sorted(set(names)), key=names.count)
        odd += [place for place in places if said[place] != usual]
    return odd


def _under_other_names(
    table: PrintedTable, cells: Mapping[Place, Mapping[str, Any]], name: str, axis: int
) -> Iterator[Place]:
    """Cells in a row (1) or a column (0) that has the name of another one's stratum, rater, system or question."""
    own = {place: set(map(_name, _names(finding, name))) for place, finding in cells.items()}
    every = set[str]().union(*own.values())
    for column, part in product(
        range(max(map(len, table.rows)) if axis else 1), ("text", "small") if axis else ("text",)
    ):
        if axis and column < len(table.columns) and table.columns[column] == _LETTERS:
            continue
        heads = {
            (x, y): _name(table.columns[x] if not axis else getattr(table.rows[y][column], part))
            for x, y in cells
            if not axis or (column < len(table.rows[y]) and not table.rows[y][column].id)
        }
        # A stratum may have the name of a system: a column of strata says nothing of systems.
        of_others = any(
            all(head in map(_name, _names(cells[place], other)) for place, head in heads.items())
            for other in _OF_LINES
            if other != name
        )
        if 2 * sum(head in every for head in heads.values()) > len(heads) and not of_others:
            yield from (place for place, head in heads.items() if head in every and head not in own[place])


def _under_other_statistics(table: PrintedTable, cells: Mapping[Place, Mapping[str, Any]]) -> Iterator[Place]:
    """Cells in a column whose head says all words of another statistic of the table, and not all of theirs."""
    every = {finding["statistic"] for finding in cells.values()}
    for (x, y), finding in cells.items():
        head = table.columns[x].lower().replace("κ", "kappa").replace("α", "alpha")
        named = {one for one in every if all(word in head for word in one.split())}
        if named and finding["statistic"] not in named:
            yield x, y


def _under_other_labels(table: PrintedTable, cells: Mapping[Place, Mapping[str, Any]]) -> Iterator[tuple[Place, str]]:
    """Cells in a row that has the label of another row's number."""
    every = {squeezed(finding["label"]) for finding in cells.values()}
    for (x, y), finding in cells.items():
        said = squeezed(table.rows[y][0].text)
        longest = max((label for label in every if label in said), key=len, default="")
        if longest and longest != squeezed(finding["label"]):
            yield (x, y), "label"


def _under_other_pairs(table: PrintedTable, cells: Mapping[Place, Mapping[str, Any]]) -> Iterator[tuple[Place, str]]:
    """Cells of two systems in a row that names others: between the two stand the same words in each row."""
    between: dict[Place, set[str]] = {}
    for (x, y), finding in cells.items():
        for one, other in [map(squeezed, finding["systems"])] if len(finding.get("systems", ())) == 2 else []:
            said = [squeezed(cell.text) for cell in table.rows[y] if not cell.id]
            between[x, y] = {
                text[len(one) : -len(other) or None]
                for text in said
                if text.startswith(one) and text.endswith(other) and len(text) > len(one) + len(other)
            }
    words = Counter(word for found in between.values() for word in found)
    usual, n = words.most_common(1)[0] if words else ("", 0)
    if 2 * n > len(between):
        yield from (((place, "systems")) for place, found in between.items() if usual not in found)


def _names(finding: Mapping[str, Any], name: str) -> Names:
    value = finding.get(name, "")
    return (value,) if isinstance(value, str) else tuple(value)


def _name(text: str) -> str:
    return squeezed(text.replace("_", " ")).casefold()


def _unlisted(table: PrintedTable, listings: Sequence[Mapping[str, Any]]) -> Iterator[Misprint]:
    """Numbers of a table that was counted, where a listing of results.json has its columns and its first column."""
    if any(cell.id for row in table.rows for cell in row):
        return
    printed = [[squeezed(cell.text) for cell in row] for row in table.rows]
    alike = []
    for listing in listings:
        places = [k for k, column in enumerate(listing["columns"]) if squeezed(column) in map(squeezed, table.columns)]
        rows = [[_counted(row[k]) for k in places] for row in listing["rows"]]
        if len(places) == len(table.columns) and [row[:1] for row in rows] == [row[:1] for row in printed]:
            alike.append((listing["id"], rows))
    if any(rows == printed for _, rows in alike):
        return
    for id, rows in alike[:1]:
        for row, again in zip(printed, rows, strict=True):
            if row != again:
                yield Misprint(table.id, id, " | ".join(row), " | ".join(again))


def _counted(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.1f}"
    return squeezed("" if value is None else str(value))


def _wrong(row: list[PrintedCell], place: int, finding: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    cell = row[place]
    is_p = bool(_P.fullmatch(cell.text))
    if is_p:
        if not any(_is_p(cell.text, finding.get(name)) for name in ("p", "p_adjusted")):
            yield cell.text, f"p = {finding.get('p')}, corrected {finding.get('p_adjusted')}"
        return
    if not _is_value(cell.text, finding["value"], _times(finding)):
        yield cell.text, f"{finding['value']}"
    elif finding["value"] is not None and ("%" in cell.text) != (finding["unit"] == "%"):
        yield cell.text, f"{finding['value']}, in {finding['unit'] or 'no unit'}"
    has_n = place == _VALUE and len(row) > _N
    for text in [cell.small, *([row[_SPAN].text, row[_N].text] if has_n else [])]:
        yield from _wrong_beside(text, finding)
    for other in row[_N + 1 :] if has_n else []:
        if not other.id and _P.fullmatch(other.text) and not _is_p(other.text, finding.get("p")):
            yield other.text, f"p = {finding.get('p')}"
        if not other.id and _P.fullmatch(other.small) and not _is_p(other.small, finding.get("p_adjusted")):
            yield other.small, f"p, corrected = {finding.get('p_adjusted')}"


def _wrong_beside(text: str, finding: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """An interval or a count that stands beside a value."""
    span = _INTERVAL.search(text)
    if span:
        ends = (finding["low"], finding["high"])
        if not all(_is_value(printed, end, _times(finding)) for printed, end in zip(span.groups(), ends, strict=True)):
            yield span[0], f"[{ends[0]}, {ends[1]}]"
    rest = text.replace(span[0], "") if span else text
    count = _COUNT.fullmatch(rest.strip(" ·"))
    if count and not _is_count(count, finding):
        yield count[0], _counts(finding)


def _times(finding: Mapping[str, Any]) -> int:
    return 100 if finding["unit"] in ("%", "points") else 1


def _is_value(text: str, value: float | None, times: int) -> bool:
    """Whether a text is the value, to as many digits as it prints."""
    found = _NUMBER.search(text.replace("−", "-"))
    if value is None or found is None:
        return value is None and found is None
    digits = len(found[0].partition(".")[2])
    # What is half-way may be rounded to either side, as computers hold decimals.
    return abs(float(found[0].replace(",", "")) - times * value) <= 0.5 * 10**-digits * (1 + 1e-9) + 1e-12


def _is_p(text: str, p: float | None) -> bool:
    if p is None:
        return False
    return (
        p < 0.001 if text.startswith("<") else _is_value(text.replace(".", "0.", 1) if text[0] == "." else text, p, 1)
    )


def _is_count(count: re.Match[str], finding: Mapping[str, Any]) -> bool:
    first, of = (None if part is None else int(part.replace(",", "")) for part in count.groups())
    if of is not None:
        return (first, of) == (finding.get("count"), finding.get("of"))
    return first in (finding["n_items"], finding["n_ratings"]) or (first == 0 and finding["n_items"] is None)


def _counts(finding: Mapping[str, Any]) -> str:
    if "of" in finding:
        return f"{finding['count']}/{finding['of']}"
    return f"{finding['n_items']} items, {finding['n_ratings']} ratings"
