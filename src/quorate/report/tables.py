"""The report's tables as plain records: HTML, Markdown and LaTeX print the same ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from quorate import statistics
from quorate.analyse.accuracy import judge_name
from quorate.analyse.results import Comparison, Finding, Listing, Results
from quorate.report import captions
from quorate.report.captions import ADVERBS
from quorate.report.numbers import (
    UNDEFINED,
    interval_of,
    n_of,
    number,
    p_value,
    percent_confidence,
    series,
    utc,
    value_of,
    who_of,
)

FEW = 8
#: What would be said of more rows than this is said once for all of them.
SAID_ONCE = 2
TOO_FEW = "no interval can be trusted"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, the id of the finding that it prints, and a word that stands small beside it."""

    text: str
    id: str = ""
    small: str = ""
    shade: float = 0.0


@dataclass(frozen=True, slots=True)
class Table:
    """A table with three rules: its caption states the finding, its notes the conventions.

    `numeric` says which columns hold numbers; `stub` whether the first column heads its row.
    """

    key: str
    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    numeric: frozenset[int] = field(default_factory=frozenset)


def agreement(results: Results, section: str | None = None) -> Table:
    """8.1: Fleiss' κ and each pair's Cohen's κ."""
    caption = captions.agreement(results, section)
    return metrics(results, "agreement", "Inter-annotator agreement", caption, section=section)


def agreement_more(results: Results, section: str | None = None) -> Table:
    """Agreement read in other ways: on the answers themselves, as plain shares, and as AC1."""
    found = results.group("agreement more", section)
    ways = [
        words for words, is_there in (
            ("on the answers themselves", any(f.statistic == "fleiss kappa" for f in found)),
            ("as plain shares", any(f.unit == "%" for f in found)),
            ("with Gwet’s AC1", any(f.statistic == "gwet ac" for f in found)),
        ) if is_there
    ]  # fmt: skip
    caption = f"Agreement read in other ways{': ' if ways else ''}{series(ways)}."
    return metrics(results, "agreement more", "Agreement, further figures", caption, section=section)


def accuracy(results: Results, section: str | None = None) -> Table:
    """8.2: individual, majority and unanimous accuracy."""
    return metrics(results, "accuracy", "Human recognition accuracy", captions.accuracy(results), section=section)


def raters(results: Results, section: str | None = None) -> Table:
    """Each rater's and judge's accuracy."""
    title = "Accuracy of each annotator and judge"
    table = metrics(results, "raters", title, captions.raters(results), first="Who", section=section)
    found = results.group("raters", section)
    names = [results.label(finding, who_of(finding)) for finding in found]
    rows = tuple((replace(who, text=name), *rest) for name, (who, *rest) in zip(names, table.rows, strict=True))
    return replace(table, rows=rows)


def correlation(results: Results, section: str | None = None) -> Table:
    """8.3: the judge against people."""
    title = f"Human–{_judge(results.group('comparison', section))} correlation"
    caption = captions.correlation(results, section)
    return metrics(results, "comparison", title, caption, key="correlation", section=section)


GAP_TESTS = {
    "mcnemar": "p: McNemar’s exact test of no difference in accuracy.",
    "difference": "p: t test of no difference in accuracy, over clusters.",
}


def correlation_more(results: Results, section: str | None = None) -> Table:
    """The judge against people, further figures."""
    found = results.group("comparison more", section)
    tests = {f.statistic for f in found if f.statistic in GAP_TESTS and f.estimate.p is not None}
    tested = bool(tests)
    rows = tuple(
        (*_cells(results, f), *((Cell(p_value(f.estimate.p) if f.statistic in GAP_TESTS else "–"),) if tested else ()))
        for f in found
    )
    notes = _notes(results, found)
    notes = (*notes, *(GAP_TESTS[test] for test in sorted(tests)))
    columns = (*_columns(found), *(("p",) if tested else ()))
    caption = "Whether people and the judge give the same answer, and who is right more often."
    title = f"Human–{_judge(found)} comparison, further figures"
    key = scoped("correlation_more", section)
    return Table(key, title, caption, columns, rows, notes, frozenset({1, 2, 3, 4}))


def errors(comparison: Comparison, section: str | None = None) -> Table:
    """8.4: the 2 × 2."""
    judge, n = judge_name(comparison.judge), comparison.n
    rows = []
    for human in (True, False):
        head = Cell(f"Human majority {'correct' if human else 'incorrect'}")
        counts = [comparison.cells[human, machine] for machine in (True, False)]
        cells = [Cell(f"{k:,}", small=number(k / n, "%") if n else "", shade=k / n if n else 0) for k in counts]
        rows.append((head, *cells))
    notes = tuple(f"{n:,} left out: {why}." for why, n in comparison.left_out.items())
    columns = ("", f"{judge} correct", f"{judge} incorrect")
    return Table(
        scoped("errors", section),
        "Error analysis",
        captions.errors(comparison),
        columns,
        tuple(rows),
        notes,
        frozenset({1, 2}),
    )


