"""The task table: the kinds of tasks, with Hugging Face's names, and what enables each.

What each does is told to the language model in prompts/kinds.md, to people in words/*/kinds.ftl.
"""

from collections.abc import Collection, Mapping

from pipeline.domain import FILE_TYPES, Form, LocalizedText, Place, Slot, TaskKind, Type

TEXT, IMAGE, AUDIO, VIDEO = Type.TEXT, Type.IMAGE, Type.AUDIO, Type.VIDEO
DOCUMENT, TABLE, LABELS, BOXES = Type.DOCUMENT, Type.TABLE, Type.LABELS, Type.BOXES
MASKS, SPANS, NUMBER, VECTOR = Type.MASKS, Type.SPANS, Type.NUMBER, Type.VECTOR

_HUB, _LLM, _LOCAL = ("HF_TOKEN",), ("OPENAI_API_KEY",), ("TROUPE_EXPERTS_URL",)
_BUILT_IN = ("[embedded]",)
_ANY = (*_HUB, *_LLM, *_LOCAL)
_HUB_OR_LOCAL = (*_HUB, *_LOCAL)

_text = Slot("text", (TEXT,))
_image = Slot("image", (IMAGE,))
_images = Slot("image", (IMAGE,), many=True)
_audio = Slot("audio", (AUDIO,))
_video = Slot("video", (VIDEO,))
_table = Slot("table", (TABLE,))
_question = Slot("question", (TEXT,))
_candidates = Slot("labels", (TEXT,), many=True)
_prompt = Slot("text", (TEXT,), required=False)
_language = Slot("language", (TEXT,), required=False, short=True)
_source_language = Slot("source_language", (TEXT,), required=False, short=True)
_target = Slot("target", (TEXT,), required=False, short=True)
_sentences = Slot("sentences", (TEXT,), many=True)
_labels = Slot("labels", (LABELS,))
_boxes = Slot("boxes", (BOXES,))
_masks = Slot("masks", (MASKS,))
_kind = TaskKind


def _parameter(name: str, form: Form, *bounds: float) -> Slot:
    is_number = form in (Form.INTEGER, Form.NUMBER)
    least, most = bounds or (0, 0)
    types = (NUMBER if is_number else TEXT,)
    return Slot(name, types, required=False, form=form, bounds=(least, most))


_SHAPE = (
    _parameter("size", Form.SIZE, 64, 4096),
    _parameter("aspect_ratio", Form.RATIO, 0.25, 4),
)
MOST_SEED = 2**31 - 1
"""Some providers take no larger seed."""
_COUNT = _parameter("count", Form.INTEGER, 1, 8)
_GUIDANCE = (
    _parameter("seed", Form.INTEGER, 0, MOST_SEED),
    _parameter("negative_prompt", Form.WORDS),
    _parameter("guidance_scale", Form.NUMBER, 0, 30),
)
_DURATION = _parameter("duration", Form.NUMBER, 1, 60)  # seconds
_DRAWING = (*_SHAPE, _COUNT, *_GUIDANCE)
_GUIDED = (_COUNT, *_GUIDANCE)

