"""Captions that state the finding, written from the results."""

from __future__ import annotations

from quorate.exhibits.numbers import in_text, spelled, value_of
from quorate.findings.names import ADVERBS
from quorate.findings.results import Finding, Results


def agreement(results: Results, section: str | None = None) -> str:
    """How well raters agree, in one sentence."""
    found = _primary(results, "agreement", section)
    if found is None or found.estimate.value is None:
        return _without_primary(results, section)
    of = _of_question(results, found, section)
    if not found.band:
        return _told(found, of)
    how = f" on {of}, {ADVERBS.get(found.band, '')}" if of else f" {ADVERBS.get(found.band, '')}"
    return f"Annotators agree{how}: {found.short or found.label} = {in_text(found)!s}."


def _without_primary(results: Results, section: str | None) -> str:
    """What stands first where no κ of many raters does."""
    others = [f for f in results.group("agreement", section) if f.estimate.value is not None]
    if not others:
        return "Agreement cannot be stated yet."
    return _told(others[0], _of_question(results, others[0], section))


def _told(finding: Finding, of: str) -> str:
    return f"Agreement{f' on {of}' if of else ''}: {finding.short or finding.label} = {in_text(finding)!s}."


def _of_question(results: Results, finding: Finding, section: str | None = None) -> str:
    """Which question a figure is of, where others have such a figure, too; else nothing."""
    alike = [f for f in results.group(finding.group, section) if f.statistic == finding.statistic]
    asked = dict.fromkeys((f.section, f.question) for f in alike)
    if len(asked) < 2:
        return ""
    return f"“{finding.question.replace('_', ' ')}”, the first of {spelled(len(asked))} questions"


def agreement_figure(results: Results, section: str | None = None) -> str:
    """Which two raters agree most and least, in one sentence."""
    found = [f for f in results.group("agreement", section) if f.statistic == "cohen kappa"]
    pairs = [f for f in found if f.estimate.value is not None]
    if len(pairs) < 2 or len({f.question for f in pairs}) > 1:
        return agreement(results, section)
    pairs.sort(key=lambda f: f.estimate.value or 0)
    (low, least), (high, most) = ((" and ".join(f.raters), value_of(f)) for f in (pairs[0], pairs[-1]))
    if least == most:
        return f"Every two annotators agree alike (κ = {least})."
    return f"Agreement of two annotators ranges from κ = {least} ({low}) to {most} ({high})."


def ambiguity(results: Results, section: str | None = None) -> str:
    """Which strata have too few verdicts, in one sentence."""
    flagged = [f for f in results.parts("ambiguity", section) if f.band]
    whole = [f for f in results.group("ambiguity", section) if f.statistic == "ambiguity rate"]
    if not whole or all(f.estimate.value is None for f in whole):
        return "No item has enough answers for a verdict yet."
    known = sorted((f for f in whole if f.estimate.value is not None), key=lambda f: f.estimate.value or 0)
    text = "; ".join(f"{results.label(f)!s}: {in_text(f)!s}" for f in known)
    if len(known) > 2:
        low, high = (f"{in_text(f)!s} ({f.question.replace('_', ' ')})" for f in (known[0], known[-1]))
        text = f"Ambiguous items range from {low} to {high}"
    if not flagged:
        return _sentence(text)
    names = dict.fromkeys(f.stratum for f in flagged)
    return f"{_sentence(text)} Above the threshold: {', '.join(names)}."


def in_short(results: Results) -> list[str]:
    """The results in a few sentences, each from a finding that exists."""
    sentences = []
    if any(f.estimate.value is not None for f in results.group("agreement")):
        sentences.append(agreement(results))
    return sentences


def _primary(results: Results, group: str, section: str | None = None) -> Finding | None:
    return next((finding for finding in results.group(group, section) if finding.primary), None)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
