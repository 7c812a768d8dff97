"""Results in each part of the items: a row a stratum, a column a figure, as the protocols lay them out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quorate.analyse.inquiry import slug
from quorate.analyse.results import Finding, Results
from quorate.conditions import condition
from quorate.protocol import Protocol, Section
from quorate.records import Item
from quorate.report.numbers import interval_of, n_of, p_value, value_of
from quorate.report.tables import Cell, Table, scoped

NONE = "—"


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of a breakdown: what its findings' ids hold, and its heading."""

    holds: str
    heading: str
    test: bool = False


#: The figures of each kind of table, in order; a column that nothing fills is left away.
KINDS: dict[str, tuple[Column, ...]] = {
    "recognition": (
        Column(".accuracy.individual", "Individual accuracy"),
        Column(".accuracy.majority", "Majority accuracy"),
        Column(".accuracy.judge.", "Judge’s accuracy"),
        Column(".fleiss_kappa.", "Fleiss’ κ"),
        Column(".cohen_kappa", "Cohen’s κ, judge"),
        Column(".role.people.literal", "Surface bias"),
        Column(".ambiguity", "Ambiguous"),
    ),
    "preference": (
        Column(".success_rate.rating", "Success rate (RSR)"),
        Column(".net_gain.rating", "Net gain, points"),
        Column(".tie_rate", "Ties"),
        Column(".sign_test", "Wins among decided items"),
        Column(".sign_test", "p (Holm)", test=True),
    ),
    "agreement": (
        Column(".percent_agreement.", "Agreement"),
        Column(".fleiss_kappa.", "Fleiss’ κ"),
        Column(".krippendorff_alpha.", "Krippendorff’s α"),
        Column(".ambiguity", "Ambiguous"),
    ),
}


def breakdowns(protocol: Protocol, results: Results, section: Section, kind: str) -> Iterator[Table]:
    """A table for each field by which the study breaks results down, and each question that has such figures."""
    for by in fields(protocol):
        for ask in section.ask:
            found = [f for f in results.findings if f.by == by and f.section == section.id and f.question == ask.id]
            columns = [c for c in KINDS[kind] if any(c.holds in f.id for f in found)]
            if columns and columns[0] is KINDS[kind][0]:
                yield _table(
                    found, columns, by, ask.id, kind, scoped(f"{kind}_{ask.id}_by_{by}", _scope(protocol, section))
                )


def _table(found: Sequence[Finding], columns: Sequence[Column], by: str, question: str, kind: str, key: str) -> Table:
    rows = []
    first = columns[0].holds
    keys = dict.fromkeys((f.stratum, _pair(f, first)) for f in found if first in f.id)
    several = len({pair for _, pair in keys}) > 1
    for stratum, pair in keys:
        mine = [f for f in found if f.stratum == stratum and _pair(f, first) in (pair, None)]
        cells = [_cell(next((f for f in mine if c.holds in f.id and _fits(f, c, pair)), None), c) for c in columns]
        of = [Cell(pair.replace(".", " against "))] if several and pair else []
        rows.append((Cell(stratum), *of, *cells))
    name = by.replace("_", " ")
    heads = (name.capitalize(), *(("Pair",) if several else ()), *(column.heading for column in columns))
    caption = f"{kind.capitalize()} by {name}: {question.replace('_', ' ')}. Small: the interval, and what n counts."
    numeric = frozenset(range(1 + several, len(heads)))
    return Table(key, f"{kind.capitalize()} by {name}", caption, heads, tuple(rows), (), numeric)


def _pair(finding: Finding, holds: str) -> str | None:
    """The two systems of a finding of one pair; nothing where there is but one."""
    if holds not in (".success_rate.rating",):
        return ""
    for name in (".success_rate.rating", ".net_gain.rating", ".sign_test", ".tie_rate"):
        if name in finding.id:
            return finding.id.split(name)[1].split(".by.")[0].strip(".")
    return None


def _fits(finding: Finding, column: Column, pair: str | None) -> bool:
    return not pair or finding.id.split(column.holds)[1].split(".by.")[0].strip(".") == pair


def _cell(finding: Finding | None, column: Column) -> Cell:
    if finding is None:
        return Cell(NONE)
    if column.test:
        return Cell(p_value(finding.p_adjusted), id=finding.id)
    mark = " ▲" if finding.band == "to be reassessed" else ""
    small = " · ".join(part for part in (interval_of(finding), n_of(finding)) if part not in ("–", ""))
    return Cell(value_of(finding) + mark, id=finding.id, small=small if finding.estimate.value is not None else "")


