"""The first version of the schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "decisions",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("canonical", sa.Text(), nullable=False),
        sa.Column("vote", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_decisions")),
    )
    op.create_table(
        "events",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_events")),
    )
    op.create_index("ix_events_kind", "events", ["kind", "seq"], unique=False)
    op.create_index("ix_events_rater", "events", ["rater", "seq"], unique=False)
    op.create_table(
        "items",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
    )
    op.create_table(
        "links",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("revoked_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_links")),
        sa.CheckConstraint("role IN ('rater', 'member')", name=op.f("ck_links_role")),
    )
    op.create_index("ix_links_person", "links", ["person"], unique=False)
    op.create_table(
        "members",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
    )
    op.create_table(
        "protocols",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("collection_hash", sa.Text(), nullable=False),
        sa.Column("analysis_hash", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_protocols")),
    )
    op.create_table(
        "raters",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("panel", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_raters")),
        sa.UniqueConstraint("place", name=op.f("uq_raters_place")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "tallies",
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("answered", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("total", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("rater", "section", name=op.f("pk_tallies")),
    )
    op.create_table(
        "platform_ids",
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "external_id", name=op.f("pk_platform_ids")),
        sa.ForeignKeyConstraint(["rater"], ["raters.id"], name=op.f("fk_platform_ids_rater")),
    )
    op.create_table(
        "progress",
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("rater", name=op.f("pk_progress")),
        sa.ForeignKeyConstraint(["rater"], ["raters.id"], name=op.f("fk_progress_rater")),
    )
    op.create_table(
        "slots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("stratum", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.Text(), nullable=True),
        sa.Column("open", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("fill", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slots")),
        sa.UniqueConstraint("section", "item", "round", "repeat", name=op.f("uq_slots_section_item_round_repeat")),
        sa.ForeignKeyConstraint(["item"], ["items.id"], name=op.f("fk_slots_item")),
    )
    op.create_index(
        "ix_slots_lease",
        "slots",
        ["section", "round", "lease_until"],
        unique=False,
        sqlite_where=sa.text("lease_until IS NOT NULL"),
        postgresql_where=sa.text("lease_until IS NOT NULL"),
    )
    op.create_index(
        "ix_slots_next",
        "slots",
        ["section", "round", "stratum", "fill", "repeat", "id"],
        unique=False,
        sqlite_where=sa.text("fill IS NOT NULL"),
        postgresql_where=sa.text("fill IS NOT NULL"),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("lease_until", sa.Text(), nullable=True),
        sa.Column("claimed_seq", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("revision", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("lost", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("rater", "section", "position", name=op.f("uq_assignments_rater_section_position")),
        sa.UniqueConstraint(
            "rater",
            "section",
            "item",
            "round",
            "repeat",
            "lost",
            name=op.f("uq_assignments_rater_section_item_round_repeat_lost"),
        ),
        sa.ForeignKeyConstraint(["slot"], ["slots.id"], name=op.f("fk_assignments_slot")),
        sa.ForeignKeyConstraint(["rater"], ["raters.id"], name=op.f("fk_assignments_rater")),
        sa.ForeignKeyConstraint(["claimed_seq"], ["events.seq"], name=op.f("fk_assignments_claimed_seq")),
    )
    op.create_index(
        "ix_assignments_open",
        "assignments",
        ["rater", "section", "position"],
        unique=False,
        sqlite_where=sa.text("answered = 0 AND lost = 0"),
        postgresql_where=sa.text("answered = 0 AND lost = 0"),
    )
    op.create_table(
        "presentations",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_presentations")),
        sa.ForeignKeyConstraint(["assignment"], ["assignments.id"], name=op.f("fk_presentations_assignment")),
    )
    op.create_index("ix_presentations_rater", "presentations", ["rater"], unique=False)
    op.create_table(
        "submissions",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_submissions")),
        sa.UniqueConstraint("key", name=op.f("uq_submissions_key")),
        sa.ForeignKeyConstraint(["assignment"], ["assignments.id"], name=op.f("fk_submissions_assignment")),
    )
    op.create_table(
        "answers",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("submission", sa.Integer(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("section", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("repeat", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("late", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("chain", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_answers")),
        sa.CheckConstraint("value IS NOT NULL OR reason IS NOT NULL", name=op.f("ck_answers_missing_has_a_reason")),
        sa.CheckConstraint("\"by\" IN ('rater', 'judge', 'member')", name=op.f("ck_answers_by")),
        sa.UniqueConstraint("submission", "question", name=op.f("uq_answers_submission_question")),
        sa.UniqueConstraint("rater", "by", "number", name=op.f("uq_answers_rater_by_number")),
        sa.ForeignKeyConstraint(["submission"], ["submissions.seq"], name=op.f("fk_answers_submission")),
    )
    op.create_index("ix_answers_rater", "answers", ["rater", "section", "item"], unique=False)
