"""Every statement of the store, written in SQLAlchemy Core and compiled once to each driver's SQL.

Core costs 50 µs a statement and 30 MB of memory, so the running store reads the compiled text (`compiled_sqlite.py`,
`compiled_postgresql.py`) and does not import this module. After a change here, `python -m quorate.store.compile`
writes those files anew; a test holds them equal.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal_column,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as insert_or  # both dialects write ON CONFLICT alike

from quorate.store.call_statements import CALLS
from quorate.store.schema import (
    answers,
    assignments,
    decisions,
    events,
    items,
    links,
    members,
    platform_ids,
    presentations,
    progress,
    protocols,
    raters,
    settings,
    slots,
    submissions,
    tallies,
)

p = bindparam


def columns(table: Table, names: str) -> list[Column[Any]]:
    """These columns, in this order."""
    return [table.c[name] for name in names.split()]


def add(table: Table, *names: str) -> Any:
    """Insert a row with these columns, each from the parameter of its name."""
    return insert(table).values({name: p(name) for name in names})


def at(table: Any, *names: str) -> ColumnElement[bool]:
    """These columns are equal to the parameters of their names."""
    return and_(*(table.c[name] == p(name) for name in names))


def maybe(*columns: ColumnElement[Any]) -> ColumnElement[bool]:
    """These columns are equal to the parameters of their names, where those are given."""
    return and_(*(column == func.coalesce(p(column.key), column) for column in columns))


def newest(*conditions: ColumnElement[bool]) -> Any:
    """The answers that count: the newest by the server's sequence to each question of each assignment."""
    key = ("by", "rater", "section", "item", "repeat", "round", "question")
    last = select(func.max(answers.c.seq)).where(*conditions).group_by(*(answers.c[name] for name in key))
    return select(*ANSWER).where(answers.c.seq.in_(last)).order_by(answers.c.seq)


def _newest_of(table: Any) -> Any:
    """The number of a table's newest row, 0 where it is empty."""
    return select(func.coalesce(func.max(table.c.seq), 0)).scalar_subquery()


# The order of the fields of the records that are made of these rows.
EVENT = columns(events, "seq at rater kind data after_answer")
RATER = columns(raters, "id place panel")
SLOT = columns(slots, "section item repeat stratum shown round")
ASSIGNMENT = columns(
    assignments, "id rater section item repeat position shown round answered revision lost lease_until"
)
ANSWER = columns(
    answers,
    "seq by rater section item question value reason raw at position repeat seconds revision protocol shown round late",
)
# What a row's hash is over, and the hash.
LINK = columns(
    answers,
    "chain seq by rater number section item repeat round question value reason raw at position seconds revision "
    "protocol shown late",
)
REPORTED = columns(assignments, "section item repeat round position")
OWN = at(assignments, "rater", "section")
HELD = and_(OWN, assignments.c.answered == 0, assignments.c.lost == 0)
# Sent in without an answer, as where something did not load: not open, and not answered.
OPEN = and_(HELD, assignments.c.revision == 0, assignments.c.position > p("after_position"))
SAME_ITEM = at(slots, "section", "item", "round")
PROGRESS = [
    *(progress.c.rater, progress.c.step, progress.c.section),
    *(func.coalesce(tallies.c.answered, 0), func.coalesce(tallies.c.total, 0), progress.c.status),
]
_of_progress = and_(tallies.c.rater == progress.c.rater, tallies.c.section == progress.c.section)
_taken = slots.alias("taken")

WRITTEN_ONCE = {
    "setting": select(settings.c.value).where(at(settings, "name")),
    "add_setting": insert_or(settings).values(name=p("name"), value=p("value")).on_conflict_do_nothing(),
    "protocols": select(protocols).order_by(protocols.c.number),
    "next_protocol": select(func.coalesce(func.max(protocols.c.number), -1) + 1),
    "add_protocol": add(protocols, *protocols.c.keys()[:-2]).values(
        after_event=_newest_of(events), after_answer=_newest_of(answers)
    ),
    "add_event": add(events, "at", "rater", "kind", "data").values(after_answer=_newest_of(answers)),
    "events": select(*EVENT).where(events.c.seq > p("after")).order_by(events.c.seq),
    "events_of_rater": select(*EVENT).where(at(events, "rater"), events.c.seq > p("after")).order_by(events.c.seq),
    "events_of_kind": select(*EVENT).where(at(events, "kind"), events.c.seq > p("after")).order_by(events.c.seq),
    "last_of_kind": select(*EVENT).where(at(events, "kind")).order_by(events.c.seq.desc()).limit(1),
    "state": select(events.c.kind)
    .where(events.c.kind.in_([literal_column("'opened'"), literal_column("'closed'")]))
    .order_by(events.c.seq.desc())
    .limit(1),
    "last_of_rater": select(*EVENT).where(at(events, "rater", "kind")).order_by(events.c.seq.desc()).limit(1),
    "add_decision": add(decisions, *decisions.c.keys()[1:]),
    "decisions": select(decisions).order_by(decisions.c.seq),
    "add_presentation": add(presentations, "rater", "assignment", "at", "evidence"),
    "presentations": select(presentations).order_by(presentations.c.seq),
    "presentations_of": select(presentations).where(at(presentations, "rater")).order_by(presentations.c.seq),
}

