"""What holds? How often each tag is given, and, beside a pair, whether what it describes lost or won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from quorate.exhibits.blocks import Block
from quorate.exhibits.numbers import in_text, value_of
from quorate.exhibits.tables import listed
from quorate.findings.ids import apart
from quorate.findings.names import quoted
from quorate.findings.results import Finding, Listing, by_question
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.compared import of_sheet
from quorate.languages import LANGUAGES, Words, noted
from quorate.messages import Listed, Message, Sentences, Text
from quorate.records import Shown
from quorate.sheets.case import RAW, Case, told
from quorate.sheets.columns import Bools, Rows
from quorate.sheets.sheet import Sheet

#: An answer of a tags question, to see whether a question is one.
NO_TAG = {"primary": ["x"], "secondary": []}
#: More tags than this make no sentence.
MOST_NAMED = 4


class Tags(Inquiry):
    """How often each tag is given, and to what."""

    name = "tags"
    title = Message("Tags")
    names_questions = True
    is_told_later = True

    def fits(self, case: Case) -> bool:
        """An answer is a choice of tags."""
        return bool(case.sheet.question.tagged(NO_TAG))

    def find(self, case: Case) -> Iterator[Finding]:
        """The share of each tag among the answers that could give it; those about one item go together."""
        given, item, who = tags_table(case.sheet), case.sheet.people.item, _names(case.sheet.people)
        # Where tags need not be given, a rater who was asked and gave none said that none holds.
        if not case.sheet.question.required:
            none = case.sheet.passed
            item, who, given = (
                np.concatenate([item, none.item]),
                np.concatenate([who, _names(none)]),
                np.concatenate([given, np.zeros((len(none), given.shape[1]), bool)]),
            )
        choices = _choices(case.sheet)
        for place, tag in enumerate(offered(case.sheet)):
            asked = np.array([tag in chosen for chosen in choices], bool)[item]
            hits = given[asked, place]
            share = told(case.share_of_answers(hits, item[asked], who[asked]), Message("nobody was asked"))
            words = _words(case.sheet, tag)
            yield case.finding(
                "tag", share, (tag,), statistic="tag rate", unit="%", what=tag, short=words,
                label=Message("{question}: “{tag}”", question=case.title, tag=words),
                counted=(int(hits.sum()), len(hits)), rows=f"{RAW}: response_normalized ∋ {tag}",
            )  # fmt: skip

    def listings(self, case: Case) -> Iterator[Listing]:
        """Tags by what became of the system that they describe."""
        return by_outcome(case)

    def headline(self, part: Part) -> Iterator[Message]:
        """Which tag is given most often."""
        for mine in _asked(part):
            best = max(one.height for one in mine)
            most = [one for one in mine if one.height == best]
            if not best or len(most) > MOST_NAMED:
                continue
            told = Message("On “{question}”, {tags} is given in {share} of the answers that could.")
            if len(mine) > 1:
                told = Message("On “{question}”, {tags} is given most often, in {share} of the answers that could.")
            if len(most) > 1:
                told = Message(
                    "On “{question}”, {tags} are given most often, each in {share} of the answers that could."
                )
            share = in_text(most[0]) if len(most) == 1 else value_of(most[0])
            names = Listed(tuple(quoted(one.short) for one in most))
            yield told.having(question=mine[0].title, tags=names, share=share).because(*mine)

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Of each question that anybody was asked: tags by outcome, and how often each is given."""
        asked = list(_asked(part))
        for mine in asked:
            end = f"_{mine[0].question}" if len(asked) > 1 else ""
            named = Message("The question is “{question}”.", question=mine[0].title)
            for listing in part.listed(self.name):
                if listing.question == mine[0].question:
                    table = listed(listing, part.key(f"tags_by_outcome{end}"))
                    yield replace(table, caption=Sentences((named, listing.caption)))
            caption = Sentences((named, Message("How often each tag is given, of the answers that could.")))
            ranked = sorted(mine, key=lambda one: (not one.is_known, -one.height))
            yield part.short_table(f"tags{end}", self.title, caption, ranked, Message("Tag"))

    def methods(self, told: Told) -> Iterator[Message]:
        """What a share of a tag is of."""
        known = told.known(inquiry=self.name, by="")
        share = Message("How often a tag is given is a share of the answers about items for which it could be chosen.")
        yield from resting(share, known)
        asks = {(section.id, ask.id): ask for section in told.protocol.sections for ask in section.ask}
        free = [one for one in known if not asks[one.section, one.question].question.required]
        none = Message("Where no tag need be chosen, whoever went on without one said that none holds.")
        yield from resting(none, free)


def _names(rows: Rows) -> np.ndarray:
    """Who gave each answer, by name: a rater may have given some answers and passed others over."""
    return np.array(rows.names, object)[rows.who]


def _asked(part: Part) -> Iterator[list[Finding]]:
    """The tags of each question that was put to anybody."""
    return (mine for mine in by_question(part.of(Tags.name)) if any(one.is_known for one in mine))


def _words(sheet: Sheet, tag: str) -> Words:
    """A tag as raters read it, in each language."""
    value = {"primary": [tag], "secondary": []}
    return {language: sheet.question.describe(value, Shown(), None, language) for language in LANGUAGES}


