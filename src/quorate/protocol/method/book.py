"""What the methodology check is made of: rules with a reason, a source and a remedy, and what they find in a study."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from quorate.protocol.named import Place
from quorate.protocol.protocol import Protocol
from quorate.protocol.yaml import dotted

Severity = Literal["warning", "note"]
Found = tuple[Place, str]
"""Where it stands in the study file, and the sentence for this study."""


@dataclass(frozen=True, slots=True)
class MethodRule:
    """One entry of the rule book. A `warning` can change a conclusion; a `note` should be said in the paper."""

    id: str
    title: str
    why: str
    source: str
    fix: str
    find: Callable[[Protocol], Iterator[Found]]
    severity: Severity = "warning"


@dataclass(frozen=True, slots=True)
class Advice:
    """What a rule found in one study: where, what, why it matters, who says so, and what to do."""

    rule: str
    severity: Severity
    place: Place
    what: str
    why: str
    source: str
    fix: str

    def as_dict(self) -> dict[str, Any]:
        """Every part by name, ready for JSON."""
        names = ("rule", "severity", "what", "why", "source", "fix")
        return {**{name: getattr(self, name) for name in names}, "path": dotted(self.place)}


def advise(rules: tuple[MethodRule, ...], protocol: Protocol) -> Iterator[Advice]:
    """What these rules find in a study, in the order of the rules."""
    for rule in rules:
        for place, what in rule.find(protocol):
            yield Advice(rule.id, rule.severity, place, what, rule.why, rule.source, rule.fix)
