"""What an inquiry promises: what it finds in the answers, and all that a report says of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar

from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.breakdowns import PAIR, pivot
from quorate.exhibits.tables import Cell, Table, metrics, scoped
from quorate.findings.names import plain
from quorate.findings.results import Finding, Listing, Results, first
from quorate.languages import capital
from quorate.messages import Message, Sentences, Text, said
from quorate.protocol import Protocol, Section
from quorate.records import Collected, Item
from quorate.sheets.case import Case

#: Strata of fewer items than this stand in the supplement.
FEW_ITEMS = 10
SMALL = Message("Small: the interval, and what n counts.")


@dataclass(frozen=True)
class Told:
    """A study with its results, as the sentences about it need it."""

    protocol: Protocol
    results: Results

    def known(self, **fields: Any) -> tuple[Finding, ...]:
        """The findings that have a value and whose fields are these."""
        return tuple(one for one in self.results.select(**fields) if one.is_known)

    def title_of(self, question: str, section: str) -> Text:
        """What a question or score is called, in each language that it has."""
        asked = [ask for ask in self.protocol.section(section).ask if ask.id == question]
        return (asked[0].question.prompt if asked else "") or plain(question)


@dataclass(frozen=True)
class Part(Told):
    """One section of the study with its results, as its tables and figures need it."""

    section: Section
    cases: Sequence[Case]
    language: str = "en"

    @cached_property
    def scope(self) -> str | None:
        """The section's id where there are several; tables and figures are then named by it."""
        return self.section.id if len(self.protocol.sections) > 1 else None

    @cached_property
    def items(self) -> Sequence[Item]:
        """The drawn items, whichever of them a question is asked about."""
        return next(iter(self.cases[0].others.values())).items if self.cases else ()

    def key(self, name: str) -> str:
        """The key of a table or a figure of this section."""
        return scoped(name, self.scope)

    def say(self, text: Text) -> str:
        """A text in the report's language, for what is drawn."""
        return said(text, self.language)

    def of(self, inquiry: str, **fields: Any) -> tuple[Finding, ...]:
        """What an inquiry found in this section, over all items unless the fields say otherwise."""
        wanted = {"by": "", "round": 1, **fields}
        return self.results.select(inquiry=inquiry, section=self.section.id, **wanted)

    def in_strata(self, inquiry: str, **fields: Any) -> tuple[Finding, ...]:
        """What an inquiry found in the strata of this section."""
        found = self.results.select(inquiry=inquiry, section=self.section.id, round=1, **fields)
        return tuple(one for one in found if one.by)

    def about(self, finding: Finding, sentence: Text) -> Message:
        """A sentence about a finding, with its question before it where the inquiry found the same of several."""
        return of_question(finding, sentence, self.of(finding.inquiry))

    def table(
        self, name: str, title: Text, caption: Text, found: Sequence[Finding], first: Text = "", further: bool = False
    ) -> Table:
        """Findings as a table: a row each with value, interval and n; `further` puts it into the supplement."""
        return replace(metrics(self.results, self.key(name), title, caption, found, first), further=further)

    def short_table(
        self, name: str, title: Text, caption: Text, found: Sequence[Finding], first: Text = "", further: bool = False
    ) -> Table:
        """A table whose rows are called by their short labels, since its caption says what all of them are of."""
        table = self.table(name, title, caption, found, first, further)
        names = [self.results.label(one, one.short) for one in found]
        rows = tuple((replace(head, text=name), *rest) for name, (head, *rest) in zip(names, table.rows, strict=True))
        return replace(table, rows=rows)

    def by_stratum(
        self, name: str, by: str, title: Text, caption: Text, columns: Sequence[tuple[Text, Iterable[Finding]]],
        counted: Iterable[Finding] | None = None, further: bool = False,
    ) -> Iterator[Table]:  # fmt: skip
        """A row for each stratum of a field, and a column for each heading with its findings.

        Strata of few items stand in a table of the supplement; `counted` says of how many each is, unless all do.
        """
        held = [list(found) for _, found in columns]
        n: dict[str, int] = {}
        for one in chain(*held) if counted is None else counted:
            n[one.stratum] = max(n.get(one.stratum, 0), one.n)
        heads = (capital(plain(by)), *(heading for heading, _ in columns))
        for few in (False,) if further else (False, True):
            rows = [
                (stratum, [first(found, stratum=stratum) for found in held])
                for stratum in n if further or (n[stratum] < FEW_ITEMS) is few
            ]  # fmt: skip
            key = f"{name}_by_{by}_few" if few and len(rows) < len(n) else f"{name}_by_{by}"
            if rows:
                yield pivot(self.key(key), title, caption, heads, rows, few or further)

    def by_pair(
        self, name: str, title: Text, caption: Text, columns: Sequence[Text],
        rows: Sequence[tuple[Text, tuple[Text, ...], Sequence[Finding | Cell | None]]], further: bool = True,
    ) -> Table:  # fmt: skip
        """A row for each pair of systems, with the title of its question where there are several."""
        several = len({str(question) for question, _, _ in rows}) > 1
        named = [((*([question] if several else ()), *systems), found) for question, systems, found in rows]
        heads = (*([Message("Question")] if several else ()), *PAIR, *columns)
        return pivot(self.key(name), title, caption, heads, named, further)

    def listed(self, group: str) -> tuple[Listing, ...]:
        """What was counted or listed in this section under a name."""
        mine = (group, self.section.id)
        return tuple(one for one in self.results.listings if (one.group, one.section) == mine)

    def drawing(self, name: str, svg: str, caption: Text, further: bool = False, leads: bool = False) -> Drawing:
        """A drawing of this section; `further` puts it into the supplement, and one that `leads` goes before others."""
        return Drawing(self.key(name), svg, caption, further, leads)