def tags_table(sheet: Sheet) -> Bools:
    """A row for each answer and a column for each tag that could be given: whether it was."""

    def read(rows: Rows) -> Bools:
        places = {tag: place for place, tag in enumerate(offered(sheet))}
        table = np.zeros((len(rows), len(places)), bool)
        for row, value in enumerate(rows.column("value")):
            for tag, _, _ in sheet.question.tagged(value):
                if tag in places:
                    table[row, places[tag]] = True
        return table

    return sheet.aligned("tags", "people", read)


def _choices(sheet: Sheet) -> list[set[str]]:
    """The tags that could be given to each item; items that are alike in what it depends on are looked at once."""
    names = sheet.question.fields()
    keys = [tuple(str(item.fields.get(name)) for name in names) for item in sheet.items]
    known = {
        key: set(sheet.question.outcomes(Shown(), item) or ())
        for key, item in dict(zip(keys, sheet.items, strict=True)).items()
    }
    return [known[key] for key in keys]


def offered(sheet: Sheet) -> list[str]:
    """Every tag that could be given."""
    return list(sheet.question.outcomes(Shown()) or {})


#: The stratum of items that most raters gave none of the tags.
NONE_OF_THESE = noted("none of these")


def marked_apart(case: Case) -> Iterator[Case]:
    """The case over the items that most raters gave a tag, for each tag of an item; and over the rest."""
    for section, id in case.others:
        sheet = case.beside(id) if section == case.sheet.section else None
        if sheet is None or sheet.question.required or not sheet.question.tagged(NO_TAG):
            continue
        ratings = np.bincount(case.sheet.people.item, minlength=case.sheet.n_items)
        rest = np.bincount(np.concatenate([sheet.people.item, sheet.passed.item]), minlength=case.sheet.n_items) > 0
        # A field of the items, and a tag, may have the name as well.
        by, none = apart(id, case.analysis.fields), apart(NONE_OF_THESE, offered(sheet))
        given = tags_table(sheet)
        for place, tag in enumerate(offered(sheet)):
            hits = np.bincount(sheet.people.item, weights=given[:, place], minlength=sheet.n_items)
            these: Bools = (2 * hits > ratings) & (ratings > 0)
            rest &= ~these
            if these.any():
                yield case.part(by, tag, these)
        if not rest.all():
            yield case.part(by, none, rest)


def by_outcome(case: Case) -> Iterator[Listing]:
    """How often each tag describes a system that lost, won or tied by the same rater's choice; and each system."""
    counts: Counter[tuple[str, str]] = Counter()
    primary: Counter[str] = Counter()
    systems: Counter[tuple[str, str]] = Counter()
    compared = _compared(case)
    rows = case.sheet.people
    for item, rater, value in zip(rows.item.tolist(), rows.who.tolist(), rows.column("value"), strict=True):
        outcome = compared.get((case.sheet.items[item].id, case.sheet.raters[rater]))
        for tag, is_primary, system in case.sheet.question.tagged(value):
            if outcome is not None and system:
                counts[tag, _became(outcome, system)] += 1
                primary[tag] += is_primary
                systems[tag, system if system in outcome[:2] else ""] += 1
    if not counts:
        return
    ways = [way for way in BECAME if any(counts[tag, way] for tag, _ in counts) or way != "both"]
    names = sorted({name for _, name in systems if name})
    tags = [tag for tag in offered(case.sheet) if any(counts[tag, way] for way in BECAME)]
    tags.sort(key=lambda tag: (-sum(counts[tag, way] for way in BECAME), tag))
    told: tuple[tuple[Any, ...], ...] = tuple(
        (
            Message("{tag}", tag=_words(case.sheet, tag)),
            *((primary[tag],) if primary.total() else ()),
            *(counts[tag, way] for way in ways),
            *(systems[tag, name] for name in names),
        )
        for tag in tags
    )
    columns = (
        Message("Tag"), *((Message("As primary"),) if primary.total() else ()), *(BECAME[way] for way in ways),
        *(Message("Of “{system}”", system=name) for name in names),
    )  # fmt: skip
    caption = Message(
        "How often each tag was given to what the same rater’s choice made lose, win or tie, and to each system."
    )
    yield case.listing("by_outcome", Tags.name, Message("Tags by outcome"), caption, columns, told)


#: What may become of what a tag describes: both sides are described where one of them wins and the other loses.
BECAME: dict[str, Text] = {
    "lost": Message("Lost"), "won": Message("Won"), "tie": Message("Tied"),
    "both": Message("Both, one of which won"),
}  # fmt: skip

Outcome = tuple[str, str, int]
"""The two systems of a comparison, and the sign of the first."""


def _compared(case: Case) -> dict[tuple[str, str], Outcome]:
    """What each rater said of each pair, by the question whose loser tags describe."""
    sheet = case.beside(case.sheet.question.whose_loser())
    if sheet is None:
        return {}
    found = of_sheet(sheet)
    return {
        (sheet.items[item].id, sheet.raters[who]): (*found.pairs[pair], sign)
        for item, who, pair, sign in zip(
            found.item.tolist(), found.who.tolist(), found.pair.tolist(), found.sign.tolist(), strict=True
        )
    }


def _became(outcome: Outcome, system: str) -> str:
    one, other, sign = outcome
    if sign == 0:
        return "tie"
    if system not in (one, other):
        return "both"
    return "won" if system == (one if sign > 0 else other) else "lost"