def score_tables(
    protocol: Protocol, results: Results, section: Section, items: Sequence[Item], titles: dict[str, str]
) -> Iterator[Table]:
    """Means of every score by each field, with the numbers of items of each kind; the last row is over all items."""
    questions = [f.question for f in results.group("scores", section.id) if f.statistic == "mean" and f.primary]
    questions += [f.question for f in results.group("rates", section.id) if f.id.endswith(".rate.yes")]
    questions = list(dict.fromkeys(questions))
    by_id = {finding.id: finding for finding in results.findings}
    marked = [
        f.by for f in results.findings
        if f.group == "scores" and f.section == section.id and f.by and f.by not in fields(protocol)
    ]  # fmt: skip
    for by in (*fields(protocol), *dict.fromkeys(marked)):
        strata = dict.fromkeys(
            f.stratum for f in results.findings if f.by == by and f.section == section.id and f.group == "scores"
        )
        kinds = counted_kinds(section, items) if by in fields(protocol) else {}
        rows = []
        for stratum in strata:
            cells = [_mean(by_id, section.id, question, f".by.{by}.{slug(stratum)}") for question in questions]
            counts = [Cell(f"{_count(items, by, stratum, *kind):,}") for kind in kinds.values()]
            rows.append((Cell(stratum), *cells, *counts))
        whole = [_mean(by_id, section.id, question, "") for question in questions]
        totals = [Cell(f"{_count(items, '', '', *kind):,}") for kind in kinds.values()]
        rows.append((Cell("All items"), *whole, *totals))
        name = by.replace("_", " ")
        caption = (
            f"Results by {name}: the mean over items of each score, and the share of Yes. Small: the interval. A dash: "
            "the question does not apply there. The last row is over all items."
        )
        heads = (name.capitalize(), *(titles.get(q, q.replace("_", " ").capitalize()) for q in questions), *kinds)
        if strata:
            key = scoped(f"scores_by_{by}", _scope(protocol, section))
            yield Table(key, f"Results by {name}", caption, heads, tuple(rows), (), frozenset(range(1, len(heads))))


def _mean(found: dict[str, Finding], section: str, question: str, suffix: str) -> Cell:
    for metric in ("mean", "rate.yes"):
        finding = found.get(f"{section}.{question}.{metric}{suffix}")
        if finding is not None and finding.estimate.value is not None:
            between = interval_of(finding)
            return Cell(value_of(finding), id=finding.id, small="" if between == "–" else between)
    return Cell(NONE)


def counted_kinds(section: Section, items: Sequence[Item]) -> dict[str, tuple[str, str]]:
    """The kinds of items that questions apply to (figures, tables), by heading: a field and its value."""
    names = {name for ask in section.ask if ask.applies_when for name in condition(ask.applies_when).names}
    asked = {ask.id for ask in section.ask}
    found: dict[str, tuple[str, str]] = {}
    for field in sorted(names - asked):
        values = sorted({str(item.fields[field]) for item in items if field in item.fields})
        if 1 < len(values) <= 4 and not all(value.isdecimal() for value in values):
            found |= {f"{value.capitalize()}s": (field, value) for value in values}
    return found


def _count(items: Sequence[Item], by: str, stratum: str, field: str, value: str) -> int:
    here = [item for item in items if not by or str(item.fields.get(by)) == stratum]
    return sum(str(item.fields.get(field)) == value for item in here)


def _scope(protocol: Protocol, section: Section) -> str | None:
    return section.id if len(protocol.sections) > 1 else None


def fields(protocol: Protocol) -> tuple[str, ...]:
    """The fields by which the study breaks results down."""
    by = protocol.analysis.by
    return (by,) if isinstance(by, str) and by else tuple(by)


def pivot(
    key: str, title: str, caption: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Finding | None]]]
) -> Table:
    """A row for each name and a column for each figure; rows without any figure are left away."""
    cells = tuple(
        (Cell(name), *(_cell(finding, Column("", "")) for finding in found))
        for name, found in rows
        if any(finding is not None for finding in found)
    )
    used = [place for place in range(1, len(columns)) if any(row[place].text != NONE for row in cells)]
    kept = (0, *used)
    trimmed = tuple(tuple(row[place] for place in kept) for row in cells)
    heads = tuple(columns[place] for place in kept)
    return Table(key, title, caption, heads, trimmed, (), frozenset(range(1, len(heads))))


def agreement_overview(results: Results, section: str, titles: dict[str, str], key: str, caption: str) -> Table:
    """Agreement of every question of a section, a row each."""
    found = [f for f in results.findings if f.section == section and not f.by]
    questions = list(dict.fromkeys(f.question for f in found if f.group == "agreement"))
    rows = []
    for question in questions:
        mine = [f for f in found if f.question == question]
        figures = [_first(mine, ".fleiss_kappa."), _first(mine, ".krippendorff_alpha."), _first(mine, ".gwet_ac."),
                   _first(mine, ".percent_agreement."), _first(mine, ".full_agreement.")]  # fmt: skip
        rows.append((titles.get(question, question), figures))
    heads = ("Question", "Fleiss’ κ", "Krippendorff’s α", "Gwet’s AC1", "Pairs that agree", "Items all agree on")
    return pivot(key, "Inter-annotator agreement", caption, heads, rows)


