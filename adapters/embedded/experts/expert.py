"""The expert at the place EMBEDDED: the kinds that libraries of the install do, in workers."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from adapters.embedded.experts import (
    charts,
    conversion,
    document_questions,
    documents,
    images,
    pages,
    predictions,
    sentiment,
    sound_filters,
    speech,
    summaries,
    table_files,
    tables,
)
from adapters.embedded.experts.task_io import Work, get_file
from adapters.embedded.experts.transcription import split_recording, transcribe_chunk
from adapters.embedded.experts.waveforms import RATE
from adapters.embedded.place import EMBEDDED
from pipeline.domain import ExpertOutput, LocalizedText, Model, Place, Text, Type
from pipeline.errors import ExpertRefused
from pipeline.ports import Job, Workers
from pipeline.words import say

_TRANSCRIPTION = "automatic-speech-recognition"
_WORK: Mapping[str, Work] = {
    "text-to-speech": speech.speak,
    "audio-to-audio": sound_filters.clean,
    "optical-character-recognition": documents.read_text_in_image,
    "document-to-text": documents.extract_text,
    "document-question-answering": document_questions.ask_document,
    "question-answering": document_questions.ask_document,
    "summarization": summaries.summarize,
    "sentence-similarity": summaries.compare,
    "object-detection": images.find_faces,
    "image-to-image": images.apply_filters,
    "canny-control": images.draw_canny,
    "mlsd-control": images.draw_lines,
    "hed-control": images.draw_soft_edges,
    "scribble-control": images.draw_scribble,
    "text-classification": sentiment.classify_sentiment,
    "table-question-answering": tables.ask_table,
    "tabular-classification": predictions.predict_class,
    "tabular-regression": predictions.predict_number,
    "media-conversion": conversion.convert,
    "document-conversion": pages.convert,
    "table-conversion": table_files.convert,
    "table-to-chart": charts.draw,
}


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
        if kind not in _WORK:
            raise ExpertRefused("llm-cannot", model=job.model.id, kind=kind)
        result = await self._workers.run(_WORK[kind], dict(job.args), job.locale, ticket=job.ticket)
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
        recording = get_file(job.args, "audio", Type.AUDIO, Type.VIDEO)
        chunks = await self._workers.run(split_recording, recording, ticket=job.ticket)
        transcripts = await self._transcribe_chunks(chunks, job)
        words = [word for transcript in transcripts for word in transcript]
        if not words:
            raise ExpertRefused("embedded-nothing-heard")
        notes = [LocalizedText("embedded-heard")]
        if (done := len(transcripts)) < len(chunks):
            seconds = sum(map(len, chunks[:done])) // (2 * RATE)
            minutes = f"{seconds // 60}:{seconds % 60:02}"
            notes.insert(0, LocalizedText("embedded-heard-partial", {"minutes": minutes}))
        note = "\n".join(say(job.locale or "en", sentence) for sentence in notes)
        return ExpertOutput({"text": Text(" ".join(words))}, note=note, cost=0.0)

    async def _transcribe_chunks(self, chunks: Sequence[bytes], job: Job) -> list[list[str]]:
        """One after the other, until the next one would probably not be done in time."""
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
