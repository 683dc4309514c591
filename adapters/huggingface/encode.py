"""Jobs as Hugging Face's inference format wants them: JSON, or the bytes of the file as they are."""

import csv
from collections.abc import Callable

from adapters.huggingface.body import Body, as_json, file, several, text64, words
from pipeline.domain import Blob, Mask, Masks, Raw, Text, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job
from pipeline.text.sheets import as_text, cells

Encode = Callable[[Job], Body]
_MAX_CELLS = 200_000


def text(job: Job) -> Body:
    return as_json(words(job, "text"))


def instruction(job: Job) -> Body:
    """For models that go on writing: only what is new is asked for."""
    return as_json(words(job, "text"), max_new_tokens=512, return_full_text=False)


def entities(job: Job) -> Body:
    return as_json(words(job, "text"), aggregation_strategy="simple")


def translation(job: Job) -> Body:
    return as_json(
        words(job, "text"),
        src_lang=words(job, "source_language"),
        tgt_lang=words(job, "language"),
    )


def labelled_text(job: Job) -> Body:
    return as_json(words(job, "text"), candidate_labels=several(job, "labels"))


def sentences(job: Job) -> Body:
    source, *others = several(job, "sentences") or [""]
    if not others:
        raise BadInput("expert-one-sentence")
    return as_json({"source_sentence": source, "sentences": others})


def question(job: Job) -> Body:
    """Only texts: a file as context has to be read by another task first."""
    if any(not isinstance(piece, Text) for piece in job.args.get("context", ())):
        raise ExpertRefused("expert-input-type", kind=job.kind.name, model=job.model.id)
    return as_json({"question": words(job, "question"), "context": words(job, "context")})


def table_question(job: Job) -> Body:
    """The specification says `question`, servers and the Hub's own client say `query`: both are sent."""
    asked = words(job, "question")
    return as_json({"question": asked, "query": asked, "table": columns(job)})


def table(job: Job) -> Body:
    """All columns but the one to be predicted."""
    target = words(job, "target")
    return as_json({"data": {k: v for k, v in columns(job).items() if k != target}})


def columns(job: Job) -> dict[str, list[str]]:
    """The person's table, column by column."""
    blob = file(job, "table", Type.TABLE)
    try:
        rows = cells(as_text(blob.data) or "", blob.media_type)
    except csv.Error as error:
        raise BadInput("expert-table-unfit", cells=_MAX_CELLS) from error
    if len(rows) < 2 or len(rows) * len(rows[0]) > _MAX_CELLS:  # noqa: PLR2004 - a heading and a row
        raise BadInput("expert-table-unfit", cells=_MAX_CELLS)
    head, *body = rows
    return {
        name: [row[place] if place < len(row) else "" for row in body]
        for place, name in enumerate(head)
    }


def picture(job: Job) -> Body:
    return _bytes(file(job, "image", Type.IMAGE))


def sound(job: Job) -> Body:
    return _bytes(file(job, "audio", Type.AUDIO))


def prompted_sound(job: Job) -> Body:
    """A sound and words on what is to be done to it: the words are a parameter."""
    blob, prompt = file(job, "audio", Type.AUDIO), words(job, "text")
    return as_json(text64(blob), prompt=prompt) if prompt else _bytes(blob)


def speech(job: Job) -> Body:
    """Whisper where it is hosted is asked for times, too, which only JSON can."""
    blob = file(job, "audio", Type.AUDIO)
    if job.model.providers and "whisper" in job.model.id.casefold():
        return as_json(text64(blob), return_timestamps=True)
    return _bytes(blob)


def film(job: Job) -> Body:
    return _bytes(file(job, "video", Type.VIDEO))


def labelled_picture(job: Job) -> Body:
    return as_json(text64(file(job, "image", Type.IMAGE)), candidate_labels=several(job, "labels"))


def prompted_picture(job: Job) -> Body:
    """A picture and words on it: the words are a parameter."""
    blob, prompt = file(job, "image", Type.IMAGE), words(job, "text")
    return as_json(text64(blob), prompt=prompt) if prompt else _bytes(blob)


def edited_picture(job: Job) -> Body:
    """Where masks were found for what the words name, an expert server is told to paint there only."""
    blob, prompt = file(job, "image", Type.IMAGE), words(job, "text")
    given = [mask for piece in job.args.get("masks", ()) for mask in _regions(piece)]
    said = prompt.casefold()
    named = [mask for mask in given if mask.label and mask.label.casefold() in said]
    chosen = named or (given if len(given) == 1 else [])
    masks = [text64(mask.image) for mask in chosen if isinstance(mask.image, Blob)]
    if job.model.providers or not masks:
        return prompted_picture(job)
    return as_json(text64(blob), prompt=prompt, mask_image=masks)


def _regions(piece: Raw) -> tuple[Mask, ...]:
    return piece.items if isinstance(piece, Masks) else ()


def picture_question(job: Job) -> Body:
    return _question_on(file(job, "image", Type.IMAGE), job)


def document_question(job: Job) -> Body:
    """Only pictures of documents: there is no official way to send any other."""
    return _question_on(file(job, "document", Type.IMAGE), job)


def _question_on(blob: Blob, job: Job) -> Body:
    return as_json({"image": text64(blob), "question": words(job, "question")})


def _bytes(blob: Blob) -> Body:
    return Body(blob.data, blob.media_type)
