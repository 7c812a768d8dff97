"""What every form of the report says, gathered once: sections of text, tables, figures and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from quorate import statistics
from quorate.analyse.analyse import make_cases
from quorate.analyse.limits import BY_CHANCE
from quorate.exhibits.blocks import Chapter, Drawing
from quorate.exhibits.numbers import utc
from quorate.findings.results import Results
from quorate.inquiries.base import Part, Told
from quorate.inquiries.table import INQUIRIES
from quorate.languages import noted, say
from quorate.messages import Listed, Message, Sentences, Text, Word, clauses, said, speaks
from quorate.protocol import Protocol
from quorate.records import Collected
from quorate.report import facts
from quorate.report.chapters import chapters, figures_in_order
from quorate.report.data import versions
from quorate.report.declared import outcomes
from quorate.report.language import in_language
from quorate.report.methods import Paragraph, methods
from quorate.report.sentences import Sentence, sentences
from quorate.report.tables import Table, annotators, became, borderline, changed, evidence
from quorate.sheets.sheet import Sheet, sheets
from quorate.statistics.proportions import WILSONS
from quorate.statistics.sources import sources

SIMULATED = Message(
    "Simulated answers: this is a rehearsal. No person has given any of them, and nothing here is a finding."
)
#: Why an answer has no value, as the report says it.
REASONS = (
    noted("not applicable"), noted("cannot judge"), noted("skipped"), noted("media failed"), noted("not reached"),
    noted("unreadable reply"), noted("refused reply"),
)  # fmt: skip

#: Which conventions each table follows.
CONVENTIONS: Mapping[str, tuple[str, ...]] = {
    "agreement": ("n",),
    "accuracy": ("n",),
    "correlation": ("n",),
}


@dataclass(frozen=True)
class Page:
    """The report before it has a form."""

    protocol: Protocol
    results: Results
    title: str
    facts: tuple[Text, ...]
    in_short: tuple[Text, ...]
    methods: tuple[Paragraph, ...]
    chapters: tuple[Chapter, ...]
    became: Table
    annotators: Table
    borderline: tuple[Table, ...]
    evidence: Table
    sheets: tuple[Sheet, ...]
    provenance: tuple[tuple[Text, str], ...]
    limits: tuple[Text, ...] = ()
    #: What became of each declared hypothesis, in a sentence.
    outcomes: tuple[Text, ...] = ()
    language: str = "en"
    #: All that the page says in English, each sentence with what it rests on.
    sentences: tuple[Sentence, ...] = ()

    def words(self, text: Text) -> str:
        """A text of the layout in the report's language."""
        return said(text, self.language)

    def join(self, sentences: Sequence[str]) -> str:
        """Sentences one after the other; Chinese puts no space between them."""
        return ("" if self.language == "zh" else " ").join(sentences)

    @property
    def flow_caption(self) -> str:
        """What the figure of the flow says."""
        flow = self.results.flow
        about = Message(
            "The way of raters and items: the answers of {raters} about {items} are analysed.",
            raters=Message("{n} rater", "{n} raters", n=flow.raters["analysed"]),
            items=_items(flow.items["drawn"]),
        )
        given = Message("{n} answer was given", "{n} answers were given", n=flow.answers["in all"])
        if flow.answers["planned"]:
            given = Message(
                "{given} of {planned} planned answers were given",
                given=flow.answers["given"], planned=flow.answers["planned"],
            )  # fmt: skip
        why = Listed(tuple(Message("{n} {reason}", n=n, reason=Word(why)) for why, n in flow.missing.items()))
        missing = Message("without a value: {reasons}", reasons=why) if flow.missing else ""
        return self.words(Sentences((about, Message("{sentence}.", sentence=clauses(given, missing)))))

    @staticmethod
    def items(n: int) -> Message:
        """So many items."""
        return _items(n)

    @cached_property
    def paper(self) -> tuple[Chapter, ...]:
        """The results that an author would send."""
        return tuple(filter(None, (chapter.layer(further=False) for chapter in self.chapters)))

    @cached_property
    def supplement(self) -> tuple[Chapter, ...]:
        """The results beyond those: each as it was computed, none of them needed to follow the paper section."""
        people = tuple(table for table in (self.became, self.annotators) if table.rows)
        found = [Chapter(self.words(Message("Participants")), people)] if people else []
        found += filter(None, (chapter.layer(further=True) for chapter in self.chapters))
        if self.borderline:
            found.append(Chapter(self.words(Message("Borderline answers")), self.borderline))
        return tuple(found)

    @cached_property
    def of_strata(self) -> frozenset[str]:
        """The ids of the findings that are of a part of the items."""
        return frozenset(finding.id for finding in self.results.findings if finding.by)

    @property
    def aim(self) -> str:
        """What the study wants to know, where its file says it."""
        return say(self.protocol.file.aim, self.language)

    @cached_property
    def key_figure(self) -> Drawing | None:
        """The figure of the first screen: of what a hypothesis rests on, else what answers the study's question."""
        return next((one for one in figures_in_order(self.paper, self.results) if isinstance(one, Drawing)), None)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Every table that has rows by its key, in the report's order."""
        found = [
            self.became,
            self.annotators,
            *(table for chapter in self.chapters for table in chapter.tables),
            *self.borderline,
        ]
        return {table.key: table for table in found if table.rows}

    @property
    def simulated(self) -> str:
        """The sentence that stands on every page of a rehearsal's report."""
        return self.words(SIMULATED) if self.results.simulated else ""

    @cached_property
    def conventions(self) -> Mapping[str, str]:
        """What a reader has to know to read the tables, by key, in the report's language."""
        return {key: self.words(text) for key, text in self.told_conventions.items()}

    @cached_property
    def told_conventions(self) -> Mapping[str, Text]:
        """The same as messages: each where a table follows it."""
        found = facts.computed(self.results)
        told: dict[str, Text] = {}
        if found:
            told["n"] = Message(
                "n is what was counted of all for a share, and for any other figure how many items, groups of items or "
                "answers it rests on. An interval speaks of these raters on new items."
            )
            sure = [one for one in facts.known(self.results) if one.estimate.low is not None]
            if any(one.of_new_raters for one in sure):
                told["n"] = Message(
                    "n is what was counted of all for a share, and for any other figure how many items, groups of "
                    "items or answers it rests on. Intervals of means, shares of ratings and net gains speak of new "
                    "raters on new items, all others of these raters."
                )
                if any(one.statistic == "mean of means" for one in sure):
                    told["n"] = Message(
                        "n is what was counted of all for a share, and for any other figure how many items, groups of "
                        "items or answers it rests on. Intervals of means, shares of ratings and net gains speak of "
                        "new raters on new items; all others, and those of means that count every stratum the same, "
                        "of these raters."
                    )
        more = [one for inquiry in INQUIRIES for one in inquiry.conventions(Told(self.protocol, self.results))]
        told |= {f"inquiry {number}": one for number, one in enumerate(dict.fromkeys(more))}
        return told

    def marks(self, table: str) -> tuple[int, ...]:
        """The numbers of the conventions that a table follows."""
        places = {key: place for place, key in enumerate(self.conventions, 1)}
        name = next((known for known in CONVENTIONS if table == known or table.endswith(f"_{known}")), table)
        return tuple(places[key] for key in CONVENTIONS.get(name, ()) if key in places)

    @property
    def references(self) -> tuple[str, ...]:
        """The sources of what was computed."""
        used = facts.computed(self.results)
        used |= {"Wilson" for finding in facts.known(self.results) if speaks(finding.estimate.method, *WILSONS)}
        cited = {source for row in statistics.TABLE if row.found_as in used for source in row.sources}
        cited |= {one for inquiry in INQUIRIES for one in inquiry.sources(Told(self.protocol, self.results))}
        return tuple(line for name, line in sources().items() if name in cited or used & set(CITED.get(name, ())))


