"""Database migrations, run by Alembic."""
