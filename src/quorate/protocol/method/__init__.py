"""The methodology check: what a careful reviewer would say of a study before anybody is asked.

A complaint says that a study file cannot be used. Advice says that it can, and what the results would suffer from.
"""

from __future__ import annotations

from quorate.protocol.method.analyses import AFTER_CONSENT, ANALYSES
from quorate.protocol.method.book import Advice, MethodRule, advise
from quorate.protocol.method.judges import JUDGES, judge_weaknesses
from quorate.protocol.method.media import MEDIA
from quorate.protocol.method.questions import QUESTIONS
from quorate.protocol.method.samples import SAMPLES
from quorate.protocol.method.screening import quiz_precision
from quorate.protocol.protocol import Protocol

RULES: tuple[MethodRule, ...] = (*SAMPLES, *MEDIA, *QUESTIONS, *JUDGES, *ANALYSES)
"""The rule book, in the order in which a study is read."""

__all__ = [
    "AFTER_CONSENT",
    "RULES",
    "Advice",
    "MethodRule",
    "check_method",
    "judge_weaknesses",
    "quiz_precision",
    "rule_book",
]


def check_method(protocol: Protocol) -> tuple[Advice, ...]:
    """Everything that the rule book finds in a study."""
    return tuple(advise(RULES, protocol))


def rule_book() -> str:
    """The rule book as Markdown: the content of docs/method-check.md."""
    head = """\
# The methodology check

`quorate check DIR` first says what is wrong with a study file: complaints, and nothing runs until they are put right.
Then it holds the study against the rules below and gives advice. A study with advice runs; the exit status is 0. A
*warning* can change a conclusion; a *note* should be said in the paper. `--json` gives the same for programs, and in
Python it is `quorate.protocol.method.check_method(protocol)`. In a study with a screening quiz, `check` also prints how
precise the quiz is; of judges it notes what is weak about what their scores are made of.

This page is written by `python -m quorate.protocol.method`; a test holds it against the rules.
"""
    entries = [
        f"## `{rule.id}`: {rule.title}\n\n*{rule.severity.capitalize()}.* {rule.why}\n\n"
        f"**What to do.** {rule.fix}\n\n**Source.** {rule.source}\n"
        for rule in (*RULES, AFTER_CONSENT)
    ]
    return "\n".join([head, *entries])
