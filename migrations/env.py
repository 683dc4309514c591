"""Alembic's entry point. The caller passes the connection in `config.attributes`."""

from alembic import context

from adapters.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