def as_one(sentences: Iterable[Text]) -> Iterator[Message]:
    """The sentences as one message; nothing where there are none."""
    if said := tuple(sentences):
        yield Message("{sentence}", sentence=Sentences(said))


def resting(sentence: Message, found: Iterable[Finding]) -> Iterator[Message]:
    """The sentence, which rests on these findings; nothing where there are none."""
    if reasons := tuple(found):
        yield sentence.because(*reasons)


def of_question(finding: Finding, sentence: Text, among: Iterable[Finding]) -> Message:
    """A sentence about a finding, with its question before it where those among which it is are of several."""
    reasons = [*getattr(sentence, "rests_on", ()), finding]
    if len({(one.section, one.question) for one in among}) > 1:
        title = finding.title or plain(finding.question)
        return Message("“{question}”: {sentence}", question=title, sentence=sentence, rests_on=reasons)
    return Message("{sentence}", sentence=sentence, rests_on=reasons)


class Inquiry:
    """One thing that is asked of the answers, with all that a report says of what was found.

    A kind says what it needs (`fits`), what it finds over all items (`find`), in each stratum (`each`) and over the
    questions of a section together (`whole`), and what it lists. Its sentences stand beside the computation that they
    speak of: none of them may be said where nothing was found, so each looks at the results first.
    """

    #: What the findings call it, unique among inquiries.
    name: ClassVar[str]
    #: The heading over its tables and figures.
    title: ClassVar[Message]
    #: The paragraph of the methods in which its sentences stand.
    paragraph: ClassVar[Message] = Message("Statistics")
    #: The sources that its statistics draw on.
    cites: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    #: Whether the labels of its findings say which question they are of.
    names_questions: ClassVar[bool] = False
    #: Whether its findings are told with and without excluded raters.
    with_and_without: ClassVar[bool] = False
    #: Whether the first screen tells it only after the rest: how far answers agree, what reasons they give.
    is_told_later: ClassVar[bool] = False
    #: Whether its tables and figures are details: they stand in the supplement, but for what a hypothesis rests on.
    is_detail: ClassVar[bool] = False
    #: Whether it is put again to the answers of each later round, by other raters about items of the first.
    in_later_rounds: ClassVar[bool] = False

    def fits(self, case: Case) -> bool:
        """Whether the question has what the inquiry needs; it finds nothing of its own where this says of none."""
        return False

    def find(self, case: Case) -> Iterable[Finding]:
        """What is found of one question over all items."""
        return ()

    def each(self, part: Case) -> Iterable[Finding]:
        """What is found of one question in one stratum."""
        return ()

    def whole(self, cases: Sequence[Case]) -> Iterable[Finding]:
        """What is found of the fitting questions of one section together."""
        return ()

    def listings(self, case: Case) -> Iterable[Listing]:
        """What is counted or listed of one question, and not estimated."""
        return ()

    def recorded(self, protocol: Protocol, collected: Collected) -> Iterable[Listing]:
        """What is listed of all that was collected, whatever it was asked of."""
        return ()

    def heading(self, told: Told) -> Message:
        """The heading over its tables and figures, where the study has a say in it."""
        return self.title

    def headline(self, part: Part) -> Iterator[Message]:
        """What the first screen says of a section, the most important first."""
        return iter(())

    def exhibits(self, part: Part) -> Iterator[Block]:
        """Its tables and figures of one section, in order; what is `further` stands in the supplement."""
        return iter(())

    def later(self, part: Part, round: int) -> Iterator[Block]:
        """What it found in a later round, as a table."""
        title = Message("{title}, round {n}", title=self.heading(part), n=round)
        caption = Message("The items that other raters assessed again, and those raters alone.")
        name = f"{self.name} round {round}".replace(" ", "_")
        yield part.table(name, title, caption, part.of(self.name, round=round))

    def methods(self, told: Told) -> Iterator[Message]:
        """How its figures were computed, as the methods say it."""
        return iter(())

    def conventions(self, told: Told) -> Iterator[Message]:
        """What a reader has to know to read its tables."""
        return iter(())

    def limits(self, told: Told) -> Iterator[Message]:
        """What limits the results, as far as the data show it."""
        return iter(())

    def sources(self, told: Told) -> Iterator[str]:
        """The sources that it draws on, by author and year as `statistics.sources` has them."""
        for statistic, names in self.cites.items():
            if told.known(inquiry=self.name, statistic=statistic):
                yield from names
