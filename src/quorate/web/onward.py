"""Where a rater from a platform goes at the end: an address, or a code to carry there."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from quorate.collect.way import Step
from quorate.protocol.raters import Platform

PROLIFIC = "https://app.prolific.com/submissions/complete?cc="


@dataclass(frozen=True, slots=True)
class Onward:
    """The way back to a platform: an address, or a code where only a code is known."""

    name: str
    address: str = ""
    code: str = ""


def onward(platform: Platform | None, step: Step) -> Onward | None:
    """What the last page of a way offers. It is made when the end is stored, so that nobody is sent off too early.

    >>> onward(Platform(completed="C1A2"), Step.DONE).address
    'https://app.prolific.com/submissions/complete?cc=C1A2'
    >>> onward(Platform(completed="C1A2"), Step.WORK) is None
    True
    """
    if platform is None:
        return None
    ends = {
        Step.DONE: platform.completed,
        Step.SCREENED_OUT: platform.screened_out,
        Step.NOT_SELECTED: platform.screened_out,
        Step.DECLINED: platform.no_consent,
    }
    said = ends.get(step, "")
    name = platform.name.capitalize() if platform.name.islower() else platform.name
    if not said:
        return None
    if said.startswith(("https://", "http://")):
        return Onward(name, said)
    if platform.name.lower() == "prolific":
        return Onward(name, PROLIFIC + quote(said, safe=""))
    return Onward(name, code=said)