#: What sources are cited for that no row of the table of statistics names.
CITED: Mapping[str, tuple[str, ...]] = {
    "Holm 1979": ("sign test", "wilcoxon"),
    "Wilson 1927": ("Wilson",),
}


def _quoted(question: str) -> str:
    return f"“{question.replace('_', ' ')}”"


def make_page(protocol: Protocol, collected: Collected, results: Results, language: str = "en") -> Page:
    """The report's content, from the protocol and the results."""
    filled = tuple(sheets(protocol, collected))
    found = chapters(protocol, results, filled, language)
    page = Page(
        protocol=protocol,
        results=results,
        title=say(protocol.file.title, language),
        facts=tuple(_facts(protocol, collected, results)),
        in_short=(*_complaints(results), *_headlines(protocol, results, filled)),
        methods=tuple(methods(protocol, results, _printed(found), language)),
        chapters=found,
        became=became(results),
        annotators=annotators(results),
        borderline=tuple(table for table in (borderline(results), changed(results)) if table.rows),
        evidence=evidence(results),
        sheets=filled,
        provenance=_provenance(protocol),
        limits=results.notes,
        outcomes=tuple(outcomes(results)),
    )
    return in_language(replace(page, sentences=sentences(page)), language)


def _printed(found: Sequence[Chapter]) -> set[str]:
    """The ids of the findings in the tables of the paper section."""
    return {id for chapter in found for table in chapter.tables if not table.further for id in table.ids}


