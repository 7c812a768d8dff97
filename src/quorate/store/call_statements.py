"""Statements about judges' calls and about items that no rater is given; compiled with the others."""

from __future__ import annotations

from sqlalchemy import bindparam, func, null, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or  # both dialects write ON CONFLICT alike

from quorate.store.schema import calls, slots

p = bindparam
CALL = calls.c.values()[1:]

CALLS = {
    "add_call": insert_or(calls)
    .values({name: p(name) for name in calls.c.keys()[1:]})
    .on_conflict_do_nothing(index_elements=["key"]),
    "call": select(calls.c.seq).where(calls.c.key == p("key")),
    "calls": select(*CALL).where(calls.c.judge == func.coalesce(p("judge"), calls.c.judge)).order_by(calls.c.seq),
    "repeated_calls": select(calls.c.judge, calls.c.section, calls.c.item, calls.c.purpose, calls.c.said, calls.c.shown)
    .where(calls.c.purpose != "record", calls.c.said.is_not(None))
    .order_by(calls.c.seq),
    "calls_spent": select(
        func.count(), func.sum(calls.c.tokens_in), func.sum(calls.c.tokens_out), func.sum(calls.c.cost)
    ).where(calls.c.judge == p("judge"), calls.c.tokens_in.is_not(None)),
    "failed_calls": select(func.count()).where(
        calls.c.judge == p("judge"),
        calls.c.section == p("section"),
        calls.c.item == p("item"),
        calls.c.purpose == p("purpose"),
    ),
    # Only what nobody holds: a rater who has begun keeps the item.
    "withhold_item": update(slots)
    .where(
        slots.c.section == p("section"),
        slots.c.item == p("item"),
        slots.c.round == p("round"),
        slots.c.rater.is_(None),
    )
    .values(open=0, fill=null()),
}
