"""The tables of a study's database: facts that are only ever added, and caches that can be rebuilt from them.

Facts: settings, protocols, events, people, the plan, assignments, submissions, answers, presentations, decisions,
judges' calls.
Caches: `rater`, `lease_until`, `open` and `fill` of a slot; `answered`, `revision` and `lost` of an assignment;
`tallies`; `progress`. JSON is text, times are text (UTC, ISO 8601, milliseconds), so that both databases hold the same.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def words(name: str, **rest: object) -> Column[str]:
    """A text that must be there; "" is the empty one."""
    return Column(name, Text, nullable=False, **rest)  # type: ignore[arg-type]


def number(name: str, default: int | None = None) -> Column[int]:
    """A whole number that must be there."""
    return Column(name, Integer, nullable=False, server_default=None if default is None else text(str(default)))


def sequence() -> Column[int]:
    """The server's sequence. Rows are never deleted, so the next number is always a new one."""
    return Column("seq", Integer, primary_key=True)


settings = Table("settings", metadata, words("name", primary_key=True), words("value"))

protocols = Table(
    "protocols",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    words("collection_hash"),
    words("analysis_hash"),
    words("text"),
    words("reason"),
    words("at"),
    # Where it stands among events and answers: clocks are set back, and numbers are not.
    Column("after_event", Integer),
    Column("after_answer", Integer),
)

events = Table(
    "events",
    metadata,
    sequence(),
    words("at"),
    Column("rater", Text),
    words("kind"),
    Column("data", Text),
    # The newest answer when it was recorded; not known of rows that an older version wrote.
    Column("after_answer", Integer),
    Index("ix_events_rater", "rater", "seq"),
    Index("ix_events_kind", "kind", "seq"),
)

raters = Table(
    "raters",
    metadata,
    words("id", primary_key=True),
    number("place"),
    words("panel"),
    words("joined_at"),
    UniqueConstraint("place"),
)

members = Table("members", metadata, words("id", primary_key=True), number("place"), words("name"), words("at"))

links = Table(
    "links",
    metadata,
    words("token_hash", primary_key=True),
    words("role"),
    words("person"),
    words("at"),
    Column("revoked_at", Text),
    CheckConstraint("role IN ('rater', 'member')", name="role"),
    Index("ix_links_person", "person"),
)

# A table of its own, so that no export that reads the others can carry a platform's id away.
platform_ids = Table(
    "platform_ids",
    metadata,
    words("platform", primary_key=True),
    words("external_id", primary_key=True),
    Column("rater", Text, ForeignKey("raters.id"), nullable=False),
)

items = Table("items", metadata, words("id", primary_key=True), number("position"), words("fields"))

slots = Table(
    "slots",
    metadata,
    Column("id", Integer, primary_key=True),
    words("section"),
    Column("item", Text, ForeignKey("items.id"), nullable=False),
    number("repeat"),
    number("round", 1),
    words("stratum"),
    words("shown"),
    Column("rater", Text),
    Column("lease_until", Text),
    number("open", 1),
    # Only on the slot of an item that is to be claimed next: how many slots of that item are taken.
    Column("fill", Integer),
    UniqueConstraint("section", "item", "round", "repeat"),
)
Index(
    "ix_slots_next",
    *(slots.c.section, slots.c.round, slots.c.stratum, slots.c.fill, slots.c.repeat, slots.c.id),
    sqlite_where=slots.c.fill.is_not(None),
    postgresql_where=slots.c.fill.is_not(None),
)
Index(
    "ix_slots_lease",
    *(slots.c.section, slots.c.round, slots.c.lease_until),
    sqlite_where=slots.c.lease_until.is_not(None),
    postgresql_where=slots.c.lease_until.is_not(None),
)

assignments = Table(
    "assignments",
    metadata,
    words("id", primary_key=True),
    Column("slot", Integer, ForeignKey("slots.id"), nullable=False),
    Column("rater", Text, ForeignKey("raters.id"), nullable=False),
    words("section"),
    words("item"),
    number("repeat"),
    number("round"),
    number("position"),
    words("shown"),
    Column("lease_until", Text),
    Column("claimed_seq", Integer, ForeignKey("events.seq"), nullable=False),
    number("answered", 0),
    number("revision", 0),
    # 0 while the rater has it, else the number of the event through which the slot went back to the plan.
    number("lost", 0),
    UniqueConstraint("rater", "section", "position"),
    UniqueConstraint("rater", "section", "item", "round", "repeat", "lost"),
)

# What answers point to is the number, not the client's key: numbers grow, so that the index is written at one end.
submissions = Table(
    "submissions",
    metadata,
    sequence(),
    words("key"),
    words("rater"),
    Column("assignment", Text, ForeignKey("assignments.id")),
    words("at"),
    Column("evidence", Text),
    UniqueConstraint("key"),
)

answers = Table(
    "answers",
    metadata,
    sequence(),
    Column("submission", Integer, ForeignKey("submissions.seq"), nullable=False),
    words("by"),
    words("rater"),
    words("section"),
    words("item"),
    number("repeat"),
    number("round"),
    words("question"),
    Column("value", Text),
    Column("reason", Text),
    Column("raw", Text),
    words("at"),
    number("position"),
    Column("seconds", Float),
    number("revision"),
    words("protocol"),
    words("shown"),
    # 1 where the slot had gone to another rater when the answer came: it is kept, and does not count.
    number("late", 0),
    # The rater's 1st, 2nd, … row, and a hash over it and the row before it.
    number("number"),
    words("chain"),
    CheckConstraint("value IS NOT NULL OR reason IS NOT NULL", name="missing_has_a_reason"),
    CheckConstraint("\"by\" IN ('rater', 'judge', 'member')", name="by"),
    UniqueConstraint("submission", "question"),
    UniqueConstraint("rater", "by", "number"),
    Index("ix_answers_rater", "rater", "section", "item"),
)

presentations = Table(
    "presentations",
    metadata,
    sequence(),
    words("rater"),
    Column("assignment", Text, ForeignKey("assignments.id")),
    words("at"),
    Column("evidence", Text),
    Index("ix_presentations_rater", "rater"),
)

decisions = Table(
    "decisions",
    metadata,
    sequence(),
    words("at"),
    words("member"),
    words("section"),
    words("question"),
    words("target"),
    words("canonical"),
    words("vote"),
    words("reason"),
)

tallies = Table(
    "tallies",
    metadata,
    words("rater", primary_key=True),
    words("section", primary_key=True),
    number("answered", 0),
    number("total", 0),
)

progress = Table(
    "progress",
    metadata,
    Column("rater", Text, ForeignKey("raters.id"), primary_key=True, nullable=False),
    words("step"),
    words("section"),
    words("status"),
)

# What was put to a judge's model and what came back; the answer of record is among the answers.
calls = Table(
    "calls",
    metadata,
    sequence(),
    words("key"),
    words("judge"),
    words("section"),
    words("item"),
    words("purpose"),
    words("at"),
    words("model"),
    words("parameters"),
    words("prompt_hash"),
    words("prompt"),
    words("reply"),
    words("shown"),
    Column("said", Text),
    Column("confidence", Text),
    Column("details", Text),
    words("note"),
    number("attempts"),
    Column("tokens_in", Integer),
    Column("tokens_out", Integer),
    Column("cost", Float),
    Column("seconds", Float),
    UniqueConstraint("key"),
    Index("ix_calls_judge", "judge", "section", "item"),
)
