"""What a task made: checked, drawn where it is data on a picture, and kept as files."""

from pipeline.domain import (
    Attachment,
    Blob,
    Boxes,
    Made,
    Mask,
    Masks,
    Media,
    Model,
    Output,
    Raw,
    Task,
    Type,
    Value,
)
from pipeline.errors import ExpertGarbled, MediaError
from pipeline.extras import extras
from pipeline.inputs import Given
from pipeline.text.names import ending_of
from pipeline.tools import Tools


async def keep(
    task: Task, given: Given, made: Made, model: Model, tools: Tools
) -> tuple[Output, tuple[Attachment, ...]]:
    """The output with its files in the store, and the files made beside it. Raises ExpertGarbled when one is not readable.

    Into files that were made here is written which model made them.
    """
    slots = dict(made.slots)
    if (picture := await _drawn(task, given, made, tools)) is not None:
        slots["image"] = picture
    shown = await extras(task, made, tools.media)
    sent = [piece for pieces in given.values() for piece in pieces]
    told = {
        name: await _labelled(task, value, model, tools)
        if isinstance(value, Blob) and value not in sent
        else value
        for name, value in slots.items()
    }
    kept = {name: await _kept(task, value, tools) for name, value in told.items()}
    missing = [slot.name for slot in task.kind.makes if slot.required and slot.name not in kept]
    if missing and not kept:
        raise ExpertGarbled("task-output-missing", missing=", ".join(missing))
    beside = [await _file(task, await _labelled(task, blob, model, tools), tools) for blob in shown]
    return Output(kept, made.note), tuple(beside)


async def _labelled(task: Task, blob: Blob, model: Model, tools: Tools) -> Blob:
    """A file with its origin in its metadata; as it is when that cannot be done."""
    if blob.type not in (Type.IMAGE, Type.AUDIO, Type.VIDEO):
        return blob
    facts = {
        "model": model.id,
        "revision": model.revision,
        "licence": model.licence,
        "task": task.kind.name,
    }
    try:
        return await tools.media.label(blob, {name: fact for name, fact in facts.items() if fact})
    except MediaError:
        return blob


async def _drawn(task: Task, given: Given, made: Made, tools: Tools) -> Blob | None:
    """The picture with what was found in it; the picture as it is when nothing was."""
    wants = task.kind.output("image")
    if wants is None or "image" in made.slots or "image" not in given:
        return None
    image = given["image"][0]
    if not isinstance(image, Blob):
        return None
    match made.slots:
        case {"boxes": Boxes(items) as boxes} if items:
            return await tools.media.draw_boxes(image, boxes)
        case {"masks": Masks(items) as masks} if items:
            return await tools.media.draw_masks(image, masks)
    return image


async def _kept(task: Task, value: Raw, tools: Tools) -> Value:
    match value:
        case Blob():
            return Media(await _file(task, value, tools))
        case Masks(items):
            return Masks(tuple([await _mask(task, item, tools) for item in items]))
        case _:
            return value


async def _mask(task: Task, mask: Mask, tools: Tools) -> Mask:
    if not isinstance(mask.image, Blob):
        return mask
    kept = await _file(task, mask.image, tools)
    return Mask(mask.label, mask.score, Media(kept))


async def _file(task: Task, blob: Blob, tools: Tools) -> Attachment:
    try:
        described = await tools.media.describe(blob)
    except MediaError as error:
        raise ExpertGarbled("task-output-unreadable", problem=error.sentence) from error
    if blob.type is not Type.DOCUMENT and described.media_type.startswith("text/html"):
        raise ExpertGarbled("task-output-unreadable", problem=described.description)
    key = await tools.files.put(blob.data)
    ending = ending_of(described.media_type)
    name = blob.name or f"{task.kind.name}-{task.id}{ending and '.'}{ending}"
    return Attachment(
        key, described.media_type, name, len(blob.data), blob.alt or described.description
    )
