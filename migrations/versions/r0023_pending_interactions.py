"""Commands and clicks without an answer are found without reading all that were answered."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_IS_PENDING = sa.text("payload <> ''")


def upgrade() -> None:
    op.create_index(
        "ix_interactions_pending",
        "interactions",
        ["platform", "number"],
        postgresql_where=_IS_PENDING,
        sqlite_where=_IS_PENDING,
    )


def downgrade() -> None:
    op.drop_index("ix_interactions_pending", "interactions")
