"""The `llm` place: a chat model as an expert for texts, pictures and sounds."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from adapters.openai import table_questions
from adapters.openai.catalogue import cost_of
from adapters.openai.chat_calls import OWN_ESTIMATE, build_prompt, parse_reply
from adapters.openai.errors import CAUGHT, to_expert_error
from adapters.openai.llm import OpenAiLlm
from adapters.openai.media_calls import HEARD_AS, MEDIA_CALLS, find_real_type, join_texts
from adapters.openai.place import LLM
from adapters.openai.server import Server
from pipeline.domain import Blob, ExpertOutput, ExpertValue, Text, Type
from pipeline.errors import ExpertRefused, LlmCutShort, LlmError
from pipeline.ports import Job, MediaTools, TableEngine, Usage
from pipeline.prompts.chat_tasks import CHAT_TASKS

_PLAIN = ("text/plain", "text/markdown")
"""Types of documents that chat models get as they are."""
_CONVERTED = "audio/mpeg"
"""What recordings in other containers are converted to."""
_DRAWN_ON = frozenset({"image/jpeg", "image/png", "image/webp"})
"""The types of pictures that endpoints change."""
_SIDE = 2048
"""Pixels of a picture in each direction: a page of a document stays readable."""
ReadDocument = Callable[[Blob, str], Awaitable[tuple[str, str]]]
"""Returns the text of a document, and a note in a language on what of it was not read.

Raises ExpertError.
"""


class OpenAiExpert:
    """Does by chat what a chat model can do, the rest with the endpoint's media models.

    `read_document`: chat models get the text of PDFs and the like; without it, they refuse them.
    `media`: pictures and recordings are converted first to what endpoints take. `tables`: carries
    out the queries that the model writes for questions on tables; without it, they are refused.
    """

    place = LLM

    def __init__(
        self,
        server: Server,
        read_document: ReadDocument | None = None,
        media: MediaTools | None = None,
        tables: TableEngine | None = None,
    ) -> None:
        self._server = server
        self._tables = tables
        self._read_document = read_document
        self._media = media
        self._client = server.client.with_options(max_retries=0)

    async def run(self, job: Job) -> ExpertOutput:
        """Raises ExpertUnavailable, ExpertRefused, ExpertGarbled, BadInput, MediaError."""
        call = MEDIA_CALLS.get(job.kind.name)
        try:
            if job.kind.name == "table-question-answering":
                return await self._ask_table(job)
            if job.kind.name in CHAT_TASKS:
                return await self._chat(job)
            if call is not None:
                return await call(self._client, await _change_files(job, self._convert))
        except LlmError as error:
            name = self._server.name_model(job.model.id)
            raise to_expert_error(error.__cause__ or error, name) from error
        except CAUGHT as error:
            raise to_expert_error(error, self._server.name_model(job.model.id)) from error
        raise ExpertRefused("llm-cannot", model=job.model.id, kind=job.kind.name)

    async def _chat(self, job: Job) -> ExpertOutput:
        llm = OpenAiLlm(self._server, retries=0, model=job.model.id)
        notes: list[str] = []

        async def prepare(file: Blob) -> ExpertValue:
            """A document as its text, a picture as chat models see it."""
            is_plain = file.type is not Type.DOCUMENT or file.media_type in _PLAIN
            if self._read_document is not None and not is_plain:
                text, note = await self._read_document(file, job.locale)
                notes.extend([note] if note else ())
                return Text(text)
            if self._media is not None and file.type is Type.IMAGE:
                return await self._media.preview(file, _SIDE)
            return file

        job = await _change_files(job, prepare)
        prompt = build_prompt(job, sees=llm.sees_images)
        text, usage, is_unfinished = "", None, False
        if prompt.schema is not None:
            notes.append(OWN_ESTIMATE)
        try:
            async for piece in llm.stream(prompt):
                if isinstance(piece, Usage):
                    usage = piece
                else:
                    text += piece
        except LlmCutShort:
            is_unfinished = True
        slots = parse_reply(job.kind, text, join_texts(job))
        cost = cost_of(job.model.prices.get(""), usage)
        return ExpertOutput(slots, note="\n".join(notes), cost=cost, is_unfinished=is_unfinished)

    async def _ask_table(self, job: Job) -> ExpertOutput:
        if self._tables is None:
            raise ExpertRefused("llm-cannot", model=job.model.id, kind=job.kind.name)
        llm = OpenAiLlm(self._server, retries=0, model=job.model.id)
        output, usage = await table_questions.answer(job, self._tables, llm.stream)
        return replace(output, cost=cost_of(job.model.prices.get(""), usage))

    async def _convert(self, file: Blob) -> Blob:
        """A file in a container that media endpoints take; a picture upright."""
        media_type = find_real_type(file)
        if self._media is None or (file.type is not Type.IMAGE and media_type in HEARD_AS):
            return file
        if file.type is Type.IMAGE:
            target = media_type if media_type in _DRAWN_ON else "image/png"
            return await self._media.convert(file, target)
        return await self._media.convert(file, _CONVERTED)


async def _change_files(job: Job, change: Callable[[Blob], Awaitable[ExpertValue]]) -> Job:
    """The job with each of its files changed. Raises what `change` raises."""
    args = dict[str, tuple[ExpertValue, ...]]()
    for name, values in job.args.items():
        changed = [await change(value) if isinstance(value, Blob) else value for value in values]
        args[name] = tuple(changed)
    return replace(job, args=args)
