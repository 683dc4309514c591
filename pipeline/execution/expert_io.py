"""The input and output of experts: resolve references, convert types, load and store files."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import PurePosixPath

from pipeline.domain import (
    READ_AS,
    Arg,
    Attachment,
    Blob,
    Boxes,
    ExpertOutput,
    ExpertValue,
    Labels,
    LocalizedText,
    Mask,
    Masks,
    Media,
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
from pipeline.domain.conversions import MEDIA, as_text, convert, is_convertible
from pipeline.errors import BadInput, ExpertGarbled, MediaError
from pipeline.parameters import list_unused, read_parameters
from pipeline.ports import Job, MediaTools
from pipeline.prompts import fence
from pipeline.prompts.chat_tasks import ORDERS
from pipeline.text.names import find_ending, slugify
from pipeline.tools import Tools
from pipeline.words import say

ExpertInput = Mapping[str, tuple[ExpertValue, ...]]

MOST_CHARACTERS = 2_000_000
"""The longest text of an expert that is kept, in characters: about 700 pages."""
MOST_ITEMS = 1_000
"""Labels, boxes, masks or spans of one result."""
_MOST_LABEL_CHARACTERS = 200
_MOST_WORDS = 3
"""Words of an order in a file name."""
_MOST_UNCHARTED = 3
"""More labels than this are also drawn as a chart."""
_Lists = Labels | Boxes | Masks | Spans


async def gather_input(task: Task, done: Outcomes, tools: Tools) -> ExpertInput:
    """The arguments of a task as an expert takes them.

    `done` has the outcome of every task that this one depends on; all of them are Done. Raises
    BadInput, MediaError if one is missing or cannot be converted to a type that the task takes.
    """
    slots = ((task.kind.argument(name), args) for name, args in task.args.items())
    return {
        slot.name: await _gather_argument(
            slot, args, done, tools, is_order=task.kind.name in ORDERS
        )
        for slot, args in slots
        if slot
    }


async def _gather_argument(
    slot: Slot, args: tuple[Arg, ...], done: Outcomes, tools: Tools, *, is_order: bool
) -> tuple[ExpertValue, ...]:
    pieces = [(arg, _resolve(arg, done)) for arg in args]
    if slot.many and not slot.is_file:
        return tuple(Text(text) for _, value in pieces for text in _list_texts(value))
    if slot.type is Type.TEXT and all(
        isinstance(value, Text) or value_type(value) not in slot.types for _, value in pieces
    ):
        return (_join(pieces, fenced=is_order and len(pieces) > 1),)
    return tuple([await _fit(value, slot, tools) for _, value in pieces])


def _resolve(arg: Arg, done: Outcomes) -> Value:
    if not isinstance(arg, Ref):
        return arg
    slots = find_slots(done, arg.task)
    if arg.slot not in slots:
        raise BadInput("task-input-missing")
    return slots[arg.slot]


def _list_texts(value: Value) -> list[str]:
    return [item.label for item in value.items] if isinstance(value, Labels) else [_to_text(value)]


def _join(pieces: list[tuple[Arg, Value]], *, fenced: bool) -> Text:
    """Join pieces to one text, with a line break between adjacent references.

    `fenced`: the text is an order, so results within it are marked as data.
    """
    texts: list[str] = []
    previous: Arg | None = None
    for arg, value in pieces:
        if isinstance(previous, Ref) and isinstance(arg, Ref):
            texts.append("\n")
        words = _to_text(value)
        texts.append(f"\n{fence(words)}\n" if fenced and isinstance(arg, Ref) else words)
        previous = arg
    return Text("".join(texts).strip())


def _to_text(value: Value) -> str:
    if not is_convertible(value_type(value), Type.TEXT):
        raise BadInput("task-input-missing")
    return as_text(value)


async def _fit(value: Value, slot: Slot, tools: Tools) -> ExpertValue:
    """Convert a value to the first type of the slot that it converts to."""
    source = value_type(value)
    targets = (source,) if source in slot.types else slot.types
    target = next((target for target in targets if is_convertible(source, target)), None)
    if target is None:
        raise BadInput("task-input-missing")
    loaded = await _change_files(convert(value, target), lambda file: _load(file, tools))
    assert not isinstance(loaded, Media)
    media_type = MEDIA.get((source, target), "")
    if isinstance(loaded, Blob) and media_type:
        return await tools.media.convert(loaded, media_type)
    return loaded


async def _change_files(
    value: Value | ExpertValue, change: Callable[[Media | Blob], Awaitable[Media | Blob]]
) -> Value | ExpertValue:
    """Apply `change` to the file of a value, or to the images of its masks."""
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
    attachment = file.attachment
    try:
        data = await tools.files.get(attachment.hash)
    except KeyError as error:
        raise MediaError("task-input-unreadable", file=attachment.name) from error
    blob = Blob(data, attachment.media_type, attachment.name, alt=attachment.description)
    if target := READ_AS.get(blob.media_type):
        read = await tools.media.convert(blob, target)
        return replace(read, original=data) if read.type is Type.TABLE else read
    return blob


async def store_output(
    task: Task, job: Job, output: ExpertOutput, tools: Tools
) -> tuple[Output, tuple[Attachment, ...]]:
    """Store an expert's files; returns the output and the extra files.

    Oversized results are cut, boxes and masks are drawn on the image, and new files get their
    origin as metadata. Raises ExpertGarbled for a missing output or an unreadable file.
    """
    output = await _split_cut_out(bound_output(output, job.locale), tools.media)
    slots = dict(output.slots)
    if (image := await _draw_detections(task, job, output, tools.media)) is not None:
        slots["image"] = image
    extras = await _make_extras(task, job, output, tools.media)
    inputs = [value for values in job.args.values() for value in values]
    origin = _describe_origin(job, output)

    async def store(file: Media | Blob) -> Media:
        if isinstance(file, Media):
            return file
        return Media(await _store_file(file, _name_result(task, job, file.alt), tools))

    stored: dict[str, Value] = {}
    for name, value in slots.items():
        if isinstance(value, Blob) and value not in inputs:
            value = await _label(value, origin, tools.media)  # noqa: PLW2901 - the same file
        stored_value = await _change_files(value, store)
        assert not isinstance(stored_value, Blob)
        stored[name] = stored_value
    missing = [slot.name for slot in task.kind.makes if slot.required and slot.name not in stored]
    if missing and not stored:
        raise ExpertGarbled("task-output-missing", missing=", ".join(missing))
    labelled = [await _label(blob, origin, tools.media) for blob in extras]
    attachments = [
        await _store_file(blob, _name_result(task, job, blob.alt), tools) for blob in labelled
    ]
    unused = list_unused(task.kind, job.args, output.used)
    cut = [
        value for name, values in job.args.items() if name not in output.used for value in values
    ]
    note = "\n".join(filter(None, (output.note, *_list_notes(cut, job.locale))))
    made = Output(
        stored, note=note, source=output.source, unused=unused, is_unfinished=output.is_unfinished
    )
    return made, tuple(attachments)


def _list_notes(inputs: Iterable[ExpertValue], language: str) -> list[str]:
    """What was left out when the input was converted."""
    notes = (value.note for value in inputs if isinstance(value, Blob) and value.note)
    return list(dict.fromkeys(say(language, note) for note in notes))


def bound_output(output: ExpertOutput, language: str) -> ExpertOutput:
    """Cut oversized texts and lists; if a list was cut, the note says so in this language."""
    lists = [value.items for value in output.slots.values() if isinstance(value, _Lists)]
    output = replace(output, slots={name: _cut(value) for name, value in output.slots.items()})
    if all(len(items) <= MOST_ITEMS for items in lists):
        return output
    notice = say(language, LocalizedText("output-cut", {"count": MOST_ITEMS}))
    return replace(output, note=f"{output.note} {notice}".strip())


def _cut(value: ExpertValue) -> ExpertValue:
    if isinstance(value, Text):
        return replace(value, text=value.text[:MOST_CHARACTERS])
    if isinstance(value, _Lists):
        items = (replace(item, label=item.label[:_MOST_LABEL_CHARACTERS]) for item in value.items)
        return replace(value, items=tuple(islice(items, MOST_ITEMS)))  # type: ignore[arg-type]
    return value


async def _split_cut_out(output: ExpertOutput, media: MediaTools) -> ExpertOutput:
    """Split a cut-out that came as an unnamed mask into the mask and the picture."""
    masks = output.slots.get("masks")
    if not isinstance(masks, Masks) or len(masks.items) != 1 or "image" in output.slots:
        return output
    (mask,) = masks.items
    if mask.label or mask.score is not None or not isinstance(mask.image, Blob):
        return output
    try:
        alpha = await media.find_cut_out(mask.image)
    except MediaError as error:
        raise ExpertGarbled("task-output-unreadable", problem=error.sentence) from error
    if alpha is None:
        return output
    cut_out = Masks((Mask("foreground", None, alpha),))
    return replace(output, slots={**output.slots, "masks": cut_out, "image": mask.image})


async def _draw_detections(
    task: Task, job: Job, output: ExpertOutput, media: MediaTools
) -> Blob | None:
    """The image with boxes or masks drawn, if any; None if the kind returns no such image.

    A drawn image has a name and a description of its own.
    """
    slot = task.kind.output("image")
    if slot is None or "image" in output.slots or "image" not in job.args:
        return None
    image = job.args["image"][0]
    if not isinstance(image, Blob):
        return None
    match output.slots:
        case {"boxes": Boxes(items) as boxes} if items:
            return replace(await media.draw_boxes(image, boxes), name="", alt="")
        case {"masks": Masks(items) as masks} if items:
            return replace(await media.draw_masks(image, masks), name="", alt="")
    return image


async def _make_extras(task: Task, job: Job, output: ExpertOutput, media: MediaTools) -> list[Blob]:
    """The expert's extra files, and images that visualise results such as charts and depth maps."""
    extras = [*output.extras]

    def show(image: Blob, alt: str, **args: str) -> None:
        stem = slugify(_find_input_stem(job)) or task.kind.name
        name = f"{stem}-{alt.removeprefix('alt-')}.{find_ending(image.media_type)}"
        alt_text = say(job.locale, LocalizedText(alt, args))
        extras.append(replace(image, name=name, alt=alt_text))

    with suppress(MediaError):
        for value in output.slots.values():
            match value:
                case Labels(items) if len(items) > _MOST_UNCHARTED:
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


