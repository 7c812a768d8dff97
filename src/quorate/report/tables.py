"""The tables that no inquiry makes: who rated, what was excluded, and where each number comes from."""

from __future__ import annotations

from collections.abc import Mapping

from quorate import statistics
from quorate.exhibits.numbers import interval_of, utc, value_of
from quorate.exhibits.tables import Cell, Table
from quorate.findings.results import Results
from quorate.inquiries.table import INQUIRIES
from quorate.messages import Message, Spelled, Text, Word

FEW = 8


def became(results: Results) -> Table:
    """What became of everyone who was invited; nothing where all went the same way."""
    told = results.flow.became
    rows = [(Cell(Word(word)), Cell(f"{n:,}")) for word, n in told.items()] if len(told) > 1 else []
    total = [(Cell(Message("invited in all")), Cell(f"{sum(told.values()):,}"))] if rows else []
    title = Message("Everyone who was invited")
    caption = Message("Everyone who was invited, each counted once, by what became of them.")
    columns = (Message("What became of them"), Message("People"))
    return Table("became", title, caption, columns, (*rows, *total), (), frozenset({1}))


def excluded(results: Results) -> Table:
    """Who was excluded, when and why."""
    rows = tuple(
        (Cell(one.rater), Cell(utc(one.at)[:16].replace("T", " ")), Cell(one.reason or "–"), Cell(f"{one.answers:,}"))
        for one in results.exclusions
    )
    title = Message("Excluded raters")
    caption = Message(
        "Raters whose answers were taken out of the analysis, with the reason that was given. Times are in UTC."
    )
    columns = (Message("Annotator ID"), Message("When"), Message("Why"), Message("Answers"))
    return Table("excluded_raters", title, caption, columns, rows, (), frozenset({3}))


def annotators(results: Results) -> Table:
    """2.2: who rated."""
    people = results.annotators
    headings = list(people[0].background) if people else []
    # A long list of ids alone tells nothing that the flow does not.
    people = people if headings or len(people) <= FEW else ()
    rows = tuple(
        (
            Cell(p.id),
            *(Cell(p.background[heading] or Message("not stated")) for heading in headings),
            Cell(f"{p.answers:,}"),
        )
        for p in people
    )
    columns = (Message("Annotator ID"), *headings, Message("Answers"))
    title = Message("Annotators")
    return Table("annotators", title, _annotators(results), columns, rows, (), frozenset({len(headings) + 1}))


def _annotators(results: Results) -> Message:
    """Who rated, in one sentence."""
    n = len(results.annotators)
    if any(person.background for person in results.annotators):
        return Message(
            "The annotator of the analysis, with what they said of themselves.",
            "The {many} annotators of the analysis, with what they said of themselves.",
            n=n, many=Spelled(n),
        )  # fmt: skip
    return Message("The annotator of the analysis.", "The {many} annotators of the analysis.", n=n, many=Spelled(n))


def borderline(results: Results) -> Table:
    """Every borderline answer and what the team decided."""
    words = {True: Message("correct"), False: Message("not correct"), None: Message("open")}
    by_meaning = any(b.close_by != "letters" for b in results.borderline)
    rows = tuple(
        (
            Cell(b.target), Cell(b.example), *((Cell(CLOSE_BY[b.close_by]),) if by_meaning else ()),
            Cell(f"{b.votes_for} : {b.votes_against}"), Cell(words[b.correct]),
        )
        for b in results.borderline
    )  # fmt: skip
    close = (Message("Close by"),) if by_meaning else ()
    columns = (
        Message("Target (canonical)"), Message("Answer (as typed)"), *close, Message("Votes for : against"),
        Message("Decision"),
    )  # fmt: skip
    return Table("borderline", Message("Borderline answers"), _borderline(results), columns, rows)


#: What brings an answer close to its target.
CLOSE_BY: Mapping[str, Message] = {"letters": Message("letters"), "meaning": Message("meaning")}


def _borderline(results: Results) -> Message:
    """How many answers were close to their target, in one sentence."""
    n, waiting = len(results.borderline), sum(case.is_open for case in results.borderline)
    close = Message(
        "{n} answer was close to the target without matching it",
        "{n} answers were close to the target without matching it",
        n=n,
    )
    if waiting:
        return Message("{close}; {waiting} of them wait for the team’s decision.", close=close, waiting=waiting)
    return Message("{close}; the team decided about each.", close=close)


def changed(results: Results) -> Table:
    """What the decisions changed."""
    rows = tuple(
        (Cell(results.label(after)), Cell(value_of(before)), Cell(value_of(after), id=after.id))
        for before, after in results.changes.figures
    )
    caption = Message(
        "What the team’s decisions changed: {n} answer became correct.",
        "What the team’s decisions changed: {n} answers became correct.",
        n=len(results.changes.flips),
    )
    columns = (Message("Figure"), Message("Before the decisions"), Message("After"))
    return Table("changes", Message("Effect of the decisions"), caption, columns, rows, (), frozenset({1, 2}))


def exclusions(results: Results) -> Table:
    """Results with and without excluded raters."""
    kept = {finding.id: finding for finding in results.with_excluded}
    told = {inquiry.name for inquiry in INQUIRIES if inquiry.with_and_without}
    rows = tuple(
        (
            Cell(results.label(f)),
            Cell(value_of(f), id=f.id, small=interval_of(f)),
            Cell(value_of(k), small=interval_of(k)),
        )
        for f, k in ((f, kept.get(f.id)) for f in results.findings if not f.by and f.inquiry in told)
        if k is not None
    )
    title = Message("With and without exclusions")
    caption = Message("The results with excluded raters kept in, beside those reported.")
    columns = (Message("Metric"), Message("As reported"), Message("Excluded raters kept in"))
    return Table("exclusions", title, caption, columns, rows, (), frozenset({1, 2}))


#: What statistics are called, for a figure that could not be computed.
TITLES: Mapping[str, Text] = {row.found_as: row.title for row in statistics.TABLE}


def evidence(results: Results) -> Table:
    """Every number: its id, how it was computed, and the rows that it comes from."""
    rows = tuple(
        (
            Cell(results.label(f), small=f.id),
            Cell(value_of(f), id=f.id, small=interval_of(f)),
            Cell(f.estimate.method or TITLES.get(f.statistic, "–")),
            Cell(f.rows),
        )
        for f in results.findings
    )
    columns = (
        Message("Number, and its id in results.json"), Message("Value"), Message("Method"), Message("Rows")
    )  # fmt: skip
    caption = Message(
        "Every number with its id, how it was computed, and the files and columns that it comes from; in square "
        "brackets, which of their rows."
    )
    title = Message("Where each number comes from")
    return Table("evidence", title, caption, columns, rows, (), frozenset({1}))
