"""Captions that state the finding, written from the results."""

from __future__ import annotations

from quorate.analyse.accuracy import judge_name
from quorate.analyse.results import Comparison, Finding, Results
from quorate.report.numbers import in_text, several, spelled, value_of, who_of

#: How a band reads inside a sentence.
ADVERBS = {
    "poor": "less than chance would give",
    "slight": "slightly beyond chance",
    "fair": "fairly beyond chance",
    "moderate": "moderately beyond chance",
    "substantial": "substantially beyond chance",
    "almost perfect": "almost perfectly",
}


def agreement(results: Results) -> str:
    """How well raters agree, in one sentence."""
    found = _primary(results, "agreement")
    if found is None or found.estimate.value is None:
        return "Agreement cannot be stated yet."
    how = ADVERBS.get(found.band, "")
    return f"Annotators agree {how}: {found.label.split(' (')[0]} = {in_text(found)}."


def accuracy(results: Results) -> str:
    """How often people are right, in one sentence."""
    found = {f.statistic: f for f in results.group("accuracy")}
    majority, each, all_of_them = (found.get(f"{kind} accuracy") for kind in ("majority", "individual", "unanimous"))
    if each is None or each.estimate.value is None:
        return "Accuracy cannot be stated yet."
    parts = [f"an annotator alone recognises {value_of(each)} of the items"]
    if majority is not None and majority.estimate.value is not None:
        parts.append(f"a majority {value_of(majority)}")
    if all_of_them is not None and all_of_them.estimate.value is not None:
        parts.append(f"all of them together {value_of(all_of_them)}")
    return _sentence(", ".join(parts))


def agreement_figure(results: Results) -> str:
    """Which two raters agree most and least, in one sentence."""
    pairs = [f for f in results.group("agreement") if f.statistic == "cohen kappa" and f.estimate.value is not None]
    if len(pairs) < 2:
        return agreement(results)
    pairs.sort(key=lambda f: f.estimate.value or 0)
    (low, least), (high, most) = ((_pair(f), value_of(f)) for f in (pairs[0], pairs[-1]))
    if least == most:
        return f"Every two annotators agree alike (κ = {least})."
    return f"Agreement of two annotators ranges from κ = {least} ({low}) to {most} ({high})."


def accuracy_figure(results: Results) -> str:
    """Whether the majority does better than its members, in one sentence."""
    found = {f.statistic: f.estimate.value for f in results.group("accuracy")}
    each, majority = found.get("individual accuracy"), found.get("majority accuracy")
    if each is None or majority is None:
        return raters(results)
    gap = round(100 * (majority - each), 1)
    how = f"{abs(gap):.1f} points {'more' if gap > 0 else 'less'} often than" if gap else "as often as"
    return f"The majority is right {how} an annotator alone."


def answers_figure(results: Results) -> str:
    """How many items everybody or nobody recognised, in one sentence."""
    counts = [(verdict.votes.get("True", 0), verdict.n) for verdict in results.verdicts if verdict.n]
    everybody = sum(right == n for right, n in counts)
    nobody = sum(right == 0 for right, _ in counts)
    return (
        f"Every answer, an item a column, from the most to the least recognised: {several(everybody, 'item')} by "
        f"every annotator, {nobody:,} by none. Filled: correct; pale: not correct; empty: no answer."
    )


def _pair(finding: Finding) -> str:
    return " and ".join(finding.id.rsplit(".", 2)[1:])


def raters(results: Results) -> str:
    """From the least to the most accurate rater."""
    known = [f for f in results.group("raters") if f.estimate.value is not None and ".rater." in f.id]
    if not known:
        return "No annotator has answered yet."
    known.sort(key=lambda f: f.estimate.value or 0)
    low, high = known[0], known[-1]
    if low.estimate.value == high.estimate.value:
        return (
            f"Annotators are equally accurate ({value_of(low)})."
            if len(known) > 1
            else f"{who_of(low)}: {value_of(low)}."
        )
    return f"Annotators range from {value_of(low)} ({who_of(low)}) to {value_of(high)} ({who_of(high)})."


def correlation(results: Results) -> str:
    """How well the judge matches people, in one sentence."""
    found = _primary(results, "comparison")
    if found is None or found.estimate.value is None or found.counted is None or not results.comparisons:
        return "The judge cannot be compared with people yet."
    judge = judge_name(results.comparisons[0].judge)
    same, n = found.counted
    of = f"{same:,} of {several(n, 'item')} ({value_of(found)})"
    return f"{judge} and the human majority come to the same verdict on {of}."


def errors(comparison: Comparison) -> str:
    """Where the judge and people part, in one sentence."""
    if not comparison.n:
        return "No item has both a human majority and an answer of the judge."
    judge = judge_name(comparison.judge)
    missed, invented = comparison.cells[True, False], comparison.cells[False, True]
    return (
        f"Where they differ, {judge} misses what people recognise on {several(missed, 'item')} and claims what people "
        f"do not recognise on {several(invented, 'item')}."
    )


def annotators(results: Results) -> str:
    """Who rated, in one sentence."""
    n = len(results.annotators)
    return _sentence(
        f"{spelled(n)} {'annotator' if n == 1 else 'annotators'} in the analysis, with what they said of themselves"
    )


def borderline(results: Results) -> str:
    """How many answers were close to their target, in one sentence."""
    n = len(results.borderline)
    waiting = sum(case.is_open for case in results.borderline)
    decided = n - waiting
    were = "answer was" if n == 1 else "answers were"
    text = f"{spelled(n)} {were} close to the target without matching it; the team decided {spelled(decided)}"
    return _sentence(text + (f", {spelled(waiting)} {'waits' if waiting == 1 else 'wait'}" if waiting else ""))


def in_short(results: Results) -> list[str]:
    """The results in a few sentences, each from a finding that exists."""
    sentences = [agreement(results), accuracy(results)]
    if results.comparisons:
        sentences.append(correlation(results))
        kappa = next((f for f in results.group("comparison") if f.statistic == "cohen kappa"), None)
        if kappa is not None and kappa.estimate.value is not None:
            sentences.append(f"Corrected for chance that is Cohen’s κ = {in_text(kappa)} ({kappa.band}).")
    return sentences


def _primary(results: Results, group: str) -> Finding | None:
    return next((finding for finding in results.group(group) if finding.primary), None)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
