"""What an expert is given and what it made: references resolved, types converted, files stored."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from pipeline.domain import (
    Arg,
    Attachment,
    Blob,
    Boxes,
    ExpertOutput,
    ExpertValue,
    Failed,
    Labels,
    LocalizedText,
    Masks,
    Media,
    Model,
    Outcomes,
    Output,
    Ref,
    Slot,
    Spans,
    Task,
    Text,
    Type,
    Value,
    find_slots,
    value_type,
)
from pipeline.domain.conversions import MEDIA, as_text, convert, convertible
from pipeline.errors import ExpertGarbled, MediaError
from pipeline.ports import Job, MediaTools
from pipeline.text.names import find_ending
from pipeline.tools import Tools
from pipeline.words import say

ExpertInput = Mapping[str, tuple[ExpertValue, ...]]

MOST_CHARACTERS = 2_000_000
"""Of a text that an expert made: some 700 pages."""
MOST_ITEMS = 1_000
"""Labels, boxes, masks or spans of one result."""
_MOST_LABEL = 200
"""Characters of a label."""
_CHARTED = 3
"""More labels than this are drawn as a chart, too."""


_Lists = Labels | Boxes | Masks | Spans


class _Unfit(Exception):
    """A value is missing or cannot become what a task takes."""


async def gather_input(task: Task, done: Outcomes, tools: Tools) -> ExpertInput | Failed:
    """The arguments of a task as an expert takes them, or why they cannot be had.

    `done` has the outcome of every task that this one needs; all of them are Done.
    """
    slots = ((task.kind.argument(name), args) for name, args in task.args.items())
    try:
        return {
            slot.name: await _gather_argument(slot, args, done, tools)
            for slot, args in slots
            if slot
        }
    except _Unfit:
        return Failed(LocalizedText("task-input-missing"))
    except MediaError as error:
        return Failed(error.sentence)


async def _gather_argument(
    slot: Slot, args: tuple[Arg, ...], done: Outcomes, tools: Tools
) -> tuple[ExpertValue, ...]:
    pieces = [(arg, _resolve(arg, done)) for arg in args]
    if slot.many:
        return tuple(Text(word) for _, value in pieces for word in _split_words(value))
    if slot.type is Type.TEXT and all(
        isinstance(value, Text) or value_type(value) not in slot.types for _, value in pieces
    ):
        return (_join(pieces),)
    return tuple([await _fit(value, slot, tools) for _, value in pieces])


def _resolve(arg: Arg, done: Outcomes) -> Value:
    if not isinstance(arg, Ref):
        return arg
    slots = find_slots(done, arg.task)
    if arg.slot not in slots:
        raise _Unfit
    return slots[arg.slot]


def _split_words(value: Value) -> list[str]:
    return [item.label for item in value.items] if isinstance(value, Labels) else [_read(value)]


def _join(pieces: list[tuple[Arg, Value]]) -> Text:
    """One text: what the plan wrote between references stays there, neighbours get a line each."""
    texts: list[str] = []
    before: Arg | None = None
    for arg, value in pieces:
        if isinstance(before, Ref) and isinstance(arg, Ref):
            texts.append("\n")
        texts.append(_read(value))
        before = arg
    return Text("".join(texts).strip())


def _read(value: Value) -> str:
    if not convertible(value_type(value), Type.TEXT):
        raise _Unfit
    return as_text(value)


async def _fit(value: Value, slot: Slot, tools: Tools) -> ExpertValue:
    """A value in the first type that the slot takes and that it can become."""
    source = value_type(value)
    targets = (source,) if source in slot.types else slot.types
    target = next((target for target in targets if convertible(source, target)), None)
    if target is None:
        raise _Unfit
    loaded = await _change_files(convert(value, target), lambda file: _load(file, tools))
    assert not isinstance(loaded, Media)
    media_type = MEDIA.get((source, target), "")
    if isinstance(loaded, Blob) and media_type:
        return await tools.media.convert(loaded, media_type)
    return loaded


async def _change_files(
    value: Value | ExpertValue, change: Callable[[Media | Blob], Awaitable[Media | Blob]]
) -> Value | ExpertValue:
    """A value with its file, or the pictures of its masks, loaded or stored."""
    match value:
        case Media() | Blob():
            return await change(value)
        case Masks(items):
            masks = [replace(mask, image=await change(mask.image)) for mask in items]
            return Masks(tuple(masks))
        case _:
            return value


async def _load(file: Media | Blob, tools: Tools) -> Blob:
    if isinstance(file, Blob):
        return file
    known = file.attachment
    try:
        data = await tools.files.get(known.hash)
    except KeyError as error:
        raise MediaError("task-input-unreadable", file=known.name) from error
    return Blob(data, known.media_type, known.name, known.description)


async def store_output(
    task: Task, job: Job, made: ExpertOutput, tools: Tools
) -> tuple[Output, tuple[Attachment, ...]]:
    """The output with its files in the store, and the files made beside it.

    Long results are cut, boxes and masks are drawn on the picture, and the model's name is written
    into files that were made here. Raises ExpertGarbled when a file is unreadable.
    """
    made = bound_output(made, job.language)
    slots = dict(made.slots)
    if (picture := await _draw_found(task, job, made, tools.media)) is not None:
        slots["image"] = picture
    extras = await _make_extras(task, job, made, tools.media)
    given = [value for values in job.args.values() for value in values]

    async def store(file: Media | Blob) -> Media:
        if isinstance(file, Media):
            return file
        return Media(await _store_file(task, file, tools))

    stored: dict[str, Value] = {}
    for name, value in slots.items():
        if isinstance(value, Blob) and value not in given:
            value = await _label(task, value, job.model, tools.media)  # noqa: PLW2901 - the same file
        kept = await _change_files(value, store)
        assert not isinstance(kept, Blob)
        stored[name] = kept
    missing = [slot.name for slot in task.kind.makes if slot.required and slot.name not in stored]
    if missing and not stored:
        raise ExpertGarbled("task-output-missing", missing=", ".join(missing))
    labelled = [await _label(task, blob, job.model, tools.media) for blob in extras]
    beside = [await _store_file(task, blob, tools) for blob in labelled]
    return Output(stored, made.note, made.source), tuple(beside)


def bound_output(made: ExpertOutput, language: str) -> ExpertOutput:
    """The same without what is beyond all use; the note then says so in the person's language."""
    lists = [value.items for value in made.slots.values() if isinstance(value, _Lists)]
    made = replace(made, slots={name: _cut(value) for name, value in made.slots.items()})
    if all(len(items) <= MOST_ITEMS for items in lists):
        return made
    cut = say(language, LocalizedText("output-cut", {"count": MOST_ITEMS}))
    return replace(made, note=f"{made.note} {cut}".strip())


