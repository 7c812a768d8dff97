"""Rules about what is computed: whether a coefficient fits its scale, and whether the analysis says what it does."""

from __future__ import annotations

from collections.abc import Iterator

from quorate.errors import did_you_mean
from quorate.protocol.coefficients import knows_order
from quorate.protocol.method.book import Found, MethodRule
from quorate.protocol.protocol import Protocol
from quorate.questions import Winner
from quorate.records import Level
from quorate.statistics import statistic
from quorate.statistics.crossed import FEWEST_GROUPS, FEWEST_RATERS


def nominal_on_ordered(protocol: Protocol) -> Iterator[Found]:
    """Agreement on an ordered scale knows its order."""
    analysis = protocol.analysis
    # Where the study file says nothing of agreement, coefficients are chosen by the level of each question.
    key = "primary" if analysis.primary else "agreement"
    named = (analysis.primary,) if analysis.primary else analysis.agreement
    if key not in analysis.model_fields_set or any(knows_order(statistic(name)) for name in named):
        return
    for section in protocol.sections:
        for ask in section.ask:
            points = getattr(ask.question, "points", ())
            if ask.question.level is Level.ORDINAL and len(points) > 2:
                counts = f"{' and '.join(named)} count{'s' if len(named) == 1 else ''}"
                sentence = f"'{ask.id}' has {len(points)} ordered points, and {counts} every disagreement alike."
                yield ("analysis", key), sentence


def ties_without_a_rule(protocol: Protocol) -> Iterator[Found]:
    """Where a tie can be answered, the analysis says what it counts for."""
    for s, section in enumerate(protocol.sections):
        for a, ask in enumerate(section.ask):
            if isinstance(ask.question, Winner) and ask.question.tie and protocol.analysis.ties is None:
                sentence = f"'{ask.id}' can be answered with a tie, and the analysis does not say what that counts for."
                yield ("sections", s, "ask", a, ask.kind, "tie"), sentence


def ranked_but_not_rated(protocol: Protocol) -> Iterator[Found]:
    """Everything that has a rank in the priorities is asked."""
    asked = {ask.id for section in protocol.sections for ask in section.ask}
    missing = [name for name in protocol.analysis.priority if name not in asked]
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        hint = did_you_mean(missing[0], asked)
        yield ("analysis", "priority"), f"{names} is ranked among the priorities, and no question asks for it.{hint}"


def both_wrong_as_disagreement(protocol: Protocol) -> Iterator[Found]:
    """Only what people and a judge see differently is listed as disagreement."""
    compare = protocol.analysis.compare
    if compare and "both wrong" in compare.disagreements:
        sentence = f"items that people and '{compare.judge}' both got wrong are listed as disagreement: they agree."
        yield ("analysis", "compare", "disagreements"), sentence


def no_hypothesis(protocol: Protocol) -> Iterator[Found]:
    """A study that makes tests says beforehand which of them decide, or that none does."""
    analysis = protocol.analysis
    asked = [ask.question for section in protocol.sections for ask in section.ask]
    tests = [
        name
        for name, is_made in (
            ("preferences", any(question.compares() for question in asked)),
            ("differences between systems", any(question.rates_each() for question in asked)),
            ("correlations with metrics", analysis.metrics is not None),
            ("people against a judge", analysis.compare is not None),
        )
        if is_made
    ]
    if tests and "hypotheses" not in analysis.model_fields_set:
        made = ", ".join(tests)
        sentence = f"tests are made ({made}), and no hypothesis is declared: all of them will be exploratory."
        yield ("analysis",), sentence


#: What ids of figures hold that can speak of new raters, and what to rest on in place of some that cannot.
OF_NEW_RATERS = (
    "mean", "mean_difference", "percent_of_maximum", "individual_accuracy", "net_gain.rating",
    "success_rate.rating", "tie_rate", "rate.rating", "tag", "priority", "role.people",
)  # fmt: skip
INSTEAD = {"sign_test": "net_gain.rating", "net_gain.verdict": "net_gain.rating", "difference": "mean_difference",
           "success_rate.verdict": "success_rate.rating", "majority_accuracy": "individual_accuracy"}  # fmt: skip


