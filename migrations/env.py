"""Alembic's entry: the connection is handed over by whoever runs the migrations."""

from alembic import context

from adapters.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