def agreement_by(results: Results, section: str, by: str, titles: dict[str, str], key: str) -> Table:
    """Percent agreement of every question in each stratum."""
    found = [f for f in results.parts("agreement", section) if f.by == by and f.statistic == "percent agreement"]
    questions = list(dict.fromkeys(f.question for f in found))
    rows = [
        (stratum, [next((f for f in found if f.stratum == stratum and f.question == q), None) for q in questions])
        for stratum in dict.fromkeys(f.stratum for f in found)
    ]
    heads = (by.replace("_", " ").capitalize(), *(titles.get(q, q) for q in questions))
    caption = f"Pairs of answers that agree, by {by.replace('_', ' ')}. Small: the interval, and the number of items."
    return pivot(key, f"Agreement by {by.replace('_', ' ')}", caption, heads, rows)


def pairs_table(results: Results, section: str, key: str, caption: str) -> Table:
    """Every pair of systems: a row each."""
    found = results.group("preference", section)
    names = list(dict.fromkeys(f.id.split(".success_rate.rating")[1] for f in found if ".success_rate.rating" in f.id))
    rows = []
    for name in names:
        figures = [
            next((f for f in found if f.id.endswith(f"{kind}{name}")), None)
            for kind in (".success_rate.verdict", ".success_rate.rating", ".net_gain.rating", ".tie_rate")
        ]
        test = next((f for f in found if f.id.endswith(f".sign_test{name}")), None)
        rows.append((name.strip(".").replace(".", " against "), figures, test))
    heads = ("Pair", "RSR by verdict", "RSR by rating", "Net gain by rating", "Ties")
    table = pivot(key, "Preference", caption, heads, [(name, figures) for name, figures, _ in rows])
    tests = [Cell(p_value(test.p_adjusted) if test else NONE, id=test.id if test else "") for *_, test in rows]
    cells = tuple((*row, test) for row, test in zip(table.rows, tests, strict=True))
    columns = (*table.columns, "p (sign test, Holm)")
    return Table(key, table.title, caption, columns, cells, (), frozenset(range(1, len(columns))))


def rater_table(results: Results, section: str, key: str, caption: str) -> Table:
    """Every rater: agreement with the others, accuracy, ties and pace, as far as the section has them."""
    found = [f for f in results.findings if f.section == section and not f.by]
    found = [f for f in found if ".playback." not in f.id]
    kinds = (".agreement_with_rest.", ".accuracy.rater.", ".tie_rate.rater.", ".seconds.", ".too_fast.", ".same_again.")
    who = dict.fromkeys(f.id.split(kind)[1] for kind in kinds for f in found if kind in f.id)
    rows = [(rater, [next((f for f in found if f.id.endswith(kind + rater)), None) for kind in kinds]) for rater in who]
    heads = (
        *("Rater", "Agreement with the others", "Accuracy", "Ties", "Median seconds an item"),
        *("Too fast", "Same as the answer before"),
    )
    return pivot(key, "Raters", caption, heads, rows)


def metrics_table(
    results: Results, section: str, titles: dict[str, str], columns: Sequence[str], key: str, caption: str
) -> Table:
    """Every score with every automatic metric: a row each, three correlations side by side."""
    found = {f.id: f for f in results.group("metrics", section)}
    kinds = ("spearman", "kendall", "pearson")
    rows = [
        (f"{titles[question]} and {heading(column)}",
         [found.get(f"{section}.{question}.metric.{column}.{kind}") for kind in kinds])
        for question in titles for column in columns
    ]  # fmt: skip
    heads = ("Score and metric", "Spearman’s ρ", "Kendall’s τ-b", "Pearson’s r")
    return pivot(key, "Scores and automatic metrics", caption, heads, rows)


#: Words of an id that are abbreviations.
SHORT = {"vlm", "mllm", "llm", "ai", "wer", "id", "pdf"}


def heading(id: str) -> str:
    """An id as the head of a column.

    >>> heading("vlm_score"), heading("resists_misleading")
    ('VLM Score', 'Resists Misleading')
    """
    return " ".join(word.upper() if word in SHORT else word.capitalize() for word in id.split("_"))


def _first(found: Sequence[Finding], holds: str) -> Finding | None:
    return next((f for f in found if holds in f.id), None)
