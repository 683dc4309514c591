"""A platform's app may be installed in several places."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "installations",
        sa.Column("platform", _BY_BYTES, primary_key=True),
        sa.Column("place", _BY_BYTES, primary_key=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("installations")
