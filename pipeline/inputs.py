"""What a task is given: its references replaced by what earlier tasks made, in the types its kind takes."""

from collections.abc import Mapping
from dataclasses import replace

from pipeline.conversions import MEDIA, convert, convertible
from pipeline.domain import (
    Arg,
    Blob,
    Done,
    Failed,
    Labels,
    Mask,
    Masks,
    Media,
    Outcomes,
    Raw,
    Ref,
    Sentence,
    Slot,
    Task,
    Text,
    Type,
    Value,
    value_type,
)
from pipeline.errors import MediaError
from pipeline.tools import Tools

Given = Mapping[str, tuple[Raw, ...]]


async def gather(task: Task, done: Outcomes, tools: Tools) -> Given | Failed:
    """The arguments of a task as an expert sees them, or why they cannot be had."""
    given: dict[str, tuple[Raw, ...]] = {}
    for name, args in task.args.items():
        slot = task.kind.argument(name)
        if slot is None:
            continue
        try:
            given[name] = await _argument(slot, args, done, tools)
        except LookupError:
            return Failed(Sentence("task-input-missing"))
        except MediaError as error:
            return Failed(error.sentence)
    return given


async def _argument(
    slot: Slot, args: tuple[Arg, ...], done: Outcomes, tools: Tools
) -> tuple[Raw, ...]:
    pieces = [(arg, _resolved(arg, done)) for arg in args]
    if slot.many:
        return tuple(Text(word) for _, value in pieces for word in _words(value))
    if slot.type is Type.TEXT and all(_is_words(value, slot) for _, value in pieces):
        return (_joined(pieces),)
    return tuple([await _suited(value, slot, tools) for _, value in pieces])


def _resolved(arg: Arg, done: Outcomes) -> Value:
    """Raises LookupError."""
    if not isinstance(arg, Ref):
        return arg
    outcome = done[arg.task]
    assert isinstance(outcome, Done), "a task is only given what was done"
    return outcome.output.slots[arg.slot]


def _words(value: Value) -> list[str]:
    if isinstance(value, Labels):
        return [item.label for item in value.items]
    return [_text(value).text]


def _is_words(value: Value, slot: Slot) -> bool:
    return value_type(value) not in slot.types or isinstance(value, Text)


def _joined(pieces: list[tuple[Arg, Value]]) -> Text:
    """Pieces as one text: what stood between references in the plan stands there still, neighbours get a line each."""
    text, before = "", None
    for arg, value in pieces:
        if isinstance(before, Ref) and isinstance(arg, Ref):
            text += "\n"
        text += _text(value).text
        before = arg
    return Text(text.strip())


def _text(value: Value) -> Text:
    """Raises LookupError when the value cannot be put into words."""
    try:
        text = convert(value, Type.TEXT)
    except TypeError as error:
        raise LookupError(str(error)) from error
    assert isinstance(text, Text)
    return text


async def _suited(value: Value, slot: Slot, tools: Tools) -> Raw:
    """A value in the first type that the slot takes and it can become. Raises LookupError, MediaError."""
    source = value_type(value)
    fitting = (source,) if source in slot.types else slot.types
    target = next((target for target in fitting if convertible(source, target)), None)
    if target is None:
        raise LookupError(f"{source} for {slot.name}")
    if isinstance(value, Media):
        return await _converted(await _loaded(value, tools), source, target, tools)
    suited = convert(value, target)
    assert not isinstance(suited, Media)
    if isinstance(suited, Masks):
        return Masks(tuple([await _opened(mask, tools) for mask in suited.items]))
    return suited


async def _opened(mask: Mask, tools: Tools) -> Mask:
    """A region whose picture is bytes."""
    if isinstance(mask.image, Blob):
        return mask
    return replace(mask, image=await _loaded(mask.image, tools))


async def _loaded(media: Media, tools: Tools) -> Blob:
    file = media.attachment
    try:
        data = await tools.files.get(file.hash)
    except KeyError as error:
        raise MediaError("task-input-unreadable", file=file.name) from error
    return Blob(data, file.media_type, file.name, file.description)


async def _converted(blob: Blob, source: Type, target: Type, tools: Tools) -> Blob:
    media_type = MEDIA.get((source, target), "")
    return await tools.media.convert(blob, media_type) if media_type else blob