#: What the protocol calls each class of error.
CLASS_MEANINGS = {
    "human correct, judge incorrect": "{judge} false negatives",
    "human incorrect, judge correct": "Potential {judge} hallucination or overly lenient matching",
    "both incorrect": "Genuine generation failures",
    "both correct": "No error",
}


def classes(results: Results, section: str | None = None, lists_both_wrong: bool = False) -> Table:
    """6.4: the error classes with what each may mean; the study may list "both wrong" as a disagreement."""
    found = sorted(results.group("classes", section), key=lambda f: list(CLASS_MEANINGS).index(f.what))
    judge = _judge(found)
    rows = []
    for finding in found:
        cells = _cells(results, finding)
        label = results.label(finding, finding.label.replace("judge", judge))
        meaning = CLASS_MEANINGS[finding.what].format(judge=judge)
        rows.append((Cell(label), Cell(meaning), *cells[1:]))
    columns = ("Class", "What it may mean", *_columns(found)[1:])
    caption = "The three error classes, and what is no error."
    if lists_both_wrong:
        caption += (
            " “Both incorrect” is no disagreement between people and judge; it stands here because the protocol lists "
            "it."
        )
    return Table(
        scoped("classes", section),
        "Error classes",
        caption,
        columns,
        tuple(rows),
        _notes(results, found),
        frozenset({2, 3, 4}),
    )


def became(results: Results) -> Table:
    """What became of everyone who was invited; nothing where all went the same way."""
    told = results.flow.became
    rows = [(Cell(word[:1].upper() + word[1:]), Cell(f"{n:,}")) for word, n in told.items()] if len(told) > 1 else []
    total = [(Cell("Invited in all"), Cell(f"{sum(told.values()):,}"))] if rows else []
    caption = "Everyone who was invited, each counted once, by what became of them."
    return Table(
        "became", "Everyone who was invited", caption, ("What became of them", "People"), (*rows, *total), (),
        frozenset({1}),
    )  # fmt: skip


def excluded(results: Results) -> Table:
    """Who was excluded, when and why."""
    rows = tuple(
        (Cell(one.rater), Cell(utc(one.at)[:16].replace("T", " ")), Cell(one.reason or "–"), Cell(f"{one.answers:,}"))
        for one in results.exclusions
    )
    caption = "Raters whose answers were taken out of the analysis, with the reason that was given. Times are in UTC."
    columns = ("Annotator ID", "When", "Why", "Answers")
    return Table("excluded_raters", "Excluded raters", caption, columns, rows, (), frozenset({3}))


def annotators(results: Results) -> Table:
    """2.2: who rated."""
    people = results.annotators
    headings = list(people[0].background) if people else ["Background"]
    # A long list of ids alone tells nothing that the flow does not.
    people = people if headings or len(people) <= FEW else ()
    rows = tuple(
        (Cell(p.id), *(Cell(p.background[heading]) for heading in headings), Cell(f"{p.answers:,}")) for p in people
    )
    columns = ("Annotator ID", *headings, "Answers")
    return Table(
        "annotators", "Annotators", captions.annotators(results), columns, rows, (), frozenset({len(headings) + 1})
    )


def borderline(results: Results) -> Table:
    """Every borderline answer and what the team decided."""
    words = {True: "correct", False: "not correct", None: "open"}
    by_meaning = any(b.close_by != "letters" for b in results.borderline)
    rows = tuple(
        (
            Cell(b.target), Cell(b.example), *((Cell(b.close_by),) if by_meaning else ()),
            Cell(f"{b.votes_for} : {b.votes_against}"), Cell(words[b.correct]),
        )
        for b in results.borderline
    )  # fmt: skip
    close = ("Close by",) if by_meaning else ()
    columns = ("Target (canonical)", "Answer (as typed)", *close, "Votes for : against", "Decision")
    return Table("borderline", "Borderline answers", captions.borderline(results), columns, rows)


def changed(results: Results) -> Table:
    """What the decisions changed."""
    rows = tuple(
        (Cell(results.label(after)), Cell(value_of(before)), Cell(value_of(after), id=after.id))
        for before, after in results.changes.figures
    )
    columns = ("Figure", "Before the decisions", "After")
    flips = len(results.changes.flips)
    caption = f"What the team’s decisions changed: {flips} answer{'' if flips == 1 else 's'} became correct."
    return Table("changes", "Effect of the decisions", caption, columns, rows, (), frozenset({1, 2}))


#: The groups of findings that are shown with and without excluded raters.
HELD_AGAINST = ("agreement", "accuracy", "comparison", "preference", "dimensions", "scores", "rates")


def exclusions(results: Results) -> Table:
    """Results with and without excluded raters."""
    kept = {finding.id: finding for finding in results.with_excluded}
    rows = tuple(
        (
            Cell(results.label(f)),
            Cell(value_of(f), id=f.id, small=interval_of(f)),
            Cell(value_of(k), small=interval_of(k)),
        )
        for f, k in ((f, kept.get(f.id)) for f in results.findings if f.group in HELD_AGAINST and not f.by)
        if k is not None
    )
    columns = ("Metric", "As reported", "Excluded raters kept in")
    caption = "The results with excluded raters kept in, beside those reported."
    return Table("exclusions", "With and without exclusions", caption, columns, rows, (), frozenset({1, 2}))


