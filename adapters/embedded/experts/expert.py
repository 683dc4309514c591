"""The expert at the place EMBEDDED: hands tasks to worker processes, and says how far what they found can be trusted."""

from collections.abc import Mapping
from contextlib import suppress
from typing import assert_never

from adapters.embedded.experts.finding import Args
from adapters.embedded.experts.rows import ROWS, Needs, Row
from pipeline.domain import Blob, Made, Place, Raw, Text, Type
from pipeline.errors import BadInput, ExpertRefused, MediaError
from pipeline.ports import Job, MediaTools, Workers
from pipeline.words import say

_LONG = 1_500_000  # bytes of WAV: some 35 seconds


class EmbeddedExpert:
    """Runs everything that an ordinary install can do."""

    def __init__(self, workers: Workers, media: MediaTools) -> None:
        self._workers = workers
        self._media = media

    @property
    def place(self) -> Place:
        return Place.EMBEDDED

    async def run(self, job: Job) -> Made:
        row = ROWS.get(job.kind.name)
        if row is None:
            raise ExpertRefused("llm-cannot", model=job.model.id, kind=job.kind.name)
        args = await self._prepared(job.args, row)
        found = await self._workers.run(row.work, args, job.language)
        locale = job.language or "en"
        note = "\n".join(say(locale, sentence) for sentence in found.notes)
        told = {slot: Text(say(locale, sentence)) for slot, sentence in found.told.items()}
        slots = {**found.slots, **told}
        if row.packs:
            slots = {slot: await self._packed(value) for slot, value in slots.items()}
        return Made(slots, note, cost=0.0, extras=found.extras)

    async def _prepared(self, args: Mapping[str, tuple[Raw, ...]], row: Row) -> Args:
        """Files as the row needs them."""
        match row.needs:
            case Needs.AS_IS:
                return dict(args)
            case Needs.WAV:
                return {
                    slot: tuple([await self._wav(piece) for piece in pieces])
                    for slot, pieces in args.items()
                }
        assert_never(row.needs)

    async def _packed(self, value: Raw) -> Raw:
        """A long recording as MP3, where that can be made."""
        if not isinstance(value, Blob) or len(value.data) <= _LONG:
            return value
        with suppress(MediaError):
            return await self._media.convert(value, "audio/mpeg")
        return value

    async def _wav(self, piece: Raw) -> Raw:
        """Sound and film as PCM, which needs no decoder in the worker."""
        if not isinstance(piece, Blob) or piece.type not in (Type.AUDIO, Type.VIDEO):
            return piece
        try:
            return await self._media.convert(piece, "audio/wav")
        except MediaError as error:
            raise BadInput(error.sentence.id, **error.sentence.args) from error
