"""In what order do several systems stand, and which of them cannot be told apart?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate import statistics
from quorate.exhibits import charts, figures
from quorate.exhibits.blocks import Block, Drawing
from quorate.exhibits.breakdowns import p_cell
from quorate.exhibits.numbers import in_text
from quorate.exhibits.tables import Cell, Table, cells, columns_of, notes_of
from quorate.findings.names import pair_name, quoted
from quorate.findings.results import Finding, by_question, select
from quorate.inquiries.base import Inquiry, Part, Told, resting
from quorate.inquiries.compared import compared, may_tie, prefers, verdict_signs
from quorate.messages import Clauses, Listed, Message, Sentences, Spelled, Text
from quorate.records import Estimate
from quorate.sheets.case import SUMMARY, Case, clustered, computed, pairs
from quorate.statistics.grouping import letters

#: A ranking is of more systems than two.
FEWEST = 3
#: More names than this make no sentence, and more differences than this no table.
MOST_NAMES, MOST_GAPS = 12, 200
VALUE = Message("Log-strength")


class Ranking(Inquiry):
    """The strength of each of several systems, and which of them the comparisons tell apart."""

    name = "strengths"
    title = Message("Ranking of the systems")
    cites = {"strength difference": ("Piepho 2004", "Holm 1979")}
    with_and_without = True

    def fits(self, case: Case) -> bool:
        """Systems compete."""
        return prefers(case)

    def find(self, case: Case) -> Iterator[Finding]:
        """Bradley and Terry's log-strengths with Davidson's ties, one comparison an item: its verdict."""
        ratings = compared(case)
        names = sorted({name for pair in ratings.pairs for name in pair})
        if len(names) < FEWEST:
            return
        rows, groups = [], []
        for place, (first, second) in enumerate(ratings.pairs):
            signs, among = verdict_signs(case.verdicts, ratings.of(place), first, second)
            for item in np.flatnonzero(among & case.verdicts.known):
                rows.append((first, second, int(signs[item])))
                groups.append(int(case.sheet.clusters[item]))
        clusters = groups if case.sheet.cluster_field else None
        fit = computed(statistics.bradley_terry, rows, clusters=clusters, confidence=case.confidence)
        none = Estimate.undefined(Message("no item with this system has a verdict"), confidence=case.confidence)
        for name in names:
            yield case.finding(
                "bradley_terry", fit if isinstance(fit, Estimate) else fit.strengths.get(name, none), (name,),
                statistic="bradley terry", systems=(name,), rows=f"{SUMMARY}: verdict", primary=True,
                label=clustered(case, Message("Log-strength of {system}", system=quoted(name))),
            )  # fmt: skip
        for pair in pairs(names):
            gap = fit if isinstance(fit, Estimate) else none
            if not isinstance(fit, Estimate) and all(name in fit.strengths for name in pair):
                gap = replace(fit.difference(*pair), n_ratings=len(rows))
            yield case.finding(
                "strength_difference", gap, pair, statistic="strength difference", systems=pair, family=self.name,
                label=clustered(case, Message("Difference of log-strengths: {pair}", pair=pair_name(pair))),
                rows=f"{SUMMARY}: verdict",
            )  # fmt: skip

    def headline(self, part: Part) -> Iterator[Message]:
        """Which system ranks first, and from which it cannot be told apart; or why there is no ranking."""
        for order in self._orders(part):
            if order.findings:
                value = Message("log-strength {value}", value=in_text(order.findings[0]))
                yield part.about(order.findings[0], order.told(value))
            elif order.unknown:
                one, n = order.unknown[0], Spelled(len(order.unknown))
                why = one.estimate.note
                yield part.about(one, Message("The {n} systems cannot be ranked, since {why}.", n=n, why=why))

    def exhibits(self, part: Part) -> Iterator[Block]:
        """The systems from the strongest on, as a figure and as a table."""
        orders = [order for order in self._orders(part) if order.findings or order.unknown]
        for order in orders:
            one = (*order.findings, *order.unknown)[0]
            key, panel = f"strengths_{one.question}" if len(orders) > 1 else "strengths", order.panel(part)
            axis = part.say(Message("log-strength, relative to the mean of all systems"))
            drawn = charts.rankings([panel], axis, charts.span(panel.rows), line=0)
            caption = Message("The strength of each system, from the strongest on; lines are intervals.")
            named = part.about(one, Sentences((caption, *order.joined())))
            yield Drawing(part.key(key), drawn, named, leads=True)
            told = Message(
                "Log-strengths relative to their mean: what the comparisons of a system amount to, given how strong "
                "those are that it met."
            )
            yield order.table(part, key, self.title, part.about(one, told))
            gaps = part.of(self.name, question=one.question, statistic="strength difference")
            yield differences(part, f"{key}_differences", part.about(one, BETWEEN), gaps)

    def methods(self, told: Told) -> Iterator[Message]:
        """The model, and how systems are told apart."""
        model = Message("Strengths are Bradley and Terry’s (1952), from one verdict an item.")
        if may_tie(told.protocol):
            model = Message(
                "Strengths are Bradley and Terry’s (1952) with Davidson’s (1970) ties, from one verdict an item."
            )
        yield from resting(model, told.known(inquiry=self.name, statistic="bradley terry"))
        how = Message("Wald’s test of the difference of their strengths")
        yield from grouping(told, how, told.known(inquiry=self.name, statistic="strength difference"))

    def _orders(self, part: Part) -> list[Order]:
        return [
            ordered(*(list(select(mine, statistic=kind)) for kind in ("bradley terry", "strength difference")))
            for mine in by_question(part.of(self.name))
        ]


#: What the table of differences shows.
BETWEEN = Message("How much stronger the first system of each pair is than the second, with the test of no difference.")


@dataclass(frozen=True)
class Order:
    """Systems from the best on, a finding each, and the groups of those that cannot be told apart.

    `unknown` are the findings of systems without a value.
    """

    findings: tuple[Finding, ...]
    groups: tuple[tuple[str, ...], ...]
    level: str
    unknown: tuple[Finding, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(one.systems[0] for one in self.findings)

    def alike(self, system: str) -> list[str]:
        """The systems from which this one cannot be told apart, in order."""
        return [
            other for other in self.systems
            if other != system and any({system, other} <= set(group) for group in self.groups)
        ]  # fmt: skip

    def told(self, value: Text) -> Sentences:
        """Which system ranks first, and from which it cannot be told apart."""
        n, first, alike = Spelled(len(self.systems)), self.systems[0], self.alike(self.systems[0])
        of: dict[str, Any] = {"first": first, "value": value, "n": n, "level": self.level}
        if len(self.groups) == 1:
            return Sentences((
                Message("“{first}” ({value}) ranks first of {n} systems, but no two of them can be told apart at the "
                        "{level} level.", **of),
            ))  # fmt: skip
        if len(self.groups) == len(self.systems):
            names = Listed(tuple(map(quoted, self.systems)))
            every = Message("“{first}” ({value}) ranks first of {n} systems, and every two of them are told apart at "
                            "the {level} level.", **of)  # fmt: skip
            return Sentences((every, Message("The order is {names}.", names=names)))
        others: Text = Listed(tuple(map(quoted, alike)))
        if len(alike) > MOST_NAMES:
            others = Message("{k} of them", k=len(alike))
        lead = Message("“{first}” ({value}) ranks first of {n} systems and cannot be told apart from {others} at the "
                       "{level} level.", others=others, **of)  # fmt: skip
        if not alike:
            lead = Message("“{first}” ({value}) ranks first of {n} systems and is told apart from every other at the "
                           "{level} level.", **of)  # fmt: skip
        if sum(map(len, self.groups)) > MOST_NAMES:
            return Sentences((lead,))
        groups = Clauses(tuple(Listed(tuple(map(quoted, group))) for group in self.groups))
        return Sentences((lead, Message("Those that stand together: {groups}.", groups=groups)))

    def joined(self) -> Iterator[Message]:
        """What the lettered lines of the figure mean, where there are any."""
        if len(self.findings) >= FEWEST:
            yield Message(
                "A lettered line joins systems of which no two can be told apart at the {level} level.",
                level=self.level,
            )

    def letters(self, system: str) -> str:
        """The letters of the groups that a system is in."""
        return " ".join(letters(k) for k, group in enumerate(self.groups) if system in group)

    def panel(self, part: Part, title: str = "") -> charts.Ranked:
        """The order as a figure shows it."""
        rows = [figures.row_of(one, one.systems[0], False, say=part.say) for one in self.findings]
        place = {system: k for k, system in enumerate(self.systems)}
        groups = [tuple(place[name] for name in group) for group in self.groups] if len(rows) >= FEWEST else []
        return charts.Ranked(rows, groups, title)

    def table(self, part: Part, key: str, title: Text, caption: Text, value: Text = VALUE) -> Table:
        """The order as a table: a row each system, with the letters of its groups; `value` is what stands first."""
        found = (*self.findings, *self.unknown)
        rows = tuple(
            (Cell(one.systems[0]), *cells(part.results, one)[1:], Cell(self.letters(one.systems[0]) or "–"))
            for one in found
        )
        columns = (Message("System"), value, *columns_of(found)[2:], Message("Groups"))
        return Table(
            part.key(key), title, caption, columns, rows, (*notes_of(part.results, found), *self.shared()),
            frozenset({1, 2, 3}),
        )  # fmt: skip

    def shared(self) -> Iterator[Message]:
        """What the letters of the table mean, where there are any."""
        if self.groups:
            yield Message(
                "Groups: systems that share a letter cannot be told apart at the {level} level, corrected for all "
                "pairs.",
                level=self.level,
            )  # fmt: skip


def ordered(values: Sequence[Finding], gaps: Sequence[Finding]) -> Order:
    """The systems by value, and their groups by the corrected tests of every two."""
    known = sorted((one for one in values if one.is_known), key=lambda one: -one.height)
    names = [one.systems[0] for one in known]
    alpha = 1 - (values[0].estimate.confidence if values else 0.95)
    apart = [
        gap.systems for gap in gaps
        if gap.p_adjusted is not None and gap.p_adjusted <= alpha and set(gap.systems) <= set(names)
    ]  # fmt: skip
    groups = statistics.letter_groups(names, apart) if gaps else ()
    unknown = tuple(one for one in values if not one.is_known)
    return Order(tuple(known), groups, f"{100 * alpha:g}%", unknown)


def grouping(told: Told, how: Message, gaps: Sequence[Finding]) -> Iterator[Message]:
    """How systems are told apart, and how groups are made of that."""
    groups = Message(
        "Two systems are told apart where {how} has p ≤ {alpha}, corrected within its family of tests; groups are the "
        "largest sets of systems of which no two are told apart (Piepho 2004), so that a system may be in several.",
        how=how, alpha=f"{1 - told.protocol.analysis.confidence:g}",
    )  # fmt: skip
    yield from resting(groups, gaps)


def differences(part: Part, key: str, caption: Text, gaps: Sequence[Finding]) -> Table:
    """The difference of every two systems with its test, in the supplement; of so many that nobody reads them, none."""
    rows = [
        (gap.title, gap.systems, (gap, p_cell(gap, gap.estimate.p), p_cell(gap, gap.p_adjusted)))
        for gap in (gaps if len(gaps) <= MOST_GAPS else ())
    ]  # fmt: skip
    heads = (Message("Difference"), "p", Message("p, corrected"))
    return part.by_pair(key, Message("Differences between systems"), caption, heads, rows)