PEOPLE = {
    "next_place": select(func.coalesce(func.max(raters.c.place), 0) + 1),
    "add_rater": add(raters, *raters.c.keys()),
    "rater": select(*RATER).where(at(raters, "id")),
    "raters": select(*RATER).order_by(raters.c.place),
    "raters_without_answers": select(raters.c.id, func.max(events.c.at))
    .select_from(raters.outerjoin(events, events.c.rater == raters.c.id))
    .where(~exists().where(assignments.c.rater == raters.c.id, assignments.c.answered == 1))
    .group_by(raters.c.id),
    "next_member": select(func.coalesce(func.max(members.c.place), 0) + 1),
    "add_member": add(members, *members.c.keys()),
    "members": select(members.c.id, members.c.name, members.c.at).order_by(members.c.place),
    "add_link": add(links, "token_hash", "role", "person", "at"),
    "link": select(links.c.role, links.c.person, links.c.revoked_at).where(at(links, "token_hash")),
    "links": select(links).order_by(links.c.at, links.c.token_hash),
    "revoke_links": update(links).where(at(links, "person"), links.c.revoked_at.is_(None)).values(revoked_at=p("at")),
    "platform_rater": select(platform_ids.c.rater).where(at(platform_ids, "platform", "external_id")),
    "add_platform_id": insert_or(platform_ids)
    .values({column.key: p(column.key) for column in platform_ids.c})
    .on_conflict_do_nothing(),
    "progress": select(*PROGRESS).select_from(progress.outerjoin(tallies, _of_progress)).where(at(progress, "rater")),
    "set_progress": insert_or(progress)
    .values({column.key: p(column.key) for column in progress.c})
    .on_conflict_do_update(index_elements=["rater"], set_={name: p(name) for name in ("step", "section", "status")}),
}

PLAN = {
    "any_assignment": select(assignments.c.id).limit(1),
    "clear_slots": delete(slots),
    "clear_items": delete(items),
    "add_item": add(items, *items.c.keys()),
    "add_slot": add(slots, *(column.name for column in SLOT)),
    "plan_size": select(
        select(func.count()).select_from(items).scalar_subquery(),
        select(func.count()).select_from(slots).scalar_subquery(),
    ),
    "item": select(items.c.id, items.c.fields).where(at(items, "id")),
    "items": select(items.c.id, items.c.fields).order_by(items.c.position),
    "slots": select(*SLOT).order_by(slots.c.id),
}

_has_item = exists().where(
    assignments.c.rater == p("rater"),
    assignments.c.section == slots.c.section,
    assignments.c.item == slots.c.item,
    or_(assignments.c.lost == 0, assignments.c.answered == 1),
)
_last_answer = (
    select(answers.c.at)
    .where(answers.c.rater == slots.c.rater, answers.c.by == literal_column("'rater'"))
    .order_by(answers.c.number.desc())
    .limit(1)
    .scalar_subquery()
)
_run_out = and_(at(slots, "section", "round"), slots.c.lease_until.is_not(None), slots.c.lease_until <= p("now"))
# Whoever goes on answering keeps what was claimed.
_lapsed = and_(_run_out, func.coalesce(_last_answer, literal_column("''")) <= p("since"))
_unanswered = exists().where(
    *(assignments.c[name] == _taken.c[name] for name in ("rater", "section", "item", "round", "repeat")),
    assignments.c.lost == 0,
    assignments.c.answered == 0,
)
# An answered slot keeps the lease it had until a claim looks at it: submissions need not write it.
_is_answered = exists().where(
    *(assignments.c[name] == slots.c[name] for name in ("rater", "section", "item", "round", "repeat")),
    assignments.c.lost == 0,
    assignments.c.answered == 1,
)
_unfinished = exists().where(
    *(_taken.c[name] == slots.c[name] for name in ("section", "item", "round")),
    or_(_taken.c.open == 1, _taken.c.rater.is_(None), _taken.c.repeat >= p("per_item"), _unanswered),
)
_may_claim = and_(slots.c.fill.is_not(None), slots.c.open == 1, ~_has_item)
_in_item = at(_taken, "section", "item", "round")
_first_open = select(_taken.c.id).where(_in_item, _taken.c.open == 1).order_by(_taken.c.repeat).limit(1)
_fill = select(func.count()).where(_in_item, _taken.c.open == 0)
_of_item = and_(*(_taken.c[name] == slots.c[name] for name in ("section", "item", "round")))
_first_of_item = select(func.min(_taken.c.repeat)).where(_of_item, _taken.c.open == 1)
_fill_of_item = select(func.count()).where(_of_item, _taken.c.open == 0)

