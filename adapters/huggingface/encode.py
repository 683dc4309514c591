"""Jobs in Hugging Face's inference format: JSON, or the bytes of the file as they are."""

import csv
from collections.abc import Callable

from adapters.huggingface.bodies import (
    Body,
    read_file,
    read_text,
    read_texts,
    to_base64,
    to_bytes_body,
    to_json_body,
)
from pipeline.domain import Blob, ExpertValue, Mask, Masks, Text, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job
from pipeline.text.sheets import as_text, cells

Encode = Callable[[Job], Body]
_MAX_CELLS = 200_000


def encode_text(job: Job) -> Body:
    return to_json_body(read_text(job, "text"))


def encode_instruction(job: Job) -> Body:
    """For models that continue a text: only what is new is asked for."""
    return to_json_body(read_text(job, "text"), max_new_tokens=512, return_full_text=False)


def encode_entities(job: Job) -> Body:
    return to_json_body(read_text(job, "text"), aggregation_strategy="simple")


def encode_translation(job: Job) -> Body:
    source, target = read_text(job, "source_language"), read_text(job, "language")
    return to_json_body(read_text(job, "text"), src_lang=source, tgt_lang=target)


def encode_labelled_text(job: Job) -> Body:
    return to_json_body(read_text(job, "text"), candidate_labels=read_texts(job, "labels"))


def encode_sentences(job: Job) -> Body:
    source, *others = read_texts(job, "sentences") or [""]
    if not others:
        raise BadInput("expert-one-sentence")
    return to_json_body({"source_sentence": source, "sentences": others})


def encode_question(job: Job) -> Body:
    """Only texts: a file as context has to be read by another task first."""
    if any(not isinstance(piece, Text) for piece in job.args.get("context", ())):
        raise ExpertRefused("expert-input-type", kind=job.kind.name, model=job.model.id)
    question, context = read_text(job, "question"), read_text(job, "context")
    return to_json_body({"question": question, "context": context})


def encode_table_question(job: Job) -> Body:
    """The specification says `question`, servers and the Hub's client say `query`: send both."""
    question = read_text(job, "question")
    return to_json_body({"question": question, "query": question, "table": read_columns(job)})


def encode_table(job: Job) -> Body:
    """All columns but the one to be predicted."""
    target = read_text(job, "target")
    columns = {name: cells for name, cells in read_columns(job).items() if name != target}
    return to_json_body({"data": columns})


def read_columns(job: Job) -> dict[str, list[str]]:
    """The person's table, column by column. Raises BadInput for what is no table."""
    blob = read_file(job, "table", Type.TABLE)
    try:
        rows = cells(as_text(blob.data) or "", blob.media_type)
    except csv.Error as error:
        raise BadInput("expert-table-unfit", cells=_MAX_CELLS) from error
    if len(rows) < 2 or len(rows) * len(rows[0]) > _MAX_CELLS:  # noqa: PLR2004 - head and a row
        raise BadInput("expert-table-unfit", cells=_MAX_CELLS)
    head, *body = rows
    return {
        name: [row[place] if place < len(row) else "" for row in body]
        for place, name in enumerate(head)
    }


def encode_image(job: Job) -> Body:
    return to_bytes_body(read_file(job, "image", Type.IMAGE))


def encode_audio(job: Job) -> Body:
    return to_bytes_body(read_file(job, "audio", Type.AUDIO))


def encode_video(job: Job) -> Body:
    return to_bytes_body(read_file(job, "video", Type.VIDEO))


def encode_prompted_audio(job: Job) -> Body:
    return _encode_prompted(read_file(job, "audio", Type.AUDIO), job)


def encode_prompted_image(job: Job) -> Body:
    return _encode_prompted(read_file(job, "image", Type.IMAGE), job)


def _encode_prompted(blob: Blob, job: Job) -> Body:
    """A file and words on what to do with it: the words are a parameter."""
    prompt = read_text(job, "text")
    return to_json_body(to_base64(blob), prompt=prompt) if prompt else to_bytes_body(blob)


def encode_speech(job: Job) -> Body:
    """A hosted Whisper is asked for timestamps, too, which only JSON can do."""
    blob = read_file(job, "audio", Type.AUDIO)
    if job.model.providers and "whisper" in job.model.id.casefold():
        return to_json_body(to_base64(blob), return_timestamps=True)
    return to_bytes_body(blob)


def encode_labelled_image(job: Job) -> Body:
    image = to_base64(read_file(job, "image", Type.IMAGE))
    return to_json_body(image, candidate_labels=read_texts(job, "labels"))


def encode_edited_image(job: Job) -> Body:
    """With masks of what the words name, our expert server paints there only."""
    blob, prompt = read_file(job, "image", Type.IMAGE), read_text(job, "text")
    given = [mask for piece in job.args.get("masks", ()) for mask in _masks_of(piece)]
    named = [mask for mask in given if mask.label and mask.label.casefold() in prompt.casefold()]
    chosen = named or (given if len(given) == 1 else [])
    masks = [to_base64(mask.image) for mask in chosen if isinstance(mask.image, Blob)]
    if job.model.providers or not masks:
        return encode_prompted_image(job)
    return to_json_body(to_base64(blob), prompt=prompt, mask_image=masks)


def _masks_of(piece: ExpertValue) -> tuple[Mask, ...]:
    return piece.items if isinstance(piece, Masks) else ()


def encode_image_question(job: Job) -> Body:
    return _encode_question_on(read_file(job, "image", Type.IMAGE), job)


def encode_document_question(job: Job) -> Body:
    """Only pictures of documents: there is no official way to send any other."""
    return _encode_question_on(read_file(job, "document", Type.IMAGE), job)


def _encode_question_on(blob: Blob, job: Job) -> Body:
    return to_json_body({"image": to_base64(blob), "question": read_text(job, "question")})
