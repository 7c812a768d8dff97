"""What is open is found by its position: every answer had to change an index of it, too."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Drop the index of open assignments."""
    op.drop_index("ix_assignments_open", "assignments")
