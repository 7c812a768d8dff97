"""How did each rater do on checks, and whom does the study's rule exclude? Stated before the data, applied to all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from quorate.exhibits.blocks import Block
from quorate.exhibits.tables import listed
from quorate.findings.names import stated
from quorate.findings.results import Listing
from quorate.inquiries.base import Inquiry, Part, Told
from quorate.languages import noted, without_stop
from quorate.messages import Message, Text, Word
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.sheets.case import Case
from quorate.sheets.quality import excluding, quality
from quorate.sheets.sheet import natural

YES = noted("yes")
COLUMNS: tuple[Text, ...] = (
    Message("Rater"), Message("Items answered"), Message("Checks"), Message("Checks failed"),
    Message("Asked again"), Message("Answers changed"), Message("Median seconds an item"), Message("Too fast, %"),
    Message("Longest run of one answer"), Message("Went on without media"), Message("The rule holds"),
)  # fmt: skip
CHECKS, FAILED, AGAIN, CHANGED = 2, 3, 4, 5


class QualityChecks(Inquiry):
    """Checks, repeats, pace and sameness by rater, and the rule of exclusion."""

    name = "checks"
    title = Message("Checks by rater")
    paragraph = Message("Quality control")

    def fits(self, case: Case) -> bool:
        """Checks are of raters, and of no single question."""
        return False

    def recorded(self, protocol: Protocol, collected: Collected) -> Iterator[Listing]:
        """A row a rater, whoever is excluded among them."""
        if protocol.raters.checks is None and protocol.raters.exclude is None:
            return
        found = quality(protocol, collected.answers, collected.checks, collected.gold)
        out, asks_again = excluding(protocol, found), any(one.repeats for one in found.values())
        rows = [
            (
                one.rater, one.answers,
                *((one.checks, one.checks_failed) if collected.gold else ("", "")),
                *((one.repeats, one.repeats_changed) if asks_again else ("", "")),
                "" if one.median_seconds is None else one.median_seconds,
                "" if one.too_fast is None else 100 * one.too_fast,
                one.longest_run or "", one.media_failed or "", Word(YES) if one.rater in out else "",
            )
            for one in sorted(found.values(), key=lambda one: natural(one.rater))
        ]  # fmt: skip
        caption = Message(
            "How each rater worked, whoever is excluded among them: items with known answers (failed where any answer "
            "is another one), own items asked again, pace, and the longest run of one answer. Too fast is below three "
            "tenths of the median of raters’ median times."
        )
        section = protocol.sections[0].id
        yield Listing(self.name, self.name, section, "", self.title, caption, COLUMNS, tuple(rows))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The table, in the supplement."""
        for listing in part.listed(self.name):
            yield replace(listed(listing, part.key("checks")), further=True)

    def methods(self, told: Told) -> Iterator[Message]:
        """The rule with how many it held for, and how checks were answered."""
        rows = [row for one in told.results.listings if one.group == self.name for row in one.rows]
        n, failed = (sum(row[place] or 0 for row in rows) for place in (CHECKS, FAILED))
        if n:
            yield Message(
                "{n} item with a known answer was answered, counted for each rater; {failed} was failed.",
                "{n} items with known answers were answered, counted for each rater; {failed} were failed.",
                n=n, failed=failed, rests_on=[stated("raters.checks.gold")],
            )  # fmt: skip
        n, changed = (sum(row[place] or 0 for row in rows) for place in (AGAIN, CHANGED))
        if n:
            yield Message(
                "{n} item came a second time to its rater; the answer to {changed} changed.",
                "{n} items came a second time to their raters; the answers to {changed} changed.",
                n=n, changed=changed, rests_on=[stated("raters.checks.repeats")],
            )  # fmt: skip
        rule = told.protocol.raters.exclude
        if rule is not None and rows:
            yield Message(
                "Raters were to be excluded by a rule that the protocol states and that is applied to all alike: "
                "“{rule}”. It held of {k} of {n} rater.",
                "Raters were to be excluded by a rule that the protocol states and that is applied to all alike: "
                "“{rule}”. It held of {k} of {n} raters.",
                rule=rule.when,
                k=sum(row[-1] != "" for row in rows), n=len(rows), rests_on=[stated("raters.exclude")],
            )  # fmt: skip
            if rule.because:
                words = without_stop(rule.because)
                yield Message("The reason given for it: “{words}”.", words=words, rests_on=[stated("raters.exclude")])
