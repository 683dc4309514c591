"""The prompt of a task for a chat model: its arguments as data, with the pictures."""

from adapters.openai.chat_replies import find_instruction
from pipeline.domain import Blob, ExpertValue, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job, Message, Prompt
from pipeline.prompts import FENCES_HOLD_DATA, fence
from pipeline.prompts.chat_tasks import DESCRIPTIONS, ORDERS
from pipeline.text.encodings import decode
from pipeline.text.languages import name_language, normalize_code

_LANGUAGE_OF = "Write in the language of the words"
_MAX_CHARACTERS = 200_000
"""The longest argument."""
_LONGEST_REQUEST = 300
"""Characters of a request that show its language."""


def build_prompt(job: Job, *, sees: bool) -> Prompt:
    """The arguments by name as data, with the pictures. Raises ExpertRefused, BadInput."""
    images: list[Blob] = []
    lines: list[str] = []
    is_order = job.kind.name in ORDERS
    for name, values in job.args.items():
        for value in values:
            if isinstance(value, Blob) and value.type is Type.IMAGE:
                images.append(value)
            elif words := _to_words(value, job)[:_MAX_CHARACTERS]:
                lines.append(words if is_order else f"{name}: {fence(words)}")
    if images and not sees:
        raise ExpertRefused("llm-sees-nothing", model=job.model.id)
    if not images and not lines:
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    instruction, schema = find_instruction(job.kind)
    lines += _name_language(job)
    is_plain = is_order and not any("<<<" in line for line in lines)
    system = instruction if is_plain else f"{instruction} {FENCES_HOLD_DATA}"
    messages = (Message("system", system), Message("user", "\n".join(lines), tuple(images)))
    return Prompt(messages, schema=schema, max_tokens=4096, effort="low")


def _name_language(job: Job) -> list[str]:
    """Tell the model which language to write in, if no argument or text says so.

    A translation without a language is one into the reader's; a picture has no language, so it is
    described in that of the request.
    """
    if job.kind.name == "translation" and not job.args.get("language"):
        return [f"language: {fence(name_language(normalize_code(job.locale)) or 'English')}"]
    if job.kind.name in DESCRIPTIONS and job.request.strip():
        return [f"{_LANGUAGE_OF} {fence(job.request[:_LONGEST_REQUEST])}"]
    return []


def _to_words(value: ExpertValue, job: Job) -> str:
    """A value in words; a text file as it is. Raises ExpertRefused for any other file."""
    if not isinstance(value, Blob):
        return as_text(value)
    if not value.media_type.startswith("text/"):
        raise ExpertRefused("llm-file-unfit", model=job.model.id, type=value.type.value)
    text = decode(value.data)
    if text is None:
        raise ExpertRefused("media-encoding-unknown")
    return text
