"""Where a rater goes at the end: an address, a code to carry there, or what to do where there is neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from quorate.collect.way import Step, Where
from quorate.protocol.raters import Codes, Raters

PROLIFIC = "https://app.prolific.com/submissions/complete?cc="


#: The ways to end, each with the name that the study file has for its code.
ENDS: Mapping[Step, str] = {Step.DONE if name == "finished" else Step(name): name for name in Codes.model_fields}


@dataclass(frozen=True, slots=True)
class Onward:
    """The way back: an address, or a code where only a code is known; `name` is the platform's, if there is one."""

    name: str
    address: str = ""
    code: str = ""


def onward(raters: Raters, now: Where) -> Onward | None:
    """What a page on which a way ends offers; nothing where nobody expects a code.

    It is made when the end is stored, so that nobody is sent off too early.

    >>> rule = Raters(consent="c", instructions="i", platform={"name": "prolific", "completed": "C1A2"})
    >>> onward(rule, Where("R1", Step.DONE)).address
    'https://app.prolific.com/submissions/complete?cc=C1A2'
    >>> onward(rule, Where("R1", Step.EXCLUDED))
    Onward(name='Prolific', address='', code='')
    >>> onward(rule, Where("R1", Step.WORK)) is None
    True
    """
    codes = codes_by_step(raters)
    if now.step not in codes or not (raters.platform or raters.completion_code or any(codes.values())):
        return None
    said, platform = codes[now.step], raters.platform
    name = "" if platform is None else platform.name
    shown = name.capitalize() if name.islower() else name
    if said.startswith(("https://", "http://")):
        return Onward(shown, said)
    if said and name.lower() == "prolific":
        return Onward(shown, PROLIFIC + quote(said, safe=""))
    return Onward(shown, code=said)


def codes_by_step(raters: Raters) -> Mapping[Step, str]:
    """The study's code for each way to end, "" where it has none; a platform's own three are the older form."""
    old, codes = raters.platform, raters.codes
    found = {step: getattr(codes, name) for step, name in ENDS.items()}
    if old is not None:
        older = {Step.DONE: old.completed, Step.SCREENED_OUT: old.screened_out, Step.DECLINED: old.no_consent}
        found |= {step: code for step, code in older.items() if not found[step]}
    found[Step.RESERVE] = found[Step.RESERVE] or found[Step.NOT_SELECTED]
    return found
