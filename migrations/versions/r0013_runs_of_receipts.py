"""The run of a deleted post is found by its receipt."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_deliveries_receipt", "deliveries", ["receipt"])


def downgrade() -> None:
    op.drop_index("ix_deliveries_receipt", "deliveries")
