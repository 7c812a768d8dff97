"""What asking a judge will take, before it is asked: how often, how many tokens, how much."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from quorate.collect.judging import due
from quorate.collect.requests import request_for
from quorate.judges import Judge, OpenAI, Request
from quorate.protocol import Protocol
from quorate.store import Tx

LOOKED_AT = 20
"""How many requests are built to see how long they are."""
TOKENS_A_PICTURE = 1000
TOKENS_AN_ANSWER = 30


@dataclass(frozen=True, slots=True)
class Forecast:
    """How often a judge would be asked, and what that would take; None where nothing says."""

    judge: str
    due: int
    asks: int
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    basis: str = ""

    def sentence(self) -> str:
        """For people."""
        if not self.due:
            return f"{self.judge}: nothing is due; everything that it is asked has an answer or a reason."
        what = f"{self.judge}: {self.asks} of {self.due} due requests will be asked"
        if self.tokens_in is None:
            return f"{what}, at no cost."
        cost = f", cost about {self.cost:.4f}" if self.cost is not None else ", at a price that is not stated"
        return f"{what}: about {self.tokens_in:,} + {self.tokens_out:,} tokens{cost} ({self.basis})."

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)


def forecast(tx: Tx, protocol: Protocol, id: str, judge: Judge, limit: int | None = None) -> Forecast:
    """From what earlier calls took where there are any, else from the length of the first requests."""
    jobs = due(tx, protocol, id, judge)
    asks = len(jobs) if limit is None else min(limit, len(jobs))
    if not isinstance(judge, OpenAI) or not asks:
        return Forecast(id, len(jobs), asks)
    spent = tx.spent(id)
    if spent.calls:
        each_in, each_out = spent.tokens_in / spent.calls, spent.tokens_out / spent.calls
        basis = f"as {spent.calls} earlier calls took"
    else:
        built = [request_for(protocol, judge, one) for one in jobs[: min(LOOKED_AT, asks)]]
        requests = [one for one in built if isinstance(one, Request)]
        if not requests:
            return Forecast(id, len(jobs), asks, 0, 0, judge.cost(0, 0), "no request can be built")
        each_in = sum(map(_length, requests)) / len(requests)
        each_out = sum(TOKENS_AN_ANSWER * len(one.prompts) for one in requests) / len(requests)
        basis = f"guessed from {len(requests)} requests: four letters a token, {TOKENS_A_PICTURE} a picture"
    total_in, total_out = round(each_in * asks), round(each_out * asks)
    return Forecast(id, len(jobs), asks, total_in, total_out, judge.cost(total_in, total_out), basis)


def _length(request: Request) -> int:
    texts = [request.instructions, *request.prompts.values(), *(part.get("text", "") for part in request.contents)]
    pictures = sum(part.get("type") != "text" for part in request.contents)
    return sum(map(len, texts)) // 4 + TOKENS_A_PICTURE * pictures + 60
