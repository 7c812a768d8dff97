"""The report's tables as plain records: HTML, Markdown and LaTeX print the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from quorate import statistics
from quorate.analyse.accuracy import ACCURACY_OF, judge_name
from quorate.analyse.results import Comparison, Finding, Results
from quorate.report import captions
from quorate.report.numbers import UNDEFINED, interval_of, n_of, number, p_value, percent_confidence, value_of


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


def agreement(results: Results) -> Table:
    """8.1: Fleiss' κ and each pair's Cohen's κ."""
    return _metrics(results, "agreement", "Inter-annotator agreement", captions.agreement(results))


def agreement_more(results: Results) -> Table:
    """Agreement read in other ways: on the answers themselves, as plain shares, and as AC1."""
    caption = "Agreement read in other ways: on the answers themselves, as plain shares, and with Gwet’s AC1."
    return _metrics(results, "agreement more", "Agreement, further figures", caption)


def accuracy(results: Results) -> Table:
    """8.2: individual, majority and unanimous accuracy."""
    return _metrics(results, "accuracy", "Human recognition accuracy", captions.accuracy(results))


def raters(results: Results) -> Table:
    """Each rater's and judge's accuracy."""
    table = _metrics(results, "raters", "Accuracy of each annotator and judge", captions.raters(results), first="Who")
    rows = tuple((replace(who, text=who.text.replace(ACCURACY_OF, "")), *rest) for who, *rest in table.rows)
    return replace(table, rows=rows)


def correlation(results: Results) -> Table:
    """8.3: the judge against people."""
    title = f"Human–{_judge(results)} correlation"
    return _metrics(results, "comparison", title, captions.correlation(results), key="correlation")


def correlation_more(results: Results) -> Table:
    """The judge against people, further figures."""
    found = results.group("comparison more")
    rows = tuple((*_cells(results, f), Cell(p_value(f.estimate.p))) for f in found)
    notes = (*_notes(results, found), "p: McNemar’s exact test of no difference in accuracy.")
    columns = (*_columns(found), "p")
    caption = "Whether people and the judge give the same answer, and who is right more often."
    title = f"Human–{_judge(results)} comparison, further figures"
    return Table("correlation_more", title, caption, columns, rows, notes, frozenset({1, 2, 3, 4}))


def errors(results: Results, comparison: Comparison) -> Table:
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
        "errors", "Error analysis", captions.errors(comparison), columns, tuple(rows), notes, frozenset({1, 2})
    )


#: What the protocol calls each class of error.
CLASS_MEANINGS = {
    "human_correct_judge_incorrect": "{judge} false negatives",
    "human_incorrect_judge_correct": "Potential {judge} hallucination or overly lenient matching",
    "both_incorrect": "Genuine generation failures",
    "both_correct": "No error",
}


def classes(results: Results) -> Table:
    """6.4: the error classes with what each may mean."""
    judge = _judge(results)
    found = sorted(results.group("classes"), key=lambda f: list(CLASS_MEANINGS).index(f.id.rsplit(".", 1)[1]))
    rows = []
    for finding in found:
        cells = _cells(results, finding)
        label = results.label(finding).replace("judge", judge)
        meaning = CLASS_MEANINGS[finding.id.rsplit(".", 1)[1]].format(judge=judge)
        rows.append((Cell(label), Cell(meaning), *cells[1:]))
    columns = ("Class", "What it may mean", *_columns(found)[1:])
    caption = (
        "The three error classes, and what is no error. “Both incorrect” is no disagreement between people and "
        "judge; it stands here because the protocol lists it."
    )
    return Table(
        "classes", "Error classes", caption, columns, tuple(rows), _notes(results, found), frozenset({2, 3, 4})
    )


def annotators(results: Results) -> Table:
    """2.2: who rated."""
    people = results.annotators
    headings = list(people[0].background) if people else ["Background"]
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
    rows = tuple(
        (Cell(b.target), Cell(b.example), Cell(f"{b.votes_for} : {b.votes_against}"), Cell(words[b.correct]))
        for b in results.borderline
    )
    columns = ("Target (canonical)", "Answer (as typed)", "Votes for : against", "Decision")
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


def exclusions(results: Results) -> Table:
    """Results with and without excluded raters."""
    kept = {finding.id: finding for finding in results.with_excluded}
    rows = tuple(
        (Cell(results.label(f)), Cell(value_of(f), small=interval_of(f)), Cell(value_of(k), small=interval_of(k)))
        for f, k in (
            (f, kept.get(f.id)) for f in results.findings if f.group in ("agreement", "accuracy", "comparison")
        )
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


def report_tables(results: Results) -> list[Table]:
    """Every table that has rows, in the report's order."""
    found = [annotators(results), agreement(results), agreement_more(results), accuracy(results), raters(results)]
    for comparison in results.comparisons:
        found += [correlation(results), correlation_more(results), errors(results, comparison), classes(results)]
    found += [borderline(results), changed(results), exclusions(results)]
    return [table for table in found if table.rows]


def _metrics(results: Results, group: str, title: str, caption: str, first: str = "Metric", key: str = "") -> Table:
    found = results.group(group)
    banded = any(finding.band for finding in found)
    rows = tuple((*_cells(results, f), *((Cell(f.band or "–"),) if banded else ())) for f in found)
    columns = (first, *_columns(found)[1:], *(("Band",) if banded else ()))
    return Table(
        key or group.replace(" ", "_"), title, caption, columns, rows, _notes(results, found), frozenset({1, 2, 3})
    )


def _columns(found: Sequence[Finding]) -> tuple[str, ...]:
    confidence = percent_confidence(found[0].estimate) if found else "95%"
    return ("Metric", "Value", f"{confidence} interval", "n")


def _cells(results: Results, finding: Finding) -> tuple[Cell, ...]:
    value = Cell(value_of(finding), id=finding.id)
    return Cell(results.label(finding)), value, Cell(interval_of(finding)), Cell(n_of(finding))


def _notes(results: Results, found: Sequence[Finding]) -> tuple[str, ...]:
    """Why something is undefined, what was left out, and what the statistic warns of."""
    notes: dict[str, None] = {}
    for finding in found:
        estimate = finding.estimate
        if estimate.value is None:
            notes[f"{results.label(finding)}: {UNDEFINED}, since {estimate.note}."] = None
        elif estimate.note:
            notes[f"{results.label(finding)}: {estimate.note}."] = None
        published = statistics.landis_koch(estimate)
        if finding.band and published != finding.band:
            notes[
                f"{results.label(finding)}: “{published}” in the bands as published, which are closed at .20, .40, …"
            ] = None
        for why, n in estimate.left_out.items():
            notes[f"{results.label(finding)}: {n:,} left out ({why})."] = None
    return tuple(notes)


def _judge(results: Results) -> str:
    return judge_name(results.comparisons[0].judge) if results.comparisons else "judge"
