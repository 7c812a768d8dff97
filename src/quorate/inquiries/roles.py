"""Which kind of option was taken: the target, a near one, the literal one, none. Who is misled by the surface?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from quorate.exhibits.blocks import Block
from quorate.findings.names import judge_name
from quorate.findings.results import Finding, select
from quorate.inquiries.base import Inquiry, Part
from quorate.messages import Message, Sentences, Text
from quorate.sheets.case import JUDGED, RAW, Case
from quorate.sheets.columns import Reading

#: A role in the words of a table; the literal one is what a surface reading would take.
ROLES: Mapping[str, Message] = {
    "target": Message("target"),
    "literal": Message("literal (surface bias)"),
    "none": Message("none of the above"),
}
LITERAL = Message("The literal option is what is shown, taken at its surface; its share is the surface-bias rate.")


class Roles(Inquiry):
    """The share of each kind of option among people's answers, and among every judge's."""

    name = "roles"
    title = Message("Options by role")

    def fits(self, case: Case) -> bool:
        """Its options have roles."""
        return "role" in case.sheet.question.readings()

    def find(self, case: Case) -> Iterator[Finding]:
        """A share for each role, of people and of each judge."""
        people = Message("People")
        yield from _of(case, case.sheet.reading("role"), "", people, f"{RAW}: response_normalized")
        for judge in case.sheet.judges:
            rows = f"{JUDGED}: response_normalized"
            yield from _of(case, case.sheet.of_judge(judge, "role"), judge, judge_name(judge), rows)

    def each(self, part: Case) -> Iterable[Finding]:
        """How often the literal option was taken."""
        return select(self.find(part), what="literal")

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table."""
        found = part.of(self.name)
        caption: Text = Message("Which kind of option was taken, of all answers.")
        if any(one.what == "literal" for one in found):
            caption = Sentences((caption, LITERAL))
        yield part.table("roles", self.title, caption, found, first=Message("Who: role"))


def in_words(role: str) -> Text:
    """A role as a table has it; distractors of one kind are told apart by their numbers."""
    kind, _, number = role.partition("_")
    if kind == "semantic":
        return Message("semantic distractor {number}", number=number)
    return ROLES.get(role, role)


def _of(case: Case, reading: Reading, judge: str, name: Text, rows: str) -> Iterator[Finding]:
    for code, role in enumerate(reading.labels):
        hits = reading.code == code
        label = Message("{who}: {what}", who=name, what=in_words(role))
        share = case.share_of_answers(hits, reading.item, None if judge else reading.who)
        yield case.finding(
            f"role.judge.{judge}" if judge else "role.people", share, (role,), statistic="role", unit="%", what=role,
            judge=judge, label=label, counted=(int(hits.sum()), len(hits)), rows=f"{rows} = {role}",
        )  # fmt: skip
