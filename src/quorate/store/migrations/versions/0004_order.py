"""Events and protocols know where they stand among the answers: by the clock, a clock set back changes the order."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the numbers of the newest rows; of what is there already they are not known."""
    op.add_column("protocols", sa.Column("after_event", sa.Integer(), nullable=True))
    op.add_column("protocols", sa.Column("after_answer", sa.Integer(), nullable=True))
    op.add_column("events", sa.Column("after_answer", sa.Integer(), nullable=True))
