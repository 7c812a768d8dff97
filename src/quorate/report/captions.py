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


def in_short(results: Results) -> list[str]:
    """The results in a few sentences, each from a finding that exists."""
    sentences = []
    if any(f.estimate.value is not None for f in results.group("agreement")):
        sentences.append(agreement(results))
    return sentences


def _primary(results: Results, group: str, section: str | None = None) -> Finding | None:
    return next((finding for finding in results.group(group, section) if finding.primary), None)