def too_few_for_new_raters(protocol: Protocol) -> Iterator[Found]:
    """A study that speaks of new raters and items has enough of both, and rests on what can speak of them."""
    if protocol.analysis.population.raters != "new":
        return
    most = protocol.raters.roster or protocol.raters.cap or FEWEST_RATERS
    place = ("analysis", "population", "raters")
    if most < FEWEST_RATERS:
        yield (
            place,
            f"{most} raters take part, and no interval can speak of new raters with fewer than {FEWEST_RATERS}.",
        )
    field, sample = protocol.file.items.cluster, protocol.file.items.sample
    n = len({item.fields.get(field) if field else item.id for item in protocol.pool})
    n = min(n, sample.n) if sample is not None and sample.by is None else n
    if n < FEWEST_GROUPS:
        what = f"values of '{field}'" if field else "items"
        yield place, f"there are {n} {what}, and no interval can speak of new raters with fewer than {FEWEST_GROUPS}."
    for number, one in enumerate(protocol.analysis.hypotheses):
        if not any(f".{name}." in f"{one.rests_on}." for name in OF_NEW_RATERS):
            other = next((other for name, other in INSTEAD.items() if f".{name}." in f"{one.rests_on}."), "")
            sentence = f"'{one.rests_on}' speaks of these raters alone, so hypothesis '{one.id}' will not be decided."
            where = ("analysis", "hypotheses", number, "rests_on")
            yield where, f"{sentence} Rest it on '{other}'." if other else sentence


AFTER_CONSENT = MethodRule(
    "hypothesis-after-consent",
    "A hypothesis came, changed or went after the first consent",
    "What is expected once data have come in may have been read off the data: it confirms nothing.",
    "Kerr (1998), HARKing: Hypothesizing After the Results are Known.",
    "Report it as exploratory, as Quorate does, or collect new data for it in a study of its own.",
    lambda protocol: iter(()),
)
"""Found by holding the study file against its frozen copy, so only in a study that has begun."""

ANALYSES = (
    MethodRule(
        "nominal-on-ordered",
        "A nominal κ on an ordered scale",
        "Raters who differ by one point of five count as much as raters at opposite ends, and agreement looks "
        "lower than it is.",
        "Cohen (1968), Weighted Kappa; Krippendorff (2018), Content Analysis, ch. 12.",
        "Name a coefficient that knows the order, `agreement: [krippendorff alpha]`, or say nothing: it is then "
        "chosen by level.",
        nominal_on_ordered,
    ),
    MethodRule(
        "ties-without-a-rule",
        "A tie can be answered, and the analysis does not say what it counts for",
        "A win rate with ties left out, halved or kept in the denominator is three different numbers.",
        "Davidson (1970), Extending the Bradley–Terry Model; Rao & Kupper (1967).",
        "State it before data: `analysis: {ties: denominator}` (or `half`, or `drop`).",
        ties_without_a_rule,
    ),
    MethodRule(
        "ranked-but-not-rated",
        "A dimension has a rank among the priorities, and is not rated",
        "Whether raters kept the order of priorities cannot be looked at where one of its steps leaves no answer.",
        "van der Lee et al. (2021), Human Evaluation of Automatically Generated Text, on defining criteria.",
        "Ask for the dimension, or leave it out of `analysis.priority`.",
        ranked_but_not_rated,
    ),
    MethodRule(
        "both-wrong-disagrees",
        "“Both wrong” is listed as a disagreement",
        "People and judge agree there that the item fails; counted as disagreement, it makes a judge look worse "
        "than it is.",
        "McNemar (1947): only the discordant cells tell two raters apart.",
        "List what people alone or the judge alone got right; report “both wrong” as a class of its own.",
        both_wrong_as_disagreement,
    ),
    MethodRule(
        "no-hypothesis",
        "Tests are made, and no hypothesis is declared",
        "A test that was chosen after the data were seen confirms nothing: among many, some come out by chance.",
        "Nosek et al. (2018), The Preregistration Revolution; Holm (1979).",
        "Declare what is expected before the first consent, `hypotheses: [{id: …, statement: …, rests_on: …, expects: "
        "above 0.5}]`; or say that nothing is: `hypotheses: []`.",
        no_hypothesis,
        "note",
    ),
    MethodRule(
        "new-raters",
        "The study speaks of new raters, and something in it cannot",
        "How raters differ cannot be told from a few of them; a figure without an interval decides nothing.",
        "Clark (1973), The Language-as-Fixed-Effect Fallacy; docs/method.md has the simulation.",
        "Ask more raters or more items, rest hypotheses on means, shares or net gains by rating, or say `population: "
        "{raters: these}`.",
        too_few_for_new_raters,
    ),
)
