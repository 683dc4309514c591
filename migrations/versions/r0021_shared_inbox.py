"""Several programs take messages from one inbox; older programs may run on newer tables."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_BY_BYTES = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_LANES = """UPDATE inbox SET lane = thread ||
    CASE WHEN body LIKE '%"beside":true%' THEN ' beside' ELSE '' END WHERE NOT finished"""
_INDEXES = {
    "ix_inbox_lane": "UNIQUE INDEX ix_inbox_lane ON inbox (lane) WHERE owner IS NOT NULL AND NOT finished",  # noqa: E501
    "ix_inbox_next": "INDEX ix_inbox_next ON inbox (lane, key, number) WHERE NOT finished",
}


def upgrade() -> None:
    op.add_column("inbox", sa.Column("lane", _BY_BYTES, nullable=True))
    op.add_column("inbox", sa.Column("owner", _BY_BYTES, nullable=True))
    op.add_column("inbox", sa.Column("leased_until", sa.Double(), nullable=True))
    op.get_bind().exec_driver_sql(_LANES)
    if op.get_bind().dialect.name == "postgresql":
        for statement in _INDEXES.values():
            op.get_bind().exec_driver_sql(f"CREATE {statement}")
    table = op.create_table("compatibility", sa.Column("oldest", _BY_BYTES, primary_key=True))
    op.bulk_insert(table, [{"oldest": "0021"}])


def downgrade() -> None:
    op.drop_table("compatibility")
    if op.get_bind().dialect.name == "postgresql":
        for name in _INDEXES:
            op.get_bind().exec_driver_sql(f"DROP INDEX {name}")
    for column in ("leased_until", "owner", "lane"):
        op.drop_column("inbox", column)
