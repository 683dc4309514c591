"""The task table: the kinds of tasks, named as Hugging Face names them, and what enables each."""

from collections.abc import Collection, Mapping

from pipeline.domain import LocalizedText, Place, Slot, TaskKind, Type

TEXT, IMAGE, AUDIO, VIDEO = Type.TEXT, Type.IMAGE, Type.AUDIO, Type.VIDEO
DOCUMENT, TABLE, LABELS, BOXES = Type.DOCUMENT, Type.TABLE, Type.LABELS, Type.BOXES
MASKS, SPANS, NUMBER, VECTOR = Type.MASKS, Type.SPANS, Type.NUMBER, Type.VECTOR

_HUB, _LLM, _LOCAL = ("HF_TOKEN",), ("OPENAI_API_KEY",), ("TROUPE_EXPERTS_URL",)
_BUILT_IN = ("[embedded]",)
_ANY = (*_HUB, *_LLM, *_LOCAL)
_HUB_OR_LOCAL = (*_HUB, *_LOCAL)

_text = Slot("text", (TEXT,))
_image = Slot("image", (IMAGE,))
_audio = Slot("audio", (AUDIO,))
_video = Slot("video", (VIDEO,))
_table = Slot("table", (TABLE,))
_question = Slot("question", (TEXT,))
_candidates = Slot("labels", (TEXT,), many=True)
_prompt = Slot("text", (TEXT,), required=False)
_language = Slot("language", (TEXT,), required=False)
_source_language = Slot("source_language", (TEXT,), required=False)
_target = Slot("target", (TEXT,), required=False)
_sentences = Slot("sentences", (TEXT,), many=True)
_labels = Slot("labels", (LABELS,))
_boxes = Slot("boxes", (BOXES,))
_masks = Slot("masks", (MASKS,))


def _kind(  # noqa: PLR0913 - one row of a table
    name: str,
    takes: tuple[Slot, ...],
    makes: tuple[Slot, ...],
    says: str,
    phrases: str,
    enabled_by: tuple[str, ...],
    *,
    anew: bool = False,
) -> TaskKind:
    return TaskKind(name, takes, makes, says, tuple(phrases.split(" | ")), enabled_by, anew)


