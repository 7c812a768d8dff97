"""What is said of agreement: by what it is told, how far raters agree, and what limits that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from statistics import median
from typing import Any

from quorate.exhibits.numbers import bare, in_text, value_of
from quorate.findings.names import ADVERBS, quoted, stated
from quorate.findings.results import Finding, by_question, ends, first, questions_of, select
from quorate.inquiries.base import Part, Told, of_question, resting
from quorate.inquiries.basis import ALPHA, FLEISS, MOST_PAIRED
from quorate.inquiries.coefficients import FEWEST_BANDED, PERCENT
from quorate.messages import Listed, Message, Text, Word
from quorate.protocol.coefficients import KNOWN
from quorate.statistics.table import TWO_RATERS

NAME = "agreement"
AC1, COHEN = "gwet ac", "cohen kappa"
#: The first screen tells so many questions one by one.
MOST_TOLD = 3
#: An interval is wide from this length on; κ's is rough below so many items; and AC1 is far from it from here on.
WIDE, FEW_FOR_KAPPA, FAR = 0.4, 50, 0.2
#: Readings beside the first one whose coefficients stand with it.
BESIDE = ("role", "outcome")

#: Where the answers name one of two systems that differ by item.
BY_PAIR = Message(
    "Where items compare different pairs of systems, agreement beyond chance is on the choice within an item’s own "
    "pair, and each item is counted together with its mirror image, in which the two systems have changed places: "
    "neither their names nor their order make a difference."
)
BANDS = {
    "half-open": Message(
        "Bands are those of Landis and Koch (1977), half-open as the protocol writes them (κ = 0.20 is fair), and are "
        "named from {n} items on."
    ),
    "published": Message(
        "Bands are those of Landis and Koch (1977), closed at two decimals as published (κ = 0.20 is slight), and are "
        "named from {n} items on."
    ),
}


def is_headed(told: Told, one: Finding) -> bool:
    """Whether a coefficient stands in the first table: agreement is told by it, or the study asks for it."""
    asked = [ask for ask in told.protocol.section(one.section).ask if ask.id == one.question]
    readings = asked[0].question.readings() if asked else ()
    if one.primary or one.reading not in ("", *readings[:1]):
        return one.primary or (one.reading in BESIDE and one.unit == "")
    listed = {KNOWN[name].found_as for name in told.protocol.analysis.agreement}
    return one.statistic in (*listed, ALPHA)


def methods(told: Told) -> Iterator[Message]:
    """What agreement is told by, what the coefficients are, of which answers, and whose words are used."""
    found = told.known(inquiry=NAME, by="", round=1)
    # What cannot be computed of the answers that there are is named, too.
    yield from _bases(told, [one for lead in _leads(told) if set(questions_of(found)) >= {*questions_of(lead)}
                             for one in lead])  # fmt: skip
    headed = [one for one in found if is_headed(told, one)]
    for row in KNOWN.values():
        yield from resting(row.sentence, select(headed, statistic=row.found_as))
    triage = told.protocol.file.triage
    over = Message("Agreement is over planned and independent ratings alone.")
    if told.results.flow.raters.get("imported") or (triage and triage.is_verifying):
        over = Message("Agreement is over planned ratings alone.")
    yield from resting(over, headed)
    right = list(select(found, reading="correctness"))
    on_right = Message("On {questions} it is on whether an answer is correct, and beside it on the answers themselves.")
    yield from resting(on_right.having(questions=_quoted(told, right)), right)
    yield from _of_alpha(told, found)
    yield from resting(BY_PAIR, told.known(by_pair=True, by="", round=1))
    yield from resting(BANDS[told.protocol.analysis.bands].having(n=FEWEST_BANDED), banded(told))
    yield from _without_pairs(told)


def conventions(told: Told) -> Iterator[Message]:
    """What is the same answer where answers are typed."""
    right = list(select(told.known(inquiry=NAME, by="", round=1), reading="correctness"))
    sentence = Message(
        "Agreement on {questions} is on whether an answer is correct. On the responses themselves, every correct "
        "answer is one category and any other answer is its own canonical form.",
        questions=_quoted(told, right),
    )
    yield from resting(sentence, right)


def limits(told: Told) -> Iterator[Message]:
    """Few items, wide intervals, and κ far from a coefficient that minds common answers less."""
    kappas = [one for one in told.known(by="", round=1) if one.statistic in (FLEISS, COHEN)]
    few = [one for one in kappas if one.estimate.low is not None and one.n < FEW_FOR_KAPPA]
    rough = Message(
        "{n} interval of κ is over fewer than {few} items: such an interval may hold its confidence less often than it "
        "says, above all where one outcome is rare.",
        "{n} intervals of κ are over fewer than {few} items: such intervals may hold their confidence less often than "
        "they say, above all where one outcome is rare.",
        n=len(few), few=FEW_FOR_KAPPA,
    )  # fmt: skip
    yield from resting(rough, few)
    yield from _wide(told)
    yield from _prevalence(told)


def banded(told: Told) -> list[Finding]:
    """Everything that has one of Landis and Koch's words, of raters and of judges."""
    return [one for one in told.known() if one.band in ADVERBS]


