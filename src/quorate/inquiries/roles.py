"""Which kind of option was taken: the target, a near one, the literal one, none. Who is misled by the surface?"""

from __future__ import annotations

from collections.abc import Iterator

from quorate.findings.names import judge_name
from quorate.findings.results import Finding, select
from quorate.sheets.case import JUDGED, RAW, Case
from quorate.sheets.columns import Reading

#: A role in the words of a table; the literal one is what a surface reading would take.
ROLES = {"target": "target", "literal": "literal (surface bias)", "none": "none of the above"}


def roles(case: Case) -> Iterator[Finding]:
    """The share of each role among people's answers, and among every judge's."""
    yield from _of(case, case.sheet.reading("role"), "", "People", f"{RAW}: response_normalized")
    for judge in case.sheet.judges:
        rows = f"{JUDGED}: response_normalized"
        yield from _of(case, case.sheet.of_judge(judge, "role"), judge, judge_name(judge), rows)


def surface_bias(case: Case) -> Iterator[Finding]:
    """In each part of the items: how often the literal option was taken."""
    yield from select(roles(case), what="literal")


def _of(case: Case, reading: Reading, judge: str, name: str, rows: str) -> Iterator[Finding]:
    for code, role in enumerate(reading.labels):
        hits = reading.code == code
        words = ROLES.get(role, role.replace("_", " "))
        yield case.finding(
            f"role.judge.{judge}" if judge else "role.people", case.share_of_answers(hits, reading.item), (role,),
            statistic="role", unit="%", what=role, judge=judge, label=f"{name}: {words}", group="roles",
            counted=(int(hits.sum()), len(hits)), rows=f"{rows} = {role}",
        )  # fmt: skip
