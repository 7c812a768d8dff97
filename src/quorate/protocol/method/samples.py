"""Rules about what is drawn, what raters are told of it before, and how many there should be."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from quorate.chance import python_sample
from quorate.protocol.analysis import Power
from quorate.protocol.disjoint import is_published, practice_leaks
from quorate.protocol.generations import Generations, generations
from quorate.protocol.method.book import Found, MethodRule
from quorate.protocol.method.told import told
from quorate.protocol.protocol import Protocol
from quorate.protocol.study_file import BestOf
from quorate.questions.canonical import STEPS, canonical
from quorate.records import Item, Level
from quorate.statistics import sign_test_sample_size, t_test_sample_size

#: A stated sample size that is off by less than this share is rounding.
ROUNDING = 0.1
A_WIN = 0.6
"""The share of decided pairs that a preference study is often planned to tell from a half."""


def items_as_stated(protocol: Protocol) -> Iterator[Found]:
    """The table has as many items as the document says."""
    stated = protocol.analysis.stated
    if stated and stated.items and stated.items != len(protocol.pool):
        where = protocol.file.items.from_
        yield ("analysis", "stated", "items"), f"{stated.items} items are stated, and {where} has {len(protocol.pool)}."


def unequal_best_of(protocol: Protocol) -> Iterator[Found]:
    """A baseline is the best of as many generations as the item had iterations."""
    items = protocol.file.items
    if items.best_of is None or items.best_of.n is None or items.iteration is None:
        return
    n = items.best_of.n
    counts = [(item.id, _count(item.fields.get(items.iteration)), _count(item.fields.get(n))) for item in protocol.pool]
    apart = [one for one in counts if one[1] != one[2]]
    if apart:
        named = "; ".join(
            f"{id} had {n or 0:g} iterations, and its baseline is the best of {best or 0:g}"
            for id, n, best in apart[:3]
        )
        more = f"; and {len(apart) - 3} more" if apart[3:] else ""
        yield ("items", "best_of"), f"{named}{more}."


def chosen_not_the_best(protocol: Protocol) -> Iterator[Found]:
    """The generation that was chosen for each item is the one with the highest score in the table of scores."""
    rule = protocol.file.items.best_of
    if rule is None or rule.from_ is None:
        return
    known = generations(rule, protocol.tables)
    found = [told for item in protocol.pool if (told := _wrong_choice(item, rule, known.get(item.id)))]
    if found:
        more = f"; and {len(found) - 3} more" if found[3:] else ""
        yield ("items", "best_of", "from"), f"{'; '.join(found[:3])}{more}."


def _wrong_choice(item: Item, rule: BestOf, known: Generations | None) -> str:
    if known is None:
        return f"{item.id} has no generation in {rule.from_}"
    if len(known.chosen) != 1:
        return f"of {item.id} {len(known.chosen)} generations are marked as chosen"
    if not known.is_best:
        chosen, highest = known.scores[known.chosen[0]], max(known.scores)
        return f"of {item.id} the one with {chosen:g} was chosen, and another has {highest:g}"
    stated = _count(item.fields.get(rule.n)) if rule.n else len(known.scores)
    if stated != len(known.scores):
        return f"{item.id} is said to be the best of {stated or 0:g}, and {rule.from_} has {len(known.scores)}"
    return ""


def _count(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None


def order_from_hash(protocol: Protocol) -> Iterator[Found]:
    """The order is not seeded by something that differs from run to run."""
    stated = protocol.analysis.stated
    if stated and re.search(r"\bhash\s*\(", stated.order):
        sentence = f"the order is stated as `{stated.order}`, and hash() of a text differs in every run of Python."
        yield ("analysis", "stated", "order"), sentence


def practice_as_listed(protocol: Protocol) -> Iterator[Found]:
    """The practice round uses every item that is listed for it, or says which are spare."""
    rule = protocol.raters.practice
    if rule and rule.n is not None and rule.n + rule.spare != len(protocol.practice):
        listed = len(protocol.practice)
        spare = f" and {rule.spare} spare" if rule.spare else ""
        yield ("raters", "practice", "n"), f"the round has {rule.n} items{spare}, and {rule.from_} lists {listed}."


def practice_in_the_draw(protocol: Protocol) -> Iterator[Found]:
    """What a published draw shares with the practice round is named."""
    if not is_published(protocol.file):
        return
    found = list(practice_leaks(protocol.file, protocol.pool, protocol.tables))
    if found:
        fields = [field for section in protocol.sections for ask in section.ask for field in ask.part.concept_fields()]
        used = {_same(item.fields.get(field)) for item in protocol.practice for field in fields} - {""}
        yield ("items", "sample"), _collision(protocol, used, "the practice round")


def published_draw_collides(protocol: Protocol) -> Iterator[Found]:
    """What a published draw holds of the items that the study file excludes is named."""
    sample, exclude = protocol.file.items.sample, protocol.file.items.exclude
    if sample is None or exclude is None or sample.collisions not in ("kept", "dropped"):
        return
    if not is_published(protocol.file) or sample.by is not None or sample.n > len(protocol.pool):
        return
    allowed = {item.id for item in _allowed(protocol)}
    drawn = [protocol.pool[k] for k in python_sample(len(protocol.pool), sample.n, protocol.seed)]
    hit = [f"'{item.id}' ('{item.fields.get(exclude.field)}')" for item in drawn if item.id not in allowed]
    if hit and sample.collisions == "kept":
        yield (
            ("items", "sample", "collisions"),
            f"the published draw holds {', '.join(hit)}, and keeps what is excluded.",
        )
    elif hit:
        left = f"{len(drawn) - len(hit)} of {len(drawn)} items are left"
        yield ("items", "sample", "collisions"), f"the published draw holds {', '.join(hit)}, now left out: {left}."


def instructions_name_targets(protocol: Protocol) -> Iterator[Found]:
    """The instructions do not give away what raters are to find out by themselves."""
    words = " " + _same(" ".join(told(protocol))) + " "
    targets = {_same(answer) for item in _allowed(protocol) for answer in _right_answers(protocol, item)} - {""}
    named = {target for target in targets if f" {target} " in words}
    if named:
        yield ("raters", "instructions"), _collision(protocol, named, "what raters read before the work")


def _collision(protocol: Protocol, used: Collection[str], where: str) -> str:
    """Which targets of the pool are known from elsewhere, and which of them were drawn."""
    known = [(item, answer) for item in _allowed(protocol) for answer in _right_answers(protocol, item)]
    known = [(item, answer) for item, answer in known if _same(answer) in used]
    names = ", ".join(f"'{answer}'" for answer in dict.fromkeys(answer for _, answer in known))
    drawn = _drawn(protocol)
    if drawn is None:
        return f"{names} can be drawn, and raters have met this in {where}."
    hit = ", ".join(f"'{item.id}'" for item, _ in known if item.id in drawn)
    return f"{names} can be drawn, and raters have met this in {where}; drawn: {hit or 'none of them'}."


def _drawn(protocol: Protocol) -> set[str] | None:
    """The ids that a published draw takes; None where this room cannot know."""
    sample = protocol.file.items.sample
    if sample is None or not is_published(protocol.file) or sample.by is not None:
        return None
    allowed = _allowed(protocol)
    pool = list(protocol.pool) if sample.collisions in ("kept", "dropped") else allowed
    if sample.n > len(pool):
        return None
    drawn = {pool[k].id for k in python_sample(len(pool), sample.n, protocol.seed)}
    return drawn & {item.id for item in allowed} if sample.collisions == "dropped" else drawn


def _allowed(protocol: Protocol) -> list[Item]:
    rule = protocol.file.items.exclude
    if rule is None:
        return list(protocol.pool)
    practised = [item.fields.get(rule.field) for item in protocol.practice] if rule.practice else []
    out = {_same(value) for value in (*rule.values, *practised)}
    return [item for item in protocol.pool if _same(item.fields.get(rule.field)) not in out]


def _right_answers(protocol: Protocol, item: Item) -> list[str]:
    asks = [ask.question for section in protocol.sections for ask in section.ask]
    return [question.right_answer(item) for question in asks if question.is_scored()]


def _same(value: object) -> str:
    return canonical(str(value or ""), list(STEPS))


def power_recomputed(protocol: Protocol) -> Iterator[Found]:
    """The stated sample size follows from the stated test, effect, alpha and power."""
    stated = protocol.analysis.power
    if stated is None:
        return
    groups, each = needed(stated)
    right = each if stated.per == "group" else groups * each
    if abs(stated.n - right) > ROUNDING * right:
        unit = "of each group" if stated.per == "group" else "in all"
        words = f"{each} a group, {groups * each} in all" if groups > 1 else f"{each}"
        sentence = (
            f"n = {stated.n} {unit} is stated for a {stated.test} with an effect of {stated.effect:g}, alpha "
            f"{stated.alpha:g} and power {stated.power:g}; recomputed, it is {words}."
        )
        yield ("analysis", "power"), sentence


def needed(stated: Power) -> tuple[int, int]:
    """How many groups the stated test has, and how many each of them needs."""
    if stated.test == "sign test":
        return 1, sign_test_sample_size(stated.effect, stated.power, alpha=stated.alpha).stays
    kind = "two-sample" if stated.test == "two-sample t test" else "paired"
    needed = t_test_sample_size(stated.effect, stated.power, kind=kind, alpha=stated.alpha)
    return (2 if kind == "two-sample" else 1), needed.n


def power_of_another_test(protocol: Protocol) -> Iterator[Found]:
    """The sample size was computed for a test that fits the answers."""
    stated = protocol.analysis.power
    levels = {ask.question.level for section in protocol.sections for ask in section.ask}
    if stated is None or stated.test == "sign test" or levels & {Level.INTERVAL, Level.RATIO}:
        return
    pairs = sign_test_sample_size(A_WIN, stated.power, alpha=stated.alpha)
    sentence = (
        f"the sample size is that of a {stated.test}, which compares means, and no question of this study has a mean. "
        f"To tell {A_WIN:.0%} of decided pairs from a half with alpha {stated.alpha:g} and power {stated.power:g}, a "
        f"sign test needs {pairs.first} to {pairs.stays} decided pairs."
    )
    yield ("analysis", "power", "test"), sentence


SAMPLES = (
    MethodRule(
        "count-differs",
        "The table has another number of items than the document states",
        "A reader cannot tell whether an item was lost, added, or counted twice, and every share has another "
        "denominator.",
        "von Elm et al. (2007), STROBE, item 13: report the numbers at each stage.",
        "Find the item that is missing or one too many, and state the number that the table has.",
        items_as_stated,
    ),
    MethodRule(
        "unequal-best-of",
        "A baseline is the best of another number of generations than the item had iterations",
        "The best of more draws is better by chance alone: with unequal numbers a preference tells of the draws and "
        "not of the method.",
        "Stiennon et al. (2020), Learning to summarize from human feedback (best of n); Gao, Schulman & Hilton (2023).",
        "Draw as many generations as the item had iterations, and choose among them anew (`quorate best-of`).",
        unequal_best_of,
    ),
    MethodRule(
        "chosen-not-the-best",
        "What was chosen as the best of several generations is not the one with the highest score",
        "A baseline that was chosen in another way than the paper says is weaker or stronger than the reader thinks, "
        "and every preference against it is, too.",
        "Stiennon et al. (2020), Learning to summarize from human feedback (best of n); Gao, Schulman & Hilton (2023).",
        "Choose anew by the scores (`quorate best-of`), or correct the table.",
        chosen_not_the_best,
    ),
    MethodRule(
        "power-recomputed",
        "The stated sample size does not follow from the stated test",
        "A total that is read as a group's size (or the other way round) makes a study twice as large as planned, "
        "or half.",
        "Cohen (1988), Statistical Power Analysis, ch. 2; Faul, Erdfelder, Lang & Buchner (2007), G*Power 3.",
        "State the recomputed number (`quorate power` gives it), and whether it is of a group or of the study.",
        power_recomputed,
    ),
    MethodRule(
        "power-of-another-test",
        "The sample size was computed for a test that the study does not make",
        "The power of a t test says nothing about a sign test, a share or a κ: these usually need more items.",
        "Cohen (1988), Statistical Power Analysis, ch. 5 (the sign test).",
        "Compute it for the planned test: `quorate power --test sign --shares 0.5 0.6`, for κ `--test kappa`.",
        power_of_another_test,
    ),
    MethodRule(
        "order-from-hash",
        "The order of items is seeded by Python's hash()",
        "Python salts the hash of texts anew in each process, so that nobody can derive the order again.",
        "Python documentation, object.__hash__ and PYTHONHASHSEED; Sandve et al. (2013), rule 6.",
        "Nothing has to be done here: Quorate draws the order by keyed hashes. Say so in place of the stated code.",
        order_from_hash,
        "note",
    ),
    MethodRule(
        "practice-as-listed",
        "The practice round has another number of items than its list",
        "A reader cannot tell which items raters practised on, and so which concepts they had met.",
        "Howcroft et al. (2020), Twenty Years of Confusion in Human Evaluation; van der Lee et al. (2021).",
        "Use every item of the list, or say how many are kept in reserve: `practice: {n: 5, spare: 1}`.",
        practice_as_listed,
        "note",
    ),
    MethodRule(
        "practice-in-the-draw",
        "A published draw can hold concepts of the practice round",
        "Raters recognise what they have just been shown: those items are easier for people than for a judge.",
        "Tulving & Schacter (1990), Priming and Human Memory Systems.",
        "Exclude them (`items.exclude: {practice: true}`); where the published draw must stay, report results "
        "without them too.",
        practice_in_the_draw,
    ),
    MethodRule(
        "published-draw-collides",
        "A published draw holds items that the study file excludes",
        "Kept, they are items that raters may know from practice or instructions; left out, the study has fewer items "
        "than were published.",
        "von Elm et al. (2007), STROBE, item 13: report the numbers at each stage.",
        "Name them in the paper; where they are kept, report results without them too.",
        published_draw_collides,
        "note",
    ),
    MethodRule(
        "instructions-name-targets",
        "What raters read before the work names answers that they are to find",
        "An example in the instructions primes its answer, for everyone and on the item that shows it.",
        "Tulving & Schacter (1990), Priming and Human Memory Systems.",
        "Take other examples, or exclude the items that show them: `items.exclude.values`.",
        instructions_name_targets,
    ),
)
