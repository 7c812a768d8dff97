"""What the team decided where raters could not settle it, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quorate.findings.results import Listing
from quorate.records import Answer
from quorate.sheets.case import Case


def reason_of(answer: Answer) -> tuple[str, Answer]:
    """Why a member decided so, and the decision as the page sent it; no reason where a rater answered."""
    if answer.by != "member" or not isinstance(answer.raw, dict) or "reason" not in answer.raw:
        return "", answer
    return str(answer.raw["reason"]), replace(answer, raw=answer.raw.get("raw"))


def is_adjudicated(case: Case) -> bool:
    """The team decided something about this question."""
    return bool(len(case.sheet.members))


def adjudicated(case: Case) -> Iterator[Listing]:
    """Every decision on an item with its reason: the newest of each member."""
    sheet = case.sheet
    on = sheet.question.verdict_on()
    rows = []
    for answer, place in zip(sheet.members.answers, sheet.members.item.tolist(), strict=True):
        said = sheet.question.category(on, answer.value, sheet.items[place]) if on else answer.value
        rows.append((answer.item, str(said), reason_of(answer)[0], answer.rater))
    n = len({row[0] for row in rows})
    yield Listing(
        f"{sheet.section}.{sheet.id}.adjudicated", "adjudicated", sheet.section, sheet.id, "Decisions of the team",
        f"What the team decided about {n:,} item{'' if n == 1 else 's'} that raters had not settled, and why.",
        ("Item", "Decision", "Why", "Member"), tuple(rows),
    )  # fmt: skip
