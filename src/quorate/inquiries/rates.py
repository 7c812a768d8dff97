"""How often is the answer Yes? Of all answers, and of verdicts, over what the question applies to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from quorate.exhibits.blocks import Block
from quorate.findings.results import Finding
from quorate.inquiries.base import Inquiry, Part
from quorate.messages import Message
from quorate.sheets.case import RAW, SUMMARY, Case, title_of


class Rates(Inquiry):
    """The share of Yes."""

    name = "rates"
    title = Message("Rates")
    names_questions = with_and_without = True

    def fits(self, case: Case) -> bool:
        """The question takes Yes or No."""
        return case.sheet.question.declared("responses") == ("Yes", "No")

    def find(self, case: Case) -> Iterator[Finding]:
        """The share of Yes among answers, and among the items that have a verdict."""
        reading = case.sheet.reading("responses")
        yes = reading.code == 0
        share = case.share_of_answers(yes, reading.item)
        none = int(case.sheet.missing.get("cannot judge", 0)) if not case.by else 0
        if none:
            share = replace(share, left_out={**share.left_out, "cannot judge": none})
        if share.value is None:
            share = replace(share, note=Message("nobody answered where it applies"))
        yield case.found(
            "rate", share, reading="rating", label=Message("{question} Yes", question=title_of(case.sheet)), unit="%",
            primary=True, counted=(int(yes.sum()), len(yes)), rows=f"{RAW}: response_normalized = Yes",
        )  # fmt: skip
        known = case.verdicts.known
        decided = case.verdicts.code == 0
        yield case.found(
            "rate", case.share(decided, known), reading="verdict", unit="%",
            label=Message("{question} Yes, by verdict", question=title_of(case.sheet)),
            counted=(int(decided.sum()), int(known.sum())), rows=f"{SUMMARY}: verdict = Yes",
        )  # fmt: skip

    def each(self, part: Case) -> Iterable[Finding]:
        """The same in each stratum."""
        return self.find(part)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table: a row each share."""
        found = part.of(self.name)
        if found:
            caption = Message("The share of Yes over what applies, of all answers and of verdicts.")
            yield part.table("rates", self.title, caption, found, first=Message("Question"))
