"""How often is each answer given? Of all answers, and of verdicts, over what the question applies to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from quorate.exhibits.blocks import Block
from quorate.exhibits.breakdowns import fields
from quorate.exhibits.tables import Table
from quorate.findings.names import plain
from quorate.findings.results import Finding, select
from quorate.inquiries.base import SMALL, Inquiry, Part
from quorate.inquiries.scores import Scores
from quorate.languages import LANGUAGES
from quorate.messages import Message, Sentences, Text
from quorate.records import Shown
from quorate.sheets.case import RAW, SUMMARY, Case, title_of

YES_OR_NO = ("Yes", "No")


class Rates(Inquiry):
    """The share of each option where none is right; of Yes where the answer is Yes or No."""

    name = "rates"
    title = Message("Rates")
    names_questions = with_and_without = True

    def fits(self, case: Case) -> bool:
        """The question offers every item the same options without an order, none of them right."""
        return bool(_told(case))

    def find(self, case: Case) -> Iterator[Finding]:
        """The share of each option among answers, and among the items that have a verdict."""
        reading, known = case.sheet.reading("responses"), case.verdicts.known
        none = int(case.sheet.missing.get("cannot judge", 0)) if not case.by else 0
        for place, option in enumerate(_told(case)):
            said = reading.code == place
            share = case.share_of_answers(said, reading.item, reading.who)
            if none:
                share = replace(share, left_out={**share.left_out, "cannot judge": none})
            if share.value is None:
                share = replace(share, note=Message("nobody answered where it applies"))
            names = {"question": title_of(case.sheet), "option": _words(case, option)}
            what = "" if _is_yes_or_no(case) else option
            yield case.found(
                "rate", share, reading="rating", what=what, label=Message("{question} {option}", **names), unit="%",
                primary=_is_yes_or_no(case), counted=(int(said.sum()), len(said)),
                rows=f"{RAW}: response_normalized = {option}",
            )  # fmt: skip
            decided = case.verdicts.code == place
            yield case.found(
                "rate", case.share(decided, known), reading="verdict", what=what, unit="%",
                label=Message("{question} {option}, by verdict", **names),
                counted=(int(decided.sum()), int(known.sum())), rows=f"{SUMMARY}: verdict = {option}",
            )  # fmt: skip

    def each(self, part: Case) -> Iterable[Finding]:
        """The same in each stratum."""
        return self.find(part)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """One table: a row each share."""
        found = part.of(self.name)
        if not found:
            return
        caption = Message("The share of Yes over what applies, of all answers and of verdicts.")
        if any(one.what for one in found):
            caption = Message("The share of each answer over what applies, of all answers and of verdicts.")
        yield part.table("rates", self.title, caption, found, first=Message("Question"))
        for by in fields(part.protocol):
            for question in dict.fromkeys(one.question for one in found if one.what):
                yield from _by_stratum(part, by, question)
            # Beside scores the shares of Yes stand in their table.
            if not part.of(Scores.name):
                yield from _by_stratum(part, by)


def _by_stratum(part: Part, by: str, question: str = "") -> Iterator[Table]:
    """A row for each stratum and a column for each option of a question, or the share of Yes of each question."""
    of = {"question": question} if question else {"what": ""}
    here = part.in_strata(Rates.name, by=by, reading="rating", **of)
    whole = part.of(Rates.name, reading="rating", **of)
    field = plain(by)
    options = {case.sheet.id: case for case in part.cases}
    columns = [
        (_words(options[one.question], one.what) if question else one.title,
         list(select(here, question=one.question, what=one.what)))
        for one in whole
    ]  # fmt: skip
    told = Message("The share of Yes of all answers, by {field}.", field=field)
    if question:
        title = part.title_of(question, part.section.id)
        told = Message("“{question}”: the share of each answer, by {field}.", question=title, field=field)
    name = f"rates_{question}" if question else "rates"
    yield from part.by_stratum(name, by, Message("Rates by {field}", field=field), Sentences((told, SMALL)), columns)


def _told(case: Case) -> tuple[str, ...]:
    """The options whose shares are told: Yes says what No is."""
    question = case.sheet.question
    if "responses" not in question.readings() or question.scale() or question.is_scored() or question.compares():
        return ()
    return question.declared("responses")[: 1 if _is_yes_or_no(case) else None]


def _is_yes_or_no(case: Case) -> bool:
    return case.sheet.question.declared("responses") == YES_OR_NO


def _words(case: Case, option: str) -> Text:
    """An option as raters read it, in each language."""
    if _is_yes_or_no(case):
        return Message("Yes")
    return {language: case.sheet.question.describe(option, Shown(), None, language) for language in LANGUAGES}