CLAIM = {
    "next_slots": select(slots.c.fill, slots.c.repeat, slots.c.id, slots.c.rater, *SLOT)
    .where(at(slots, "section", "round", "stratum"), _may_claim)
    .order_by(slots.c.fill, slots.c.repeat, slots.c.id)
    .limit(p("n")),
    "next_stratum": select(func.min(slots.c.stratum)).where(
        at(slots, "section", "round"), slots.c.fill.is_not(None), slots.c.stratum > p("after")
    ),
    "claimable_slot": select(slots.c.id).where(at(slots, "section", "round", "stratum"), _may_claim).limit(1),
    "slot": select(slots.c.open, slots.c.id, slots.c.rater, *SLOT).where(at(slots, "id")),
    # Locked where the database lets several write at once: whoever completes an item sees the others' answers.
    "slots_of_item": select(slots.c.id, slots.c.rater, *SLOT)
    .where(SAME_ITEM)
    .order_by(slots.c.repeat)
    .with_for_update(),
    "claimable_lapsed_slot": select(slots.c.id)
    .where(_lapsed, maybe(slots.c.stratum), ~_has_item, ~_is_answered)
    .limit(1),
    # Held or free; what a judge settled is neither.
    "unanswered_slot": select(slots.c.id)
    .where(
        at(slots, "section", "round", "stratum"),
        or_(slots.c.open == 1, slots.c.rater.is_not(None)),
        ~_has_item,
        ~_is_answered,
    )
    .limit(1),
    "lapsed_slots": select(slots.c.id, slots.c.section, slots.c.item, slots.c.round).where(_lapsed),
    # Of the plan's order, which is drawn: items whose planned raters have all answered, and that nobody contests.
    "agreed_items": select(slots.c.item)
    .where(at(slots, "section", "round", "stratum"), slots.c.repeat == 0, ~_has_item, ~_unfinished)
    .order_by(slots.c.id)
    .limit(p("n")),
    "slots_at_repeat": select(slots.c.section, slots.c.item, slots.c.round)
    .where(at(slots, "repeat"), slots.c.round >= 1, slots.c.open == 0)
    .order_by(slots.c.id),
    "take_slot": update(slots)
    .where(at(slots, "id"), slots.c.open == 1)
    .values(rater=p("rater"), lease_until=p("lease_until"), open=0, fill=null()),
    "open_slot": update(slots).where(at(slots, "id")).values(lease_until=null(), open=1),
    "open_unshown_slot": update(slots)
    .where(SAME_ITEM, at(slots, "repeat", "rater"))
    .values(lease_until=null(), open=1),
    "not_answered": update(assignments).where(at(assignments, "id")).values(answered=0),
    "free_slot": update(slots).where(at(slots, "id", "rater")).values(rater=null(), lease_until=null(), open=1),
    "keep_answered_slots": update(slots).where(_run_out, _is_answered).values(lease_until=null()),
    "is_open_slot": select(slots.c.open).where(SAME_ITEM, at(slots, "repeat")),
    "keep_lapsed_slot": update(slots).where(SAME_ITEM, at(slots, "repeat", "rater")).values(lease_until=null(), open=0),
    "unmark_item": update(slots).where(SAME_ITEM, slots.c.fill.is_not(None)).values(fill=null()),
    "mark_item": update(slots).where(slots.c.id == _first_open.scalar_subquery()).values(fill=_fill.scalar_subquery()),
    "mark_all_items": update(slots)
    .where(slots.c.open == 1, slots.c.repeat == _first_of_item.scalar_subquery())
    .values(fill=_fill_of_item.scalar_subquery()),
    "last_position": select(func.coalesce(func.max(assignments.c.position), 0)).where(OWN),
    "add_assignment": add(assignments, *assignments.c.keys()[:11]),
    "held_assignment": select(assignments.c.id).where(
        OWN, at(assignments, "item", "round", "repeat"), assignments.c.lost == 0
    ),
    "assignments_held": select(*columns(assignments, "id slot section item round answered")).where(
        at(assignments, "rater"), assignments.c.lost == 0
    ),
    "shown_to": select(assignments.c.shown).where(OWN, assignments.c.lost == 0),
    "claimed": select(assignments.c.round, assignments.c.repeat, func.count())
    .where(OWN, assignments.c.lost == 0)
    .group_by(assignments.c.round, assignments.c.repeat),
    "lose_assignment": update(assignments).where(at(assignments, "id")).values(lost=p("lost")),
    "drop_answered": update(tallies).where(at(tallies, "rater", "section")).values(answered=tallies.c.answered - 1),
    "add_total": insert_or(tallies)
    .values(rater=p("rater"), section=p("section"), total=p("n"))
    .on_conflict_do_update(index_elements=["rater", "section"], set_={"total": tallies.c.total + p("n")}),
}

