"""One table: every kind that runs here, the family that loads its models, and how they answer. torch is imported in the workers only."""

import importlib.util

from adapters.local.kinds import (
    editing,
    guides,
    masks,
    painting,
    pictures,
    questions,
    sights,
    sorting,
    sounds,
    voices,
    writing,
)
from adapters.local.kinds.loading import classed, piped, settle, weigh
from adapters.local.table import Load, Row, Table

_FAMILIES: dict[str, Load] = {
    "sorting": piped("text-classification"),
    "tagging": piped("token-classification"),
    "gaps": piped("fill-mask"),
    "vectors": classed("AutoModel"),
    "writing": piped("text-generation"),
    "rewriting": classed("AutoModelForSeq2SeqLM"),
    "finding": classed("AutoModelForQuestionAnswering"),
    "tables": piped("table-question-answering"),
    "captions": sights.load_captioner,
    "picture questions": sights.load_questioned,
    "documents": sights.load_document_reader,
    "pictures": piped("image-classification"),
    "pictures by words": piped("zero-shot-image-classification"),
    "things": piped("object-detection"),
    "things by words": piped("zero-shot-object-detection"),
    "regions": piped("image-segmentation"),
    "masks": piped("mask-generation"),
    "depth": piped("depth-estimation"),
    "poses": guides.load_pose,
    "hearing": piped("automatic-speech-recognition"),
    "sounds": piped("audio-classification"),
    "voices": voices.load,
    "speaking": piped("text-to-speech"),
    "films": piped("video-classification"),
}

_ROWS = (
    # texts
    Row("text-classification", "sorting", sorting.classes),
    Row("zero-shot-classification", "sorting", sorting.any_classes),
    Row("token-classification", "tagging", sorting.entities),
    Row("fill-mask", "gaps", sorting.gaps),
    Row("feature-extraction", "vectors", sorting.vector),
    Row("sentence-similarity", "vectors", sorting.likeness),
    Row("text-generation", "writing", writing.going_on),
    Row("conversational", "writing", writing.going_on),
    Row("text2text-generation", "rewriting", writing.rewriting),
    Row("summarization", "rewriting", writing.summary),
    Row("translation", "rewriting", writing.translation),
    Row("question-answering", "finding", questions.found_in_text),
    Row("table-question-answering", "tables", questions.found_in_table),
    # pictures
    Row("image-to-text", "captions", sights.caption),
    Row("optical-character-recognition", "captions", sights.caption),
    Row("visual-question-answering", "picture questions", sights.answer),
    Row("document-question-answering", "documents", sights.document_answer),
    Row("image-classification", "pictures", pictures.classes),
    Row("zero-shot-image-classification", "pictures by words", pictures.any_classes),
    Row("object-detection", "things", pictures.things),
    Row("zero-shot-object-detection", "things by words", pictures.any_things),
    Row("image-segmentation", "regions", pictures.regions),
    Row("mask-generation", "masks", masks.masks),
    Row("depth-estimation", "depth", pictures.depth),
    # control images
    Row("depth-control", "depth", guides.depth),
    Row("normal-control", "depth", guides.normals),
    Row("seg-control", "regions", guides.segments),
    Row("openpose-control", "poses", guides.pose),
    # sound and film
    Row("automatic-speech-recognition", "hearing", sounds.transcript),
    Row("audio-classification", "sounds", sounds.classes),
    Row("text-to-speech", "speaking", sounds.speech),
    Row("audio-to-audio", "voices", voices.revoiced),
    Row("video-classification", "films", sounds.film_classes),
)

_PAINTERS: dict[str, Load] = {
    "painting": painting.load,
    "editing": editing.load_editor,
    "guided": painting.load_guided,
    "shooting": painting.load,
    "animating": painting.load,
}
_PAINTED = (
    Row("text-to-image", "painting", painting.paint),
    Row("image-to-image", "painting", painting.restyle),
    Row("image-text-to-image", "editing", editing.edit),
    *(
        Row(f"{guide}-text-to-image", "guided", painting.guided)
        for guide in ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
    ),
    Row("text-to-video", "shooting", painting.shoot),
    Row("image-to-video", "animating", painting.animate),
)


def _table() -> Table:
    """Without the extra [diffusion] the kinds that need it are unknown here."""
    paints = importlib.util.find_spec("diffusers") is not None
    rows = (*_ROWS, *(_PAINTED if paints else ()))
    families = _FAMILIES | (_PAINTERS if paints else {})
    return Table({row.kind: row for row in rows}, families, settle, weigh)


TABLE = _table()