def _complaints(results: Results) -> tuple[Text, ...]:
    """What has to be said before any figure."""
    return tuple(note for note in results.notes if speaks(note, BY_CHANCE))


#: So many sentences stand on the first screen, and one more for each section that would be silent.
FIRST = 3


def _headlines(protocol: Protocol, results: Results, filled: Sequence[Sheet]) -> tuple[Text, ...]:
    """What the first screen says: of each inquiry its first sentence, what a hypothesis rests on before the rest."""
    cases = make_cases(protocol, filled)
    tested = {one.rests_on for one in results.hypotheses}
    told: list[tuple[str, Text]] = []
    for section in protocol.sections:
        part = Part(protocol, results, section, [case for case in cases if case.sheet.section == section.id])
        # What the answers say comes before how far they agree and why they were given.
        for inquiry in sorted(INQUIRIES, key=lambda inquiry: inquiry.is_told_later):
            told += [(section.id, one) for one in islice(inquiry.headline(part), 1)]
    ranked = sorted(told, key=lambda one: not tested & set(one[1].rests_on))
    chosen = ranked[:FIRST]
    for id, sentence in ranked[FIRST:]:
        if id not in {of for of, _ in chosen}:
            chosen.append((id, sentence))
    chosen.sort(key=told.index)
    if len(protocol.sections) == 1:
        return tuple(sentence for _, sentence in chosen)
    return tuple(
        Message("In “{section}”: {sentence}", section=section.title or section.id, sentence=Sentences(mine))
        for section in protocol.sections
        if (mine := tuple(sentence for of, sentence in chosen if of == section.id))
    )


def _items(n: int) -> Message:
    return Message("{n} item", "{n} items", n=n)


def _facts(protocol: Protocol, collected: Collected, results: Results) -> Iterator[Text]:
    yield _items(results.flow.items["drawn"])
    yield Message("{n} annotator", "{n} annotators", n=len(results.annotators))
    # Where no question asks for an answer, those that came are counted.
    answers = results.flow.answers["given" if results.flow.answers["planned"] else "in all"]
    yield Message("{n} answer", "{n} answers", n=answers)
    days = sorted(utc(answer.at)[:10] for answer in collected.answers if answer.by == "rater" and answer.at)
    if days:
        between = Message("{first} to {last}", first=days[0], last=days[-1])
        yield days[0] if days[0] == days[-1] else between
    if protocol.file.version:
        yield Message("protocol version {version}", version=protocol.file.version)


def _provenance(protocol: Protocol) -> tuple[tuple[Text, str], ...]:
    own = (
        (Message("Protocol (collection)"), protocol.collection_hash),
        (Message("Protocol (analysis)"), protocol.analysis_hash),
        (Message("Seed"), str(protocol.seed)),
    )
    return (*own, *((name.capitalize(), number) for name, number in versions().items()))