def _cut(value: ExpertValue) -> ExpertValue:
    if isinstance(value, Text):
        return replace(value, text=value.text[:MOST_CHARACTERS])
    if isinstance(value, _Lists):
        items = (replace(item, label=item.label[:_MOST_LABEL]) for item in value.items)
        return replace(value, items=tuple(islice(items, MOST_ITEMS)))  # type: ignore[arg-type]
    return value


async def _draw_found(task: Task, job: Job, made: ExpertOutput, media: MediaTools) -> Blob | None:
    """The picture with what was found in it; as it is when nothing was; None: none is due."""
    wants = task.kind.output("image")
    if wants is None or "image" in made.slots or "image" not in job.args:
        return None
    image = job.args["image"][0]
    if not isinstance(image, Blob):
        return None
    match made.slots:
        case {"boxes": Boxes(items) as boxes} if items:
            return await media.draw_boxes(image, boxes)
        case {"masks": Masks(items) as masks} if items:
            return await media.draw_masks(image, masks)
    return image


async def _make_extras(task: Task, job: Job, made: ExpertOutput, media: MediaTools) -> list[Blob]:
    """The files that the expert made beside its result, and pictures of what is hard to read."""
    extras = [*made.extras]

    def show(picture: Blob, alt: str, **args: str) -> None:
        name = f"{task.kind.name}-{task.id}-shown.{find_ending(picture.media_type)}"
        words = say(job.language, LocalizedText(alt, args))
        extras.append(replace(picture, name=name, alt=words))

    with suppress(MediaError):
        for value in made.slots.values():
            match value:
                case Labels(items) if len(items) > _CHARTED:
                    show(await media.chart(value), "alt-chart", labels=as_text(value))
                case Blob() if task.kind.name == "depth-estimation":
                    show(await media.draw_depth(value), "alt-depth")
                case Blob() if value.type is Type.TABLE:
                    show(await media.draw_table(value), "alt-table", what=as_text(value))
                case Blob() if value.type is Type.VIDEO and task.kind.name != "media-conversion":
                    poster = await media.convert(value, "image/jpeg")
                    show(poster, "alt-poster", what=as_text(value))
                case _:
                    pass
    return extras


async def _label(task: Task, blob: Blob, model: Model, media: MediaTools) -> Blob:
    """A file with its origin in its metadata; as it is when that cannot be done."""
    if blob.type not in (Type.IMAGE, Type.AUDIO, Type.VIDEO):
        return blob
    facts = {"model": model.id, "revision": model.revision, "licence": model.licence}
    made = {name: fact for name, fact in facts.items() if fact} | {"task": task.kind.name}
    with suppress(MediaError):
        return await media.label(blob, made)
    return blob


async def _store_file(task: Task, blob: Blob, tools: Tools) -> Attachment:
    try:
        described = await tools.media.describe(blob)
    except MediaError as error:
        raise ExpertGarbled("task-output-unreadable", problem=error.sentence) from error
    if blob.type is not Type.DOCUMENT and described.media_type.startswith("text/html"):
        raise ExpertGarbled("task-output-unreadable", problem=described.description)
    key = await tools.files.put(blob.data)
    ending = find_ending(described.media_type)
    name = blob.name or f"{task.kind.name}-{task.id}{ending and '.'}{ending}"
    alt = blob.alt or described.description
    return Attachment(key, described.media_type, name, len(blob.data), alt)
