"""Several programs share a database: leases, and rate limits that they keep together."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("name", _BY_BYTES, primary_key=True),
        sa.Column("owner", _BY_BYTES, nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
    )
    op.create_table(
        "rate_limits",
        sa.Column("key", _BY_BYTES, primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("rate_limits")
    op.drop_table("leases")