def evidence(results: Results) -> Table:
    """Every number: its id, how it was computed, and the rows that it comes from."""
    rows = tuple(
        (
            Cell(results.label(f), small=f.id),
            Cell(value_of(f), id=f.id, small=interval_of(f)),
            Cell(f.estimate.method or f.statistic),
            Cell(f.rows),
        )
        for f in results.findings
    )
    columns = ("Number, and its id in results.json", "Value", "Method", "Rows")
    caption = "Every number with its id, how it was computed, and the rows that it comes from."
    return Table("evidence", "Where each number comes from", caption, columns, rows, (), frozenset({1}))


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


def _word(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def metrics(
    results: Results, group: str, title: str, caption: str, first: str = "Metric", key: str = "",
    section: str | None = None, found: Sequence[Finding] | None = None,
) -> Table:  # fmt: skip
    """The findings of one group, a row each: value, interval, n, and p or a word where there is one."""
    found = results.group(group, section) if found is None else found
    banded = any(finding.band for finding in found)
    tested = any(finding.family and finding.estimate.p is not None for finding in found)
    rows = tuple(
        (
            *_cells(results, f),
            *((Cell(_tested(f), small=_corrected(f)),) if tested else ()),
            *((Cell(f.band or "–"),) if banded else ()),
        )
        for f in found
    )
    columns = (first, *_columns(found)[1:], *(("p",) if tested else ()), *(("Band",) if banded else ()))
    notes = _notes(results, found)
    if tested and any(f.p_adjusted is not None and f.p_adjusted != f.estimate.p for f in found):
        notes = (*notes, "p: as tested; in brackets, corrected by Holm’s method within the table’s family of tests.")
    numeric = frozenset(range(1, 5 if tested else 4))
    return Table(scoped(key or group.replace(" ", "_"), section), title, caption, columns, rows, notes, numeric)


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


def _columns(found: Sequence[Finding]) -> tuple[str, ...]:
    confidence = percent_confidence(found[0].estimate) if found else "95%"
    return ("Metric", "Value", f"{confidence} interval", "n")


def _cells(results: Results, finding: Finding) -> tuple[Cell, ...]:
    value = Cell(value_of(finding), id=finding.id)
    return Cell(results.label(finding)), value, Cell(interval_of(finding)), Cell(n_of(finding))


def _notes(results: Results, found: Sequence[Finding]) -> tuple[str, ...]:
    """Why something is undefined, what was left out, and what the statistic warns of."""
    notes: dict[str, None] = {}
    shared = _shared_notes(found)
    few = {f.id for f in found if TOO_FEW in f.estimate.note and f.estimate.note not in shared}
    left_out = _left_out_alike(found)
    notes |= dict.fromkeys((*shared.values(), *left_out.values()))
    if len(few) > SAID_ONCE:
        notes[
            f"{len(few)} of these figures rest on too few items, or on a category that is too rare, for any interval "
            "to be trusted: lead with the share of items on which all raters agree."
        ] = None
    for finding in found:
        estimate = finding.estimate
        if estimate.note in shared or (finding.id in few and len(few) > SAID_ONCE):
            pass
        elif estimate.value is None:
            notes[f"{results.label(finding)}: {UNDEFINED}, since {estimate.note}."] = None
        elif estimate.note:
            notes[f"{results.label(finding)}: {estimate.note}."] = None
        published = statistics.landis_koch(estimate) if finding.band in ADVERBS else finding.band
        if published != finding.band:
            notes[
                f"{results.label(finding)}: “{published}” in the bands as published, which are closed at .20, .40, …"
            ] = None
        for why, n in estimate.left_out.items():
            if why in left_out:
                continue
            notes[f"{results.label(finding)}: {n:,} left out ({why})."] = None
    return tuple(notes)


def _left_out_alike(found: Sequence[Finding]) -> dict[str, str]:
    """What several rows leave out for the same reason, once for all of them."""
    counts: dict[str, list[int]] = {}
    for finding in found:
        for why, n in finding.estimate.left_out.items():
            counts.setdefault(why, []).append(n)
    found_of = {}
    for why, numbers in counts.items():
        low, high = min(numbers), max(numbers)
        many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        if len(numbers) > SAID_ONCE:
            found_of[why] = f"{len(numbers)} of these figures leave out {many} ({why})."
    return found_of


def _shared_notes(found: Sequence[Finding]) -> dict[str, str]:
    """What is to be said of several rows, once for all of them."""
    notes = [f.estimate.note for f in found if f.estimate.note]
    several = {note: notes.count(note) for note in dict.fromkeys(notes) if notes.count(note) > SAID_ONCE}
    undefined = {f.estimate.note for f in found if f.estimate.value is None}
    words = {True: f"{UNDEFINED}, since", False: ""}
    return {
        note: f"{n} of these figures: {words[note in undefined]} {note}.".replace(":  ", ": ")
        for note, n in several.items()
    }


def _judge(found: Iterable[Finding]) -> str:
    judge = next((finding.judge for finding in found if finding.judge), "")
    return judge_name(judge) if judge else "judge"