_link_works = exists().where(links.c.token_hash == p("link"), links.c.revoked_at.is_(None))
_is_open = (
    select(func.max(events.c.seq)).where(events.c.kind == literal_column("'opened'")).scalar_subquery()
    > select(func.coalesce(func.max(events.c.seq), 0))
    .where(events.c.kind == literal_column("'closed'"))
    .scalar_subquery()
)


def _of_last_answer(name: str) -> Any:
    """A column of the rater's newest answer: by one step in an index, whatever a database believes of its tables."""
    return (
        select(answers.c[name])
        .where(answers.c.rater == assignments.c.rater, answers.c.by == literal_column("'rater'"))
        .order_by(answers.c.number.desc())
        .limit(literal_column("1"))
        .scalar_subquery()
    )


WORK = {
    "standing": select(
        _link_works,
        _is_open,
        func.coalesce(_of_last_answer("number"), 0),
        func.coalesce(_of_last_answer("chain"), ""),
        *PROGRESS,
        *ASSIGNMENT,
    )
    .select_from(
        assignments.outerjoin(progress, progress.c.rater == assignments.c.rater).outerjoin(tallies, _of_progress)
    )
    .where(at(assignments, "id")),
    "assignment": select(*ASSIGNMENT).where(at(assignments, "id")),
    "assignments": select(*ASSIGNMENT)
    .where(at(assignments, "rater"))
    .order_by(assignments.c.claimed_seq, assignments.c.position),
    "assignments_in": select(*ASSIGNMENT).where(OWN).order_by(assignments.c.position),
    "all_assignments": select(*ASSIGNMENT).order_by(
        assignments.c.claimed_seq, assignments.c.rater, assignments.c.section, assignments.c.position
    ),
    "held_before": select(*ASSIGNMENT)
    .where(OWN, assignments.c.lost == 0, assignments.c.position < p("position"))
    .order_by(assignments.c.position.desc())
    .limit(1),
    "next_open": select(*ASSIGNMENT).where(OPEN).order_by(assignments.c.position).limit(p("n")),
    "unshown": select(*ASSIGNMENT).where(HELD, assignments.c.revision > 0).order_by(assignments.c.position),
    "counts": select(tallies.c.answered, tallies.c.total).where(at(tallies, "rater", "section")),
}

