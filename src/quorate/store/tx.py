"""All verbs of the store, on one connection inside one transaction."""

from __future__ import annotations

from quorate.store.answers import AnswerVerbs
from quorate.store.calls import CallVerbs
from quorate.store.people import PeopleVerbs
from quorate.store.plan import PlanVerbs


class Tx(PeopleVerbs, PlanVerbs, AnswerVerbs, CallVerbs):
    """What a verb given to `Store.write`, `do`, `ado` or `read` works with; it is not kept beyond that."""