def of_section(part: Part) -> Iterator[Message]:
    """What agreement on each question is told by; of many questions from the least to the most."""
    leads = _leads(part, section=part.section.id)
    known = [one for lead in leads for one in lead if one.is_known]
    names = dict.fromkeys(str(one.short) for one in known) if len(leads) > MOST_TOLD else ()
    alike = [[one for one in known if str(one.short) == name] for name in names]
    for mine in alike or leads:
        n = len(questions_of(mine))
        if n == 1:
            yield from _of_question(part, mine)
            continue
        low, high = ends(mine)
        yield Message(
            "Agreement of annotators on {n} questions is told by {coefficient}: from {least} (“{worst}”) to {most} "
            "(“{best}”).",
            n=n, coefficient=low.short, least=in_text(low), worst=low.title, most=in_text(high), best=high.title,
            rests_on=mine,
        )  # fmt: skip


def met(pairs: Sequence[Finding]) -> list[Finding]:
    """The pairs of raters who rated an item in common: those of different panels did not."""
    return [one for one in pairs if one.n]


def pair_of(one: Finding) -> Message:
    """Its two raters."""
    first, second = one.raters
    return Message("{first} and {second}", first=first, second=second)


def median_of(known: Sequence[Finding]) -> str:
    """The median of coefficients."""
    return bare(median(map(attrgetter("height"), known)), known[0].unit)


def _quoted(told: Told, found: Iterable[Finding]) -> Listed:
    """The questions that the findings are of, as raters read them; with the section where another asks the same."""
    of = {(one.section, one.question): one.title for one in told.results.select(inquiry=NAME)}
    titles = Counter(map(str, of.values()))
    names = []
    for section, question in questions_of(found):
        name, where = quoted(of[section, question]), told.protocol.section(section)
        if titles[str(of[section, question])] > 1:
            name = Message("{question} in “{section}”", question=name, section=where.title or where.id)
        names.append(name)
    return Listed(tuple(names))


def _leads(told: Told, **fields: Any) -> list[list[Finding]]:
    """What agreement is told by, question by question: one figure, or one of every two raters."""
    return by_question(told.results.select(inquiry=NAME, primary=True, by="", round=1, **fields))


def _of_question(part: Part, lead: Sequence[Finding]) -> Iterator[Message]:
    """How far annotators agree on one question; nothing where nobody answered it."""
    known = [one for one in lead if one.is_known]
    if not known and not any(len(case.sheet.people) for case in part.cases if case.sheet.id == lead[0].question):
        return
    one = (known or lead)[0]
    agreement = Message("Agreement of annotators")
    if sum(len(section.ask) + len(section.scores) for section in part.protocol.sections) > 1:
        agreement = Message("Agreement of annotators on “{question}”", question=one.title)
    words: dict[str, Any] = {"agreement": agreement, "coefficient": one.short, "value": in_text(one), "rests_on": lead}
    if not known:
        why = one.estimate.note
        yield Message("{agreement} cannot be told by {coefficient}, since {why}.", why=why, **words)
    elif len(known) > 1:
        yield Message("{agreement}: {range}.", range=_range(known, len(met(lead))), **words)
    elif how := _how(one):
        yield Message("{agreement} is {how}: {coefficient} = {value}.", how=how, **words)
    else:
        yield Message("{agreement}: {coefficient} = {value}.", **words)


def _how(one: Finding) -> Message | None:
    """A coefficient in words where it has a band: whether it is beyond chance is told by its interval."""
    low, high = one.estimate.low, one.estimate.high
    if one.band and one.height > 1 - 1e-9:
        return Message("perfect")
    if not one.band or low is None or high is None:
        return None
    return ADVERBS[one.band] if low > 0 or high < 0 else Message("not told apart from chance")


def _range(known: Sequence[Finding], every: int) -> Message:
    """A coefficient of every two raters: the lowest, the highest and the median."""
    low, high = ends(known)
    pairs = Message("{n} of {all} pairs", n=len(known), all=every)
    if len(known) == every:
        pairs = Message("{n} pairs", n=every)
    words: dict[str, Any] = {"coefficient": low.short, "value": value_of(low), "pairs": pairs}
    if value_of(low) == value_of(high):
        return Message("{coefficient} of two annotators is {value} in each of {pairs}", **words)
    return Message(
        "{coefficient} of two annotators is between {value} ({worst}) and {most} ({best}), with a median of {median} "
        "over {pairs}",
        worst=pair_of(low), most=value_of(high), best=pair_of(high), median=median_of(known), **words,
    )  # fmt: skip