# fmt: off
_ROWS: tuple[TaskKind, ...] = (
    # text
    _kind("text-classification", (_text,), (_labels,),
          "sentiment or class of a text", "is this review positive | what is the sentiment",
          _ANY),
    _kind("token-classification", (_text,), (Slot("spans", (SPANS,)),),
          "names, places, organisations in a text", "which people are named | find the places",
          _ANY),
    _kind("text2text-generation", (_text,), (_text,),
          "rewrite a text as instructed", "rephrase this | correct the grammar",
          _ANY, anew=True),
    _kind("summarization", (_text,), (_text,),
          "a short version of a text", "summarize | give me the gist | tl;dr",
          _ANY),
    _kind("translation", (_text, _language, _source_language), (_text,),
          "a text in another language", "translate to German | what does this mean in English",
          _ANY),
    _kind("question-answering", (_question, Slot("context", (TEXT, DOCUMENT))), (_text,),
          "answer a question from a given text", "according to this text, who won",
          _ANY),
    _kind("conversational", (_text,), (_text,),
          "talk", "let us talk about",
          _ANY, anew=True),
    _kind("text-generation", (_text,), (_text,),
          "write a new text", "write a poem | draft an email",
          _ANY, anew=True),
    _kind("fill-mask", (_text,), (_labels,),
          "words that fit a gap in a text", "fill in the blank",
          _ANY),
    _kind("feature-extraction", (_text,), (Slot("vector", (VECTOR,)),),
          "embedding of a text", "give me the embedding",
          _HUB_OR_LOCAL),
    _kind("sentence-similarity", (_sentences,), (Slot("number", (NUMBER,)),),
          "how alike texts are, the first against the others", "how similar are these sentences",
          _HUB_OR_LOCAL),
    _kind("zero-shot-classification", (_text, _candidates), (_labels,),
          "which of the given labels fits a text", "is this about sports, politics or art",
          _ANY),
    # tables
    _kind("tabular-classification", (_table, _target), (_table, _text),
          "predict a class column of a table", "predict who will churn",
          _BUILT_IN),
    _kind("tabular-regression", (_table, _target), (_table, _text),
          "predict a number column of a table", "predict the price column",
          _BUILT_IN),
    _kind("table-question-answering", (_question, _table), (_text,),
          "answer a question from a table", "which row has the highest sales",
          _ANY),
    # pictures
    _kind("image-to-text", (_image,), (_text,),
          "describe a picture (caption)", "what is in this picture | describe the photo",
          _ANY),
    _kind("text-to-image", (_text,), (_image,),
          "make a picture from words", "draw a cat on a skateboard | generate an image",
          _ANY, anew=True),
    _kind("visual-question-answering", (_image, _question), (_text,),
          "answer a question about a picture", "what colour is the car | how many people are there",
          _ANY),
    _kind("image-classification", (_image,), (_labels,),
          "what a picture shows, as classes", "classify this picture | what breed is it",
          _ANY),
    _kind("zero-shot-image-classification", (_image, _candidates), (_labels,),
          "which of the given labels fits a picture", "is this a cat or a dog",
          _ANY),
    _kind("object-detection",
          (_image, Slot("labels", (TEXT,), required=False, many=True)), (_boxes, _image),
          "find things (faces, cars …) and box them",
          "mark the faces | find all objects | count the cars",
          (*_HUB_OR_LOCAL, "[embedded] (faces)")),
    _kind("zero-shot-object-detection", (_image, _candidates), (_boxes, _image),
          "find the given things in a picture", "where is the red cup",
          _LOCAL),
    _kind("image-segmentation", (_image,), (_masks, _image),
          "the regions of a picture, named", "segment the picture | cut out the person",
          _HUB_OR_LOCAL),
    _kind("mask-generation", (_image,), (_masks, _image),
          "the regions of a picture, unnamed", "mask everything",
          _LOCAL),
    _kind("depth-estimation", (_image,), (_image,),
          "how far things in a picture are", "depth map",
          _LOCAL),
    _kind("image-to-image", (_image, _prompt), (_image,),
          "filter or restyle a picture (sketch, grey, upscale, denoise …)",
          "make it a pencil sketch | black and white | cartoon style",
          (*_HUB, *_LLM, "[embedded] (filters)"), anew=True),
    _kind("image-text-to-image",
          (_image, _text, Slot("masks", (MASKS,), required=False)), (_image,),
          "change things in a picture as told",
          "replace the cat with a dog | remove the background",
          _ANY, anew=True),
    _kind("optical-character-recognition", (_image,), (_text,),
          "read the text in a picture", "what does it say | read the sign",
          (*_BUILT_IN, *_LLM)),
    # documents
    _kind("document-question-answering",
          (Slot("document", (DOCUMENT, IMAGE, TEXT)), _question), (_text,),
          "answer a question from a document or a picture of one",
          "what is the total on this invoice",
          (*_BUILT_IN, *_LLM, *_LOCAL)),
    _kind("document-to-text", (Slot("document", (DOCUMENT, TABLE)),), (_text,),
          "the text of a PDF, Word, CSV or text file", "what is in this PDF",
          _BUILT_IN),
    # sound and film
    _kind("automatic-speech-recognition", (_audio,), (_text,),
          "write down what is said", "transcribe | what does he say",
          (*_ANY, *_BUILT_IN)),
    _kind("text-to-speech", (_text, _language), (_audio,),
          "read a text aloud", "read it aloud | say it with your voice",
          (*_ANY, *_BUILT_IN)),
    _kind("audio-classification", (_audio,), (_labels,),
          "what a sound is", "what sound is this | which emotion",
          _LOCAL),
    _kind("audio-to-audio", (_audio, _prompt), (_audio,),
          "clean or separate a sound",
          "remove the noise | only the music, without the voice | separate the voices",
          ("[embedded] (noise, hum)", *_LOCAL)),
    _kind("text-to-video", (_text,), (_video,),
          "make a film from words", "make a video of a dancing bear",
          _HUB_OR_LOCAL, anew=True),
    _kind("image-to-video", (_image, _prompt), (_video,),
          "make a picture move", "animate this photo",
          _HUB_OR_LOCAL, anew=True),
    _kind("video-classification", (_video,), (_labels,),
          "what happens in a film, as classes", "what sport is in the clip",
          _LOCAL),
    _kind("media-conversion",
          (Slot("file", (IMAGE, AUDIO, VIDEO)), _text), (Slot("file", (IMAGE, AUDIO, VIDEO)),),
          "resize, crop, rotate, trim, cut or convert a file",
          "resize to 800 px | convert to mp3 | cut the first ten seconds | rotate it",
          _BUILT_IN),
)
# fmt: on

