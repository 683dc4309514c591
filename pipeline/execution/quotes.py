"""What a model quotes of the files that it was given: the links and file names that stand there."""

import asyncio
from contextlib import suppress

from pipeline.domain import Blob, Media, Output, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import ExpertError
from pipeline.ports import Job
from pipeline.references.filter import check_references
from pipeline.references.known import KnownReferences, collect_references
from pipeline.tools import Tools

_READABLE = frozenset({Type.IMAGE, Type.DOCUMENT, Type.TABLE})
_MOST_FILES = 10
"""Files of a task that are read."""
_MOST_QUOTES = 200
"""References that are kept."""
_SECONDS = 15.0


async def find_quotes(job: Job, output: Output, tools: Tools) -> tuple[str, ...]:
    """Find the references in a result that also occur in the task's files, as libraries read them.

    Files are read only if the result has references. Never raises.
    """
    values = (value for value in output.slots.values() if not isinstance(value, Media))
    written = "\n".join((*map(as_text, values), output.source, output.note))
    if not (await check_references(written, KnownReferences())).removed:
        return ()
    given = [value for values in job.args.values() for value in values]
    files = [value for value in given if isinstance(value, Blob) and value.type in _READABLE]
    texts = [await _read(file, tools) for file in files[:_MOST_FILES]]
    kept = (await check_references(written, collect_references(texts))).kept
    return tuple(kept)[:_MOST_QUOTES]


async def _read(file: Blob, tools: Tools) -> str:
    """The text of a file; "" if there is none, or it takes too long."""
    with suppress(ExpertError, TimeoutError):
        async with asyncio.timeout(_SECONDS):
            return await tools.read_text(file)
    return ""