def _bases(told: Told, leads: Sequence[Finding]) -> Iterator[Message]:
    """What agreement on each question is told by."""
    names = dict.fromkeys(str(one.short) for one in leads)
    for name in names:
        mine = [one for one in leads if str(one.short) == name]
        sentence = Message("Agreement among annotators is told by {coefficient}.")
        if len(names) > 1:
            sentence = Message(
                "Agreement among annotators on {questions} is told by {coefficient}.", questions=_quoted(told, mine)
            )
        yield sentence.having(coefficient=mine[0].short).because(*mine)


def _of_alpha(told: Told, found: Sequence[Finding]) -> Iterator[Message]:
    """The levels at which α is computed, and what κ makes of points."""
    alphas = list(select(found, statistic=ALPHA))
    levels = Listed(tuple(map(Word, dict.fromkeys(one.what for one in alphas))))
    yield from resting(
        Message("Krippendorff’s α is computed at the level of the answers ({levels}).", levels=levels), alphas
    )
    each = {(s.id, ask.id) for s in told.protocol.sections for ask in s.ask if ask.question.rates_each()}
    units = [one for one in alphas if (one.section, one.question) in each]
    yield from resting(Message("Where each system of an item is rated, each is a unit of its own."), units)
    ordered = questions_of(select(alphas, what="ordinal"))
    names = [one for one in select(found, statistic=FLEISS) if (one.section, one.question) in ordered]
    yield from resting(Message("Fleiss’ κ takes the points of a scale as names."), names)


def _without_pairs(told: Told) -> Iterator[Message]:
    """That what was asked for of every two raters is not told of so many of them."""
    analysis = told.protocol.analysis
    asked = [*(analysis.agreement if "agreement" in analysis.model_fields_set else ()), analysis.primary]
    if len(told.results.annotators) <= MOST_PAIRED or not any(
        KNOWN[name].shape == TWO_RATERS for name in asked if name
    ):
        return
    every = told.results.select(inquiry=NAME, by="", round=1)
    of_names = {*questions_of(one for one in every if one.reading)} - {*questions_of(f for f in every if f.raters)}
    alone = [one for one in every if one.primary and (one.section, one.question) in of_names]
    sentence = Message(
        "Coefficients of two raters are not computed of more than {n} raters.", n=MOST_PAIRED,
        rests_on=[stated("analysis.agreement")],
    )  # fmt: skip
    yield from resting(sentence, alone)


def _wide(told: Told) -> Iterator[Message]:
    """Coefficients that agreement is told by whose interval is wide, of people and of judges."""
    found = [one for one in told.known(primary=True, by="", round=1) if one.band in ADVERBS and _length(one) > WIDE]
    for mine in by_question(found):
        for kind in dict.fromkeys(one.statistic for one in mine):
            alike = list(select(mine, statistic=kind))
            one = alike[0]
            low, high = bare(one.estimate.low or 0.0), bare(one.estimate.high or 0.0)
            told_of = Message(
                "The interval of {what} is wide ({low} to {high}): its band is not settled.", low=low, high=high,
                what=told.results.label(one),
            )  # fmt: skip
            if len(alike) > 1:
                told_of = Message(
                    "{n} intervals of {what} are longer than {wide}: their bands are not settled.", n=len(alike),
                    wide=f"{WIDE:g}", what=told.results.label(one, one.short),
                )  # fmt: skip
            yield told_of.because(*alike)


def _length(one: Finding) -> float:
    low, high = one.estimate.low, one.estimate.high
    return 0.0 if low is None or high is None else high - low


def _prevalence(told: Told) -> Iterator[Message]:
    """κ far from AC1, and why, question by question and reading by reading."""
    found = told.known(inquiry=NAME, by="", round=1)
    kappas = list(select(found, statistic=FLEISS))
    for kappa in kappas:
        same = {"section": kappa.section, "question": kappa.question, "reading": kappa.reading}
        beside, alike = first(found, statistic=AC1, **same), first(found, statistic=PERCENT, **same)
        if beside is None or abs(beside.height - kappa.height) <= FAR:
            continue
        k, share = kappa.height, 0.0 if alike is None else alike.height
        why: Text = Message("they differ in what chance alone would give")
        # Chance agrees more often than not where one answer is more common than all others together.
        if share > 0.5 and k < 1 and (share - k) / (1 - k) > 0.5:
            why = Message("κ is low where one answer is much more common than the others, even if raters mostly agree")
        sentence = Message(
            "Gwet’s AC1 ({ac}) is far from Fleiss’ κ ({kappa}): {why}. Read both.", ac=bare(beside.height),
            kappa=bare(k), why=why, rests_on=[kappa, beside],
        )  # fmt: skip
        yield of_question(kappa, sentence, kappas)
