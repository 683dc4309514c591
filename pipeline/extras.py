"""What is made beside a result so that people can take it in: charts, tables as pictures, depth in colours, posters."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

from pipeline.domain import Blob, Labels, Made, Raw, Task, Type
from pipeline.errors import MediaError
from pipeline.ports import MediaTools
from pipeline.text.names import ending_of

_MANY = 3
"""As many labels as words can tell well."""
_DEPTHS = frozenset({"depth-estimation"})


async def extras(task: Task, made: Made, media: MediaTools) -> tuple[Blob, ...]:
    """The files that the expert made beside its result, and those that show it. What cannot be drawn is left out."""
    try:
        drawn = [blob async for blob in _drawn(task, made.slots, media)]
    except MediaError:
        drawn = []
    return (*made.extras, *(_named(task, blob) for blob in drawn))


async def _drawn(task: Task, slots: Mapping[str, Raw], media: MediaTools) -> AsyncIterator[Blob]:
    for value in slots.values():
        match value:
            case Labels(items) if len(items) > _MANY:
                yield await media.chart(value)
            case Blob() if task.kind.name in _DEPTHS:
                yield await media.draw_depth(value)
            case Blob() if value.type is Type.TABLE:
                yield await media.draw_table(value)
            case Blob() if value.type is Type.VIDEO and task.kind.name != "media-conversion":
                yield await media.convert(value, "image/jpeg")
            case _:
                pass


def _named(task: Task, blob: Blob) -> Blob:
    return replace(blob, name=f"{task.kind.name}-{task.id}-shown.{ending_of(blob.media_type)}")
