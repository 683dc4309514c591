"""Interactions are kept until they are answered, in place of the hashes of their ids."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "interactions",
        sa.Column("number", _NUMBER, primary_key=True),
        sa.Column("platform", _BY_BYTES, nullable=False),
        sa.Column("id", _BY_BYTES, nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.UniqueConstraint("platform", "id", name="uq_interactions_id"),
    )
    op.create_index("ix_interactions_at", "interactions", ["at"])
    op.drop_table("seen")


def downgrade() -> None:
    op.create_table(
        "seen",
        sa.Column("key", _BY_BYTES, primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
    )
    op.create_index("ix_seen_at", "seen", ["at"])
    op.drop_table("interactions")