# fmt: off
_ROWS: tuple[TaskKind, ...] = (
    # text
    _kind("text-classification", (_text,), (_labels,), _ANY),
    _kind("token-classification", (_text,), (Slot("spans", (SPANS,)),), _ANY),
    _kind("text2text-generation", (_text,), (_text,), _ANY, anew=True),
    _kind("summarization", (_text,), (_text,), _ANY),
    _kind("translation", (_text, _language, _source_language), (_text,), _ANY),
    _kind("question-answering", (_question, Slot("context", (TEXT, DOCUMENT))), (_text,), _ANY),
    _kind("conversational", (_text,), (_text,), _ANY, anew=True),
    _kind("text-generation", (_text,), (_text,), _ANY, anew=True),
    _kind("fill-mask", (_text,), (_labels,), _ANY),
    _kind("feature-extraction", (_text,), (Slot("vector", (VECTOR,)),), _HUB_OR_LOCAL),
    _kind("sentence-similarity", (_sentences,), (_labels,), _HUB_OR_LOCAL),
    _kind("zero-shot-classification", (_text, _candidates), (_labels,), _ANY),
    # tables
    _kind("tabular-classification", (_table, _target), (_table, _text), _BUILT_IN),
    _kind("tabular-regression", (_table, _target), (_table, _text), _BUILT_IN),
    _kind("table-question-answering", (_question, _table),
          (_text, Slot("table", (TABLE,), required=False)), _ANY),
    # pictures
    _kind("image-to-text", (_image,), (_text,), _ANY),
    _kind("text-to-image", (_text, *_DRAWING), (_image,), _ANY, anew=True),
    _kind("visual-question-answering", (_image, _question), (_text,), _ANY),
    _kind("image-classification", (_image,), (_labels,), _ANY),
    _kind("zero-shot-image-classification", (_image, _candidates), (_labels,), _ANY),
    _kind("object-detection", (_image, Slot("labels", (TEXT,), required=False, many=True)),
          (_boxes, _image), (*_HUB_OR_LOCAL, "[embedded] (faces)")),
    _kind("zero-shot-object-detection", (_image, _candidates), (_boxes, _image), _LOCAL),
    _kind("image-segmentation", (_image,), (_masks, _image), _HUB_OR_LOCAL),
    _kind("mask-generation", (_image,), (_masks, _image), _LOCAL),
    _kind("depth-estimation", (_image,), (_image,), _LOCAL),
    _kind("image-to-image", (_image, _prompt, *_DRAWING), (_image,),
          (*_HUB, *_LLM, "[embedded] (filters)"), anew=True),
    _kind("image-text-to-image",
          (_images, _text, Slot("masks", (MASKS,), required=False), *_DRAWING), (_image,), _ANY,
          anew=True),
    _kind("optical-character-recognition", (_image,), (_text,), (*_BUILT_IN, *_HUB, *_LLM)),
    # documents
    _kind("document-question-answering", (Slot("document", (DOCUMENT, IMAGE, TEXT)), _question),
          (_text,), (*_BUILT_IN, *_ANY)),
    _kind("document-to-text", (Slot("document", (DOCUMENT, TABLE)),), (_text,), _BUILT_IN),
    # sound and film
    _kind("automatic-speech-recognition", (_audio,), (_text,), (*_ANY, *_BUILT_IN)),
    _kind("text-to-speech", (_text, _language, _parameter("voice", Form.WORDS)), (_audio,),
          (*_ANY, *_BUILT_IN)),
    _kind("audio-classification", (_audio,), (_labels,), _LOCAL),
    _kind("audio-to-audio", (_audio, _prompt), (_audio,), ("[embedded] (noise, hum)", *_LOCAL)),
    _kind("text-to-video", (_text, *_SHAPE, _DURATION, *_GUIDANCE), (_video,), _HUB_OR_LOCAL,
          anew=True),
    _kind("image-to-video", (_image, _prompt, _DURATION, *_GUIDANCE), (_video,), _HUB_OR_LOCAL,
          anew=True),
    _kind("video-classification", (_video,), (_labels,), _LOCAL),
    _kind("media-conversion", (Slot("file", (IMAGE, AUDIO, VIDEO)), _text),
          (Slot("file", (IMAGE, AUDIO, VIDEO)),), _BUILT_IN),
    _kind("document-conversion", (Slot("documents", (DOCUMENT, IMAGE), many=True), _text),
          (Slot("file", (DOCUMENT, IMAGE)),), _BUILT_IN),
    _kind("table-conversion", (Slot("table", (TABLE, DOCUMENT)), _text), (_table,), _BUILT_IN),
    _kind("table-to-chart", (_table, _text), (_image,), _BUILT_IN),
)
# fmt: on

_CONTROLS = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
_BUILT_IN_CONTROLS = frozenset({"canny", "hed", "mlsd", "scribble"})

_CONTROL_ROWS = tuple(
    _kind(
        f"{name}-control",
        (_image,),
        (_image,),
        _BUILT_IN if name in _BUILT_IN_CONTROLS else _LOCAL,
    )
    for name in _CONTROLS
) + tuple(
    _kind(f"{name}-text-to-image", (_text, _image, *_GUIDED), (_image,), _LOCAL, anew=True)
    for name in _CONTROLS
)

KINDS: Mapping[str, TaskKind] = {row.name: row for row in (*_ROWS, *_CONTROL_ROWS)}


def find_medium(kind: TaskKind) -> Type:
    """The medium of a kind: the type of file that it makes, or else takes, or else text."""
    types = (slot.types[0] for slot in (*kind.makes, *kind.takes))
    return next((each for each in types if each in FILE_TYPES), Type.TEXT)


def is_read(kind: TaskKind, place: Place) -> bool:
    """Whether a result of this kind, made at this place, was read in its input.

    Models may write what they like, unless they are given nothing but a file and say what is in it.
    Libraries, where a place has them, read, measure, cut and convert.
    """
    return place.computes or all(slot.is_file and slot.type in place.reads for slot in kind.takes)


def is_enabled_by(kind: TaskKind, place: Place) -> bool:
    """Whether a kind can run at a place, once that is set up, as the table has it."""
    return place.enabled_by in map(_get_setting, kind.enabled_by)


def _get_setting(name: str) -> str:
    """A name in `TaskKind.enabled_by` without its remark, as in "[embedded] (faces)"."""
    return name.partition(" ")[0]


def list_requirements(
    kind: TaskKind, places: Collection[Place], closed: Collection[Place]
) -> str | LocalizedText | None:
    """The missing settings and extras that would enable a kind; None if no setting would.

    `places` are in use; `closed` are set up but left out of TROUPE_PLACES.
    """
    present, left_out = ({each.enabled_by: each for each in group} for group in (places, closed))
    missing: list[str] = []
    for name in kind.enabled_by:
        setting = _get_setting(name)
        if setting in left_out:
            missing.append(f"TROUPE_PLACES ({left_out[setting]})")
        elif setting not in present:
            missing.append(name)
    if not any(place.takes_models and is_enabled_by(kind, place) for place in places):
        return " / ".join(missing) or None
    if not missing:
        return LocalizedText("wanting-model")
    return LocalizedText("wanting-or-model", {"needs": " / ".join(missing)})