ANSWERS = {
    "add_submission": insert_or(submissions)
    .values({name: p(name) for name in submissions.c.keys()[1:]})
    .on_conflict_do_nothing(index_elements=["key"]),
    "submission": select(submissions.c.seq, submissions.c.rater, submissions.c.assignment).where(
        at(submissions, "key")
    ),
    # Some at a time: the reports of a large study do not fit into memory as text.
    "reports": select(*columns(submissions, "seq rater assignment at evidence"), *REPORTED)
    .select_from(submissions.join(assignments, assignments.c.id == submissions.c.assignment))
    .where(submissions.c.seq > p("after"), assignments.c.revision >= p("times"))
    .order_by(submissions.c.seq)
    .limit(p("n")),
    "revision_of_submission": select(func.max(answers.c.revision)).where(at(answers, "submission")),
    "answer_assignment": update(assignments)
    .where(at(assignments, "id"), assignments.c.revision == p("known"))
    .values(answered=1, revision=p("known") + 1),
    "last_revision": select(func.coalesce(func.max(answers.c.revision), 0)).where(
        at(answers, "by", "rater", "section", "item", "repeat", "round")
    ),
    "last_link": select(answers.c.number, answers.c.chain)
    .where(at(answers, "rater", "by"))
    .order_by(answers.c.number.desc())
    .limit(1),
    "links_after": select(answers.c.seq, answers.c.chain).where(answers.c.seq > p("after")).order_by(answers.c.seq),
    "chained": select(*LINK).order_by(answers.c.rater, answers.c.by, answers.c.number),
    "add_answer": add(answers, *answers.c.keys()[1:]),
    "add_answered": update(tallies).where(at(tallies, "rater", "section")).values(answered=tallies.c.answered + 1),
    "all_answers": select(*ANSWER).where(maybe(answers.c.section, answers.c.by)).order_by(answers.c.seq),
    "all_answers_of": select(*ANSWER)
    .where(at(answers, "rater"), maybe(answers.c.section, answers.c.by))
    .order_by(answers.c.seq),
    "latest_answers": newest(maybe(answers.c.section, answers.c.by)),
    "latest_answers_of": newest(at(answers, "rater"), maybe(answers.c.section, answers.c.by)),
    "answers_of_assignment": newest(at(answers, "rater", "section", "item", "repeat", "round")),
    "counted_answers": select(*ANSWER)
    .select_from(
        slots.join(
            answers,
            and_(*(answers.c[name] == slots.c[name] for name in ("rater", "section", "item", "repeat", "round"))),
        )
    )
    .where(SAME_ITEM, answers.c.by == "rater", answers.c.late == 0)
    .order_by(answers.c.seq),
    "erase_answers": update(answers)
    .where(at(answers, "rater"), answers.c.by == "rater")
    .values(value=null(), raw=null(), reason=p("reason")),
    "erase_events": update(events).where(at(events, "rater", "kind")).values(data="{}"),
    "erase_submissions": update(submissions).where(at(submissions, "rater")).values(evidence=null()),
    "erase_presentations": update(presentations).where(at(presentations, "rater")).values(evidence=null()),
}

_is_unshown = exists().where(
    answers.c.by == literal_column("'rater'"),
    *(answers.c[name] == assignments.c[name] for name in ("rater", "section", "position", "revision")),
    answers.c.reason == literal_column("'media failed'"),
)

REBUILD = {
    "free_all_slots": update(slots).values(rater=null(), lease_until=null(), open=1, fill=null()),
    "revisions": select(submissions.c.assignment, func.count())
    .where(submissions.c.assignment.is_not(None))
    .group_by(submissions.c.assignment),
    # Not 0 at once: a rater who lost a slot twice has several rows for it, and holds at most one of them.
    "clear_assignments": update(assignments).values(answered=0, revision=0, lost=-assignments.c.claimed_seq),
    "hold_the_rest": update(assignments).where(assignments.c.lost < 0).values(lost=0),
    "set_revision": update(assignments).where(at(assignments, "id")).values(answered=1, revision=p("revision")),
    "nothing_was_shown": update(assignments).where(_is_unshown).values(answered=0),
    "held_assignments": select(*columns(assignments, "slot rater lease_until section round")).where(
        assignments.c.lost == 0
    ),
    "all_unshown": select(*columns(assignments, "section item round repeat rater")).where(
        assignments.c.lost == 0, assignments.c.answered == 0, assignments.c.revision > 0, assignments.c.round > 0
    ),
    "clear_tallies": delete(tallies),
    "count_tallies": insert(tallies).from_select(
        ["rater", "section", "answered", "total"],
        select(
            *(assignments.c.rater, assignments.c.section),
            func.sum(case((assignments.c.lost == 0, assignments.c.answered), else_=0)),
            func.sum(case((assignments.c.lost == 0, 1), else_=0)),
        ).group_by(assignments.c.rater, assignments.c.section),
    ),
}

STATEMENTS: dict[str, Any] = {**WRITTEN_ONCE, **PEOPLE, **PLAN, **CLAIM, **WORK, **ANSWERS, **REBUILD, **CALLS}
