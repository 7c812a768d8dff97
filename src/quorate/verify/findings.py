"""What `verify` found: what, where, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

#: What a finding means, by its kind, in the order in which kinds are told.
MEANS: Mapping[str, str] = {
    "files": "Files of the bundle were changed, damaged, taken out or put in after it was made.",
    "unreadable": "Rows of the database were damaged or written by another program; what they said cannot be checked.",
    "protocol": "What raters met may not be what the study file says now.",
    "sample": "The items that were rated are not the ones that the protocol draws from its table.",
    "distractors": "Options that raters chose from are not the ones that the protocol builds.",
    "plan": "The places that raters could take are not the ones that the protocol draws.",
    "claims": "Who took which place does not fit the recorded sequence of claims.",
    "order": "Items did not come in the order that is drawn for this rater.",
    "sides": "Systems stood on other sides than those drawn, so a stored preference may be for the wrong system.",
    "options": "Options stood in another order than the one drawn, so a stored choice may be the wrong option.",
    "assignments": "An answer and the place in the plan that it was given to do not belong together.",
    "chain": "Rows of answers were changed, removed or put in after they were stored.",
    "hash": "An answer was given under a protocol that this study never had, or not at that time.",
    "revisions": "A revision is missing or stands twice, so the newest answer may not be what the rater last said.",
    "values": "What is stored is not what the question makes of what was sent.",
    "reasons": "A missing answer has a reason that cannot stand there.",
    "times": "An answer was counted, or left out, or taken, when it should not have been.",
    "erasure": "What a withdrawn rater said is still there, or is gone without a withdrawal.",
    "numbers": "What is printed is not what the rows give.",
    "anchors": "Who saw a judge's score is not who was drawn to see it, or it was not the judge's.",
    "presented": "A browser reports that it showed something else than what was assigned.",
    "evidence": "What a browser reported of its page is gone or was changed, so what was shown cannot be checked.",
}

_MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: its kind, where it is, and what it is, in a sentence."""

    kind: str
    where: str
    what: str

    @property
    def means(self) -> str:
        """Why it matters."""
        return MEANS[self.kind]

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Verification:
    """Everything that was found, and how much was looked at."""

    findings: tuple[Finding, ...]
    looked_at: Mapping[str, int] = field(default_factory=dict)
    simulated: bool = False
    #: What was not looked at, and why.
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def of(self, kind: str) -> list[Finding]:
        """The findings of one kind."""
        return [finding for finding in self.findings if finding.kind == kind]

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, ready for JSON."""
        found = [{**asdict(finding), "means": finding.means} for finding in self.findings]
        return {"ok": self.ok, "simulated": self.simulated, "looked_at": dict(self.looked_at), "findings": found,
                "notes": list(self.notes)}  # fmt: skip

    def __str__(self) -> str:
        counted = ", ".join(f"{n:,} {what}" for what, n in self.looked_at.items())
        of = "a rehearsal" if self.simulated else "the study"
        if self.ok:
            return "\n".join([f"Nothing is wrong with {of}. Looked at: {counted}.", *self.notes])
        n = len(self.findings)
        head = f"{n:,} thing{' is' if n == 1 else 's are'} wrong with {of}. Looked at: {counted}."
        return "\n".join([head, *(_listed(kind, self.of(kind)) for kind in MEANS if self.of(kind)), *self.notes])


def _listed(kind: str, findings: list[Finding]) -> str:
    shown = findings[:_MOST_LISTED]
    lines = [f"\n{kind}: {MEANS[kind]}"]
    lines += [f"  {finding}" for finding in shown]
    if findings[_MOST_LISTED:]:
        lines.append(f"  … and {len(findings) - _MOST_LISTED:,} more (all of them with --json)")
    return "\n".join(lines)
