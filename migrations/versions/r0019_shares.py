"""Conversations can be shared by a link."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("mark", _BY_BYTES, nullable=False, unique=True),
        sa.Column("thread", _BY_BYTES, nullable=False),
        sa.Column("channel", _BY_BYTES, nullable=False),
        sa.Column("workspace", _BY_BYTES, nullable=False),
        sa.Column("person", _BY_BYTES, nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_index("ix_shares_thread", "shares", ["thread"])
    op.create_index("ix_shares_channel", "shares", ["channel"])
    op.create_index("ix_shares_person", "shares", ["workspace", "person"])


def downgrade() -> None:
    op.drop_table("shares")
