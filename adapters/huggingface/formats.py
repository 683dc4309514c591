"""One table: how each kind of task goes over the wire and comes back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from adapters.huggingface import decode, encode
from adapters.huggingface.times import subtitles
from pipeline.domain import Blob


@dataclass(frozen=True, slots=True)
class Form:
    """The format of one kind. `pipeline`: hosted models of this kind serve several, so the address names it."""

    encode: encode.Encode
    decode: decode.Decode
    pipeline: bool = False
    beside: Callable[[object], tuple[Blob, ...]] | None = None
    """Files made out of what was answered beside the result."""


_CONTROLS = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")

FORMS: Mapping[str, Form] = {
    "text-classification": Form(encode.text, decode.labels),
    "token-classification": Form(encode.entities, decode.spans),
    "text2text-generation": Form(encode.text, decode.text),
    "summarization": Form(encode.text, decode.text),
    "translation": Form(encode.translation, decode.text),
    "question-answering": Form(encode.question, decode.answer),
    "conversational": Form(encode.instruction, decode.text),
    "text-generation": Form(encode.instruction, decode.text),
    "fill-mask": Form(encode.text, decode.gaps),
    "feature-extraction": Form(encode.text, decode.vector, pipeline=True),
    "sentence-similarity": Form(encode.sentences, decode.likeness, pipeline=True),
    "zero-shot-classification": Form(encode.labelled_text, decode.candidates),
    "tabular-classification": Form(encode.table, decode.predictions),
    "tabular-regression": Form(encode.table, decode.predictions),
    "table-question-answering": Form(encode.table_question, decode.answer),
    "image-to-text": Form(encode.picture, decode.text),
    "optical-character-recognition": Form(encode.picture, decode.text),
    "text-to-image": Form(encode.text, decode.image),
    "visual-question-answering": Form(encode.picture_question, decode.answer),
    "document-question-answering": Form(encode.document_question, decode.answer),
    "image-classification": Form(encode.picture, decode.labels),
    "zero-shot-image-classification": Form(encode.labelled_picture, decode.candidates),
    "object-detection": Form(encode.picture, decode.boxes),
    "zero-shot-object-detection": Form(encode.labelled_picture, decode.boxes),
    "image-segmentation": Form(encode.picture, decode.masks),
    "mask-generation": Form(encode.picture, decode.masks),
    "depth-estimation": Form(encode.picture, decode.image),
    "image-to-image": Form(encode.prompted_picture, decode.image),
    "image-text-to-image": Form(encode.edited_picture, decode.image),
    "automatic-speech-recognition": Form(encode.speech, decode.text, beside=subtitles),
    "text-to-speech": Form(encode.text, decode.audio),
    "audio-classification": Form(encode.sound, decode.labels),
    "audio-to-audio": Form(encode.prompted_sound, decode.audio),
    "text-to-video": Form(encode.text, decode.video),
    "image-to-video": Form(encode.prompted_picture, decode.video),
    "video-classification": Form(encode.film, decode.labels),
    **{f"{name}-control": Form(encode.picture, decode.image) for name in _CONTROLS},
    **{f"{name}-text-to-image": Form(encode.prompted_picture, decode.image) for name in _CONTROLS},
}
"""Kinds that are not here (reading documents, converting media) never leave the program."""
