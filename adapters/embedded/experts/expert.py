"""The expert at the place EMBEDDED: the kinds that libraries of the install do, in workers."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from adapters.embedded.experts.task_io import get_file
from adapters.embedded.experts.work import WORK, carry_out
from adapters.embedded.place import EMBEDDED
from pipeline.domain import ExpertOutput, LocalizedText, Model, Place, Text, Type
from pipeline.errors import ExpertRefused
from pipeline.ports import Job, Workers
from pipeline.words import say

_TRANSCRIPTION = "automatic-speech-recognition"


@cache
def embedded_models() -> Mapping[str, Model]:
    """The models that can run inside the program as it is installed, by kind (`models.toml`)."""
    rows = tomllib.loads(Path(__file__).with_name("models.toml").read_text("utf-8"))
    return {
        kind: Model(
            row["id"],
            kind,
            (EMBEDDED,),
            description=row["description"],
            licence=row["licence"],
            languages=tuple(row.get("languages", ())),
        )
        for kind, row in rows.items()
        if all(map(find_spec, row["modules"]))
    }


def find_unloadable(names: Sequence[str]) -> list[str]:
    """List the modules that cannot be imported; called in a worker."""
    broken = []
    for name in names:
        try:
            import_module(name)
        except Exception:  # noqa: BLE001 - importing a library can raise anything
            broken.append(name)
    return broken


class EmbeddedExpert:
    """Runs everything that an ordinary install can do."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    @property
    def place(self) -> Place:
        return EMBEDDED

    async def run(self, job: Job) -> ExpertOutput:
        kind, locale = job.kind.name, job.locale or "en"
        if kind == _TRANSCRIPTION:
            return await self._transcribe(job)
        if kind not in WORK:
            raise ExpertRefused("llm-cannot", model=job.model.id, kind=kind)
        result = await self._workers.run(
            carry_out, kind, dict(job.args), job.locale, ticket=job.ticket
        )
        slots = dict(result.slots)
        if result.sentences:
            text = "\n".join(say(locale, sentence) for sentence in result.sentences)
            slots["text"] = Text(text)
        note = "\n".join(say(locale, sentence) for sentence in result.notes)
        source = "; ".join(say(locale, sentence) for sentence in result.sources)
        files = frozenset(slot.name for slot in job.kind.takes if slot.is_file)
        return ExpertOutput(
            slots, note=note, cost=0.0, source=source, extras=result.extras, used=files
        )

    async def _transcribe(self, job: Job) -> ExpertOutput:
        """Chunk by chunk with progress; what is done when the time runs out is the result.

        Raises BadInput, and ExpertRefused when no speech was understood.
        """
        from adapters.embedded.experts.transcription import split_recording

        recording = get_file(job.args, "audio", Type.AUDIO, Type.VIDEO)
        chunks = await self._workers.run(split_recording, recording, ticket=job.ticket)
        transcripts = await self._transcribe_chunks(chunks, job)
        words = [word for transcript in transcripts for word in transcript]
        if not words:
            raise ExpertRefused("embedded-nothing-heard")
        notes = [LocalizedText("embedded-heard")]
        if (done := len(transcripts)) < len(chunks):
            from adapters.embedded.experts.waveforms import RATE

            seconds = sum(map(len, chunks[:done])) // (2 * RATE)
            minutes = f"{seconds // 60}:{seconds % 60:02}"
            notes.insert(0, LocalizedText("embedded-heard-partial", {"minutes": minutes}))
        note = "\n".join(say(job.locale or "en", sentence) for sentence in notes)
        return ExpertOutput({"text": Text(" ".join(words))}, note=note, cost=0.0)

    async def _transcribe_chunks(self, chunks: Sequence[bytes], job: Job) -> list[list[str]]:
        """One after the other, until the next one would probably not be done in time."""
        from adapters.embedded.experts.transcription import transcribe_chunk

        slowest = 0.0
        transcripts: list[list[str]] = []
        for chunk in chunks:
            left = job.left()
            if transcripts and 1.5 * slowest > left:
                break
            words = await self._workers.run(transcribe_chunk, chunk, ticket=job.ticket)
            transcripts.append(words)
            slowest = max(slowest, left - job.left())
            job.report(len(transcripts) / len(chunks), "")
        return transcripts