_CONTROLS = {
    "canny": "edges",
    "hed": "soft edges",
    "mlsd": "straight lines",
    "normal": "surface normals",
    "openpose": "body pose",
    "scribble": "scribble",
    "depth": "depth",
    "seg": "segments",
}

_CONTROL_ROWS = tuple(
    _kind(
        f"{name}-control",
        (_image,),
        (_image,),
        f"control image: {what} of a picture",
        f"{what} of this picture",
        _BUILT_IN if name in ("canny", "mlsd", "scribble", "hed") else _LOCAL,
    )
    for name, what in _CONTROLS.items()
) + tuple(
    _kind(
        f"{name}-text-to-image",
        (_text, _image),
        (_image,),
        f"make a picture from words, guided by a {name}-control image",
        f"a knight with the same {what}",
        _LOCAL,
        anew=True,
    )
    for name, what in _CONTROLS.items()
)

KINDS: Mapping[str, TaskKind] = {row.name: row for row in (*_ROWS, *_CONTROL_ROWS)}

_OPENS = {
    "HF_TOKEN": Place.HOSTED,
    "OPENAI_API_KEY": Place.LLM,
    "TROUPE_EXPERTS_URL": Place.LOCAL,
    "[embedded]": Place.EMBEDDED,
}
"""Setting or extra → the place that it opens."""


def explain_missing(
    kind: TaskKind, places: Collection[Place], closed: Collection[Place], *, known: bool
) -> LocalizedText:
    """Why a kind cannot run here.

    `places` are set up; `closed` are set up, too, but left out of TROUPE_PLACES. `known`: there are
    models for it, which the rules forbid.
    """
    requirements = None if known else list_requirements(kind, places, closed)
    if requirements is not None:
        args = {"kind": kind.name, "enabled_by": requirements}
        return LocalizedText("not-possible-here", args)
    reason = "not-possible-rules" if known else "not-possible-nobody"
    return LocalizedText(reason, {"kind": kind.name})


def list_requirements(
    kind: TaskKind, places: Collection[str], closed: Collection[Place]
) -> str | LocalizedText | None:
    """The settings and extras that would enable a kind and are not there yet; None: no setting."""
    missing: list[str] = []
    for name in kind.enabled_by:
        place = _OPENS[name.partition(" ")[0]]
        if place in closed:
            missing.append(f"TROUPE_PLACES ({place.value})")
        elif place not in places:
            missing.append(name)
    if Place.LOCAL not in places or not {*_LOCAL} & {*kind.enabled_by}:
        return " / ".join(missing) or None
    if not missing:
        return LocalizedText("wanting-model")
    return LocalizedText("wanting-or-model", {"needs": " / ".join(missing)})