def _describe_origin(job: Job, output: ExpertOutput) -> Mapping[str, str]:
    """What is written into the metadata of the files that a job made."""
    model, parameters = job.model, read_parameters(job.kind, job.args)
    seed = str(parameters.get("seed", "")) if "seed" in output.used else ""
    facts = {"model": model.id, "revision": model.revision, "licence": model.licence, "seed": seed}
    return {name: fact for name, fact in facts.items() if fact} | {"task": job.kind.name}


async def _label(blob: Blob, origin: Mapping[str, str], media: MediaTools) -> Blob:
    """Write a file's origin into its metadata; return it unchanged if that fails."""
    if blob.type not in (Type.IMAGE, Type.AUDIO, Type.VIDEO):
        return blob
    with suppress(MediaError):
        return await media.label(blob, origin)
    return blob


def _name_result(task: Task, job: Job, about: str) -> str:
    """A file name that tells what a result is, without its ending: "zebra-sepia".

    The name of the first input file, then what the expert says of the result, or else the order;
    the kind where neither says anything, also in scripts that have no ASCII form.
    """
    orders = (value.text for value in job.args.get("text", ()) if isinstance(value, Text))
    words = slugify(about, most=_MOST_WORDS) or slugify(next(orders, ""), most=_MOST_WORDS)
    stem = slugify(_find_input_stem(job))
    if not stem and not words:
        return f"{task.kind.name}-{task.id}"
    return f"{stem}-{words or task.kind.name}" if stem else words


def _find_input_stem(job: Job) -> str:
    """The name of a job's first file, without its ending; "" if it takes none."""
    values = (value for values in job.args.values() for value in values)
    return next((PurePosixPath(value.name).stem for value in values if isinstance(value, Blob)), "")


async def _store_file(blob: Blob, stem: str, tools: Tools) -> Attachment:
    """Store a file, under the name that its expert gave it or else this one."""
    try:
        described = await tools.media.describe(blob)
    except MediaError as error:
        raise ExpertGarbled("task-output-unreadable", problem=error.sentence) from error
    if blob.type is not Type.DOCUMENT and described.media_type.startswith("text/html"):
        raise ExpertGarbled("task-output-unreadable", problem=described.description)
    file_hash = await tools.files.put(blob.data)
    ending = find_ending(described.media_type)
    name = blob.name or f"{stem}{ending and '.'}{ending}"
    alt = blob.alt or described.description
    return Attachment(
        hash=file_hash,
        media_type=described.media_type,
        name=name,
        size=len(blob.data),
        description=alt,
    )
