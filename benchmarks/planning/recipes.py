"""Recipes for everyday requests: which operations follow which; `compose` fills them."""

# ruff: noqa: SIM905 - words of many scripts; nothing here is secret

import itertools
import random
from collections.abc import Callable, Iterator

from adapters.embedded.planner.model import NONE
from benchmarks.planning.compose import (
    FOLLOW_TEXT,
    IMAGE_ONLY,
    IMAGE_TO_IMAGE,
    IMAGE_TO_TEXT,
    ON_MATERIAL,
    OTHER_FILE,
    READ,
    TYPE,
    WEIGHT,
    WORDS_ONLY,
    Composer,
    Row,
)

LANGUAGES = "en de es fr zh ja".split()
CONTROLS = "canny hed mlsd normal openpose depth seg scribble".split()
IMAGE_OPS = {**IMAGE_TO_TEXT, **IMAGE_TO_IMAGE, **IMAGE_ONLY}
NEW_TEXT = {
    "writeimg": ("img", ("image-to-text", "text-generation")),
    "writeaud": ("aud", ("automatic-speech-recognition", "text-generation")),
    "writedoc": ("doc", ("document-to-text", "text-generation")),
    "simg": ("img", ("image-to-text", "text-to-image")),
    "vidframe": ("vid", ("media-conversion", "image-to-text")),
    "qam": ("aud", ("automatic-speech-recognition", "question-answering")),
}
_FRAME = {
    "en": ["grab a frame", "take the first frame", "a still from the middle", "screenshot at 0:10"],
    "de": ["nimm ein standbild", "erstes bild aus dem video"],
    "es": ["saca un fotograma", "captura del vídeo"],
    "fr": ["prends une image de la vidéo", "capture la première image"],
    "zh": ["截一帧", "取第一帧"],
    "ja": ["一コマ抜き出して", "最初のフレームで"],
}
Recipe = Callable[[Composer], Row | None]


def _made(
    c: Composer,
    parts: list[str | None],
    material: str,
    kinds: tuple[str, ...],
    edges: tuple[tuple[str, str], ...] | None = None,
) -> Row | None:
    if any(part is None for part in parts):
        return None
    said = [part for part in parts if part is not None]
    kinds = tuple(dict.fromkeys(kinds))
    text = c.join(*said)
    return c.row(text, material, kinds, edges=_edges(kinds) if edges is None else edges)


_PASSES_ON = frozenset({"translation", "summarization", "text2text-generation", "text-generation"})


def _edges(kinds: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The links of a chain of kinds. A kind that makes new text becomes the next source."""
    found = []
    source = ""
    for kind in kinds:
        if source and (source, kind) not in _APART:
            found.append((source, kind))
        if not source or kind in _PASSES_ON or kind in _MAKERS:
            source = kind
    return tuple(found)


_MAKERS = frozenset(
    {"automatic-speech-recognition", "image-to-text", "text-to-image", "audio-to-audio"}
    | {"optical-character-recognition", "document-to-text", "media-conversion", "image-to-image"}
    | {"image-segmentation", "image-text-to-image"}
)
_APART = frozenset({("media-conversion", "video-classification")})


def plain_talk(c: Composer) -> Row | None:
    text = c.say("none")
    old = (
        (c.rng.choice(["image", "audio", "document", "table", "video"]),)
        if c.rng.random() < 0.3
        else ()
    )
    return Row(
        text=c.manner(text) if c.rng.random() < 0.2 else text or "",
        language=c.language,
        files=(),
        thread_files=old,
        kinds=(),
    )


def on_picture(c: Composer) -> Row | None:
    op = c.rng.choice(list(IMAGE_OPS))
    return _made(c, [c.say(op)], "img", (IMAGE_OPS[op],))


def on_page(c: Composer) -> Row | None:
    material = c.rng.choice(["doc", "page", "page"])
    return _made(c, [c.say("docqa")], material, ("document-question-answering",))


def on_other(c: Composer) -> Row | None:
    op = c.rng.choice(list(OTHER_FILE))
    material, kind = OTHER_FILE[op]
    return _made(c, [c.say(op)], material, (kind,))


def with_words(c: Composer) -> Row | None:
    op = c.rng.choice(list(WORDS_ONLY))
    return _made(c, [c.say(op)], "", (WORDS_ONLY[op],))


def on_material(c: Composer) -> Row | None:
    op = c.rng.choice(list(ON_MATERIAL))
    material = c.rng.choice(["q", "doc", "doc", "aud", "aud", "vid", "page"])
    if op == "speakm" and material in ("aud", "vid", "q"):
        material = "page"
    before = READ.get(material, ())
    text = c.say(op, material)
    return _made(c, [text], "" if material == "q" else material, (*before, ON_MATERIAL[op]))


def heard_in_film(c: Composer) -> Row | None:
    return _made(c, [c.say("heardvid")], "vid", READ["vid"])


def heard_then(c: Composer) -> Row | None:
    op = c.rng.choice(["+trans", "+trans", "+speak", "+sum", "+ner", "+sent", "+write"])
    kinds = (*READ["vid"], FOLLOW_TEXT[op])
    return _made(c, [c.say("heardvid"), c.say(op)], "vid", kinds)


def frame_then(c: Composer) -> Row | None:
    op = c.rng.choice(["ocr", "detect", "filter", "vqa", "imgcls"])
    frame = c.rng.choice(_FRAME.get(c.language, ["frame"]))
    return _made(c, [frame, c.say(op)], "vid", ("media-conversion", IMAGE_OPS[op]))


def part_of_sound(c: Composer) -> Row | None:
    material, first, kinds = c.rng.choice(
        [
            ("aud", "convaud", ("automatic-speech-recognition",)),
            ("vid", "convvid", ("audio-to-audio",)),
            ("vid", "convvid", ("video-classification",)),
        ]
    )
    second = {"audio-to-audio": "a2a", "video-classification": "vidcls"}.get(kinds[0], "asr")
    return _made(c, [c.say(first), c.say(second)], material, ("media-conversion", *kinds))


def asked_and_changed(c: Composer) -> Row | None:
    first = c.rng.choice(["vqa", "detect", "imgcls", "docqa", "ocr", "caption"])
    second = c.rng.choice(["edit", "filter", "convimg", "+show", "+show"])
    known = {**IMAGE_OPS, "docqa": "document-question-answering", "+show": "text-to-speech"}
    parts = [c.say(first), c.say(second)]
    if second != "+show" and c.rng.random() < 0.4:
        parts.reverse()
    kinds = (known[first], known[second])
    return _made(c, parts, "img", kinds, (kinds,) if second == "+show" else ())


def asked_and_summed(c: Composer) -> Row | None:
    first = c.rng.choice(["sum", "nerm", "trans"])
    kinds = ("document-question-answering", "document-to-text", ON_MATERIAL[first])
    parts = [c.say("docqa"), c.say(first, "doc")]
    return _made(c, parts, "doc", kinds, (kinds[1:],))


def heard_and_told(c: Composer) -> Row | None:
    kinds = ("automatic-speech-recognition", "text-to-speech")
    return _made(c, [c.say("asr"), c.say("+speak")], "aud", kinds)


def table_told(c: Composer) -> Row | None:
    op = c.rng.choice(["+show", "+speak", "+trans"])
    kinds = ("table-question-answering", FOLLOW_TEXT[op])
    return _made(c, [c.say("tabqa"), c.say(op)], "tab", kinds)


def new_text(c: Composer) -> Row | None:
    op = c.rng.choice(list(NEW_TEXT))
    material, kinds = NEW_TEXT[op]
    if op in ("qam", "writeaud") and c.rng.random() < 0.2:
        material, kinds = "vid", ("media-conversion", *kinds)
    return _made(c, [c.say(op)], material, kinds)


def guided(c: Composer) -> Row | None:
    control = c.rng.choice([*CONTROLS, "openpose", "canny"])
    if c.rng.random() < 0.3:
        control = c.rng.choice([*CONTROLS, "scribble", "scribble"])
        return _made(c, [c.say(f"s.{control}")], "img", (f"{control}-text-to-image",))
    kinds = (f"{control}-control", f"{control}-text-to-image")
    return _made(c, [c.say(f"g.{control}")], "img", kinds)


def _text_source(  # noqa: PLR0911 - one line each
    c: Composer,
) -> tuple[str | None, str, tuple[str, ...]]:
    rng = c.rng
    match rng.randrange(8):
        case 0 | 1:
            op = rng.choice(list(IMAGE_TO_TEXT))
            return c.say(op), "img", (IMAGE_TO_TEXT[op],)
        case 2:
            return c.say("asr"), "aud", READ["aud"]
        case 3:
            return c.say("docqa"), rng.choice(["doc", "page"]), ("document-question-answering",)
        case 4:
            material = rng.choice(["doc", "aud", "vid", "page"])
            return c.say("sum", material), material, (*READ[material], "summarization")
        case 5:
            op = rng.choice(["write", "write", "rewrite", "transq"])
            return c.say(op), "", (WORDS_ONLY[op],)
        case 6:
            op = rng.choice(list(NEW_TEXT))
            material, kinds = NEW_TEXT[op]
            return c.say(op), material, kinds
        case _:
            op = rng.choice(["tabqa", "asr", "vidcls", "audcls"])
            material, kind = OTHER_FILE[op]
            return c.say(op), material, (kind,)


def then_text(c: Composer) -> Row | None:
    text, material, kinds = _text_source(c)
    count = 2 if c.rng.random() < 0.25 else 1
    ops = c.rng.choices(["+trans", "+speak", *FOLLOW_TEXT], k=count)
    parts = [text, *(c.say(op, material or "q") for op in ops)]
    return _made(c, parts, material, (*kinds, *(FOLLOW_TEXT[op] for op in ops)))


def read_then(c: Composer) -> Row | None:
    material = c.rng.choice(["doc", "aud", "vid", "page"])
    first = c.rng.choice(["sum", "sum", "trans", "nerm", "sentm", "rewritem"])
    op = c.rng.choice(["+trans", "+speak", "+speak", "+sum", "+ner", "+sent", "+write"])
    kinds = (*READ[material], ON_MATERIAL[first], FOLLOW_TEXT[op])
    return _made(c, [c.say(first, material), c.say(op)], material, kinds)


def then_picture(c: Composer) -> Row | None:
    first = c.rng.choice([*IMAGE_TO_IMAGE, "t2i", "t2i"])
    second = c.rng.choice([*IMAGE_TO_IMAGE, "i2v", "caption", "detect", "ocr", "depth"])
    kind = WORDS_ONLY["t2i"] if first == "t2i" else IMAGE_OPS[first]
    then = c.say("+i2v") if second == "i2v" else c.say(second)
    return _made(
        c, [c.say(first), then], "" if first == "t2i" else "img", (kind, IMAGE_OPS[second])
    )


def both_pictures(c: Composer) -> Row | None:
    first, second = c.rng.sample(list(IMAGE_OPS), 2)
    kinds = (IMAGE_OPS[first], IMAGE_OPS[second])
    c.apart = True
    return _made(c, [c.say(first), c.say(second)], "img", kinds, ())


def guided_and(c: Composer) -> Row | None:
    control = c.rng.choice(CONTROLS)
    op = c.rng.choice(["caption", "depth", "detect", "convimg"])
    kinds = (f"{control}-control", f"{control}-text-to-image", IMAGE_OPS[op])
    return _made(c, [c.say(f"g.{control}"), c.say(op)], "img", kinds, (kinds[:2],))


def guided_told(c: Composer) -> Row | None:
    control = "openpose" if c.rng.random() < 0.5 else c.rng.choice(CONTROLS)
    kinds = (f"{control}-control", f"{control}-text-to-image", "image-to-text", "text-to-speech")
    edges = tuple(itertools.pairwise(kinds))
    return _made(c, [c.say(f"g.{control}"), c.say("caption"), c.say("+speak")], "img", kinds, edges)


def two_files(c: Composer) -> Row | None:
    choices = {
        "img": ["caption", "vqa", "detect", "ocr", "filter"],
        "aud": ["asr", "audcls", "a2a"],
        "tab": ["tabqa"],
        "doc": ["docqa"],
    }
    one, two = c.rng.sample(list(choices), 2)
    first, second = c.rng.choice(choices[one]), c.rng.choice(choices[two])
    known = {**IMAGE_OPS, **{op: kind for op, (_, kind) in OTHER_FILE.items()}}
    known["docqa"] = "document-question-answering"
    kinds = (known[first], known[second])
    return _made(c, [c.say(first), c.say(second)], f"{one}+{two}", kinds, ())


def two_of_one(c: Composer) -> Row | None:
    material, first, second = c.rng.choice(
        [
            ("aud", "asr", "audcls"),
            ("aud", "a2a", "asr"),
            ("aud", "a2a", "convaud"),
            ("aud", "convaud", "asr"),
            ("vid", "vidcls", "convvid"),
            ("tab", "tabqa", "tabreg"),
            ("tab", "tabqa", "tabcls"),
            ("aud", "asr", "a2a"),
        ]
    )
    kinds = (OTHER_FILE[first][1], OTHER_FILE[second][1])
    edges = (kinds,) if first in ("a2a", "convaud") else ()
    return _made(c, [c.say(first), c.say(second)], material, kinds, edges)


def film_seen_and_heard(c: Composer) -> Row | None:
    kinds = ("video-classification", *READ["vid"])
    return _made(c, [c.say("vidcls"), c.say("heardvid")], "vid", kinds, (READ["vid"],))


def made_of_words(c: Composer) -> Row | None:
    op = c.rng.choice(["write", "write", "transq", "rewrite"])
    after = c.rng.choice(
        [["+speak"], ["+t2i"], ["+speak", "+t2i"], ["+trans"], ["+trans", "+speak"]]
    )
    kinds = (WORDS_ONLY[op], *(FOLLOW_TEXT[a] for a in after))
    return _made(c, [c.say(op), *(c.say(a) for a in after)], "", kinds)


def picture_and_words(c: Composer) -> Row | None:
    """Two independent requests in one."""
    first = c.rng.choice(
        ["caption", "filter", "edit", "ocr", "convimg", "detect", "vqa", "segment"]
    )
    second = c.rng.choice(["speakq", "speakq", "transq", "t2i", "write", "rewrite", "sent"])
    parts = [c.say(first), c.say(second)]
    if c.rng.random() < 0.3:
        parts.reverse()
    c.apart = True
    return _made(c, parts, "img", (IMAGE_OPS[first], WORDS_ONLY[second]), ())


def alike(c: Composer) -> Row | None:
    said = c.say("alike")
    if said is None:
        return None
    files = ("image",) * c.rng.choice([2, 3])
    kinds = ("image-to-text", "sentence-similarity")
    sent = c.rng.random() < 0.75
    return Row(
        text=c.manner(said),
        language=c.language,
        files=files if sent else (),
        thread_files=() if sent else files,
        kinds=kinds,
        edges=(kinds,),
    )


def several(c: Composer) -> Row | None:
    """Files of one type that become one."""
    op, type_ = c.rng.choice(
        [("docmerge", "document"), ("docmerge", "document"), ("topdf", "image")]
    )
    files = (type_,) * c.rng.choice([2, 2, 3])
    sent = c.rng.random() < 0.8
    kinds = ("document-conversion",)
    said = c.manner(c.say(op) or "merge")
    return Row(
        text=said,
        language=c.language,
        files=files if sent else (),
        thread_files=() if sent else files,
        kinds=kinds,
    )


def on_pages(c: Composer) -> Row | None:
    op, kind = c.rng.choice(
        [("docconv", "document-conversion")] * 4 + [("d2t", "document-to-text")]
    )
    return _made(c, [c.say(op)], "doc", (kind,))


def table_changed(c: Composer) -> Row | None:
    """Of a table, or without one, so that it is asked for."""
    op, kind = c.rng.choice([("tabconv", "table-conversion"), ("chart", "table-to-chart")])
    return _made(c, [c.say(op)], c.rng.choice(["tab", "tab", "tab", ""]), (kind,))


def table_sorted_and_drawn(c: Composer) -> Row | None:
    kinds = ("table-conversion", "table-to-chart")
    return _made(c, [c.say("tabconv"), c.say("chart")], "tab", kinds, (kinds,))


def without_metadata(c: Composer) -> Row | None:
    return _made(
        c, [c.say("strip")], c.rng.choice(["img", "img", "aud", "vid"]), ("media-conversion",)
    )


_WORDS = ("any", "any", "word", "word")


def outside(c: Composer) -> Row | None:
    """A wish that no kind fulfils, about a file or whatever else is there."""
    material = c.rng.choice(
        ["doc", "doc", "doc", "img", "img", "aud", "vid", "tab", "tab", *_WORDS]
    )
    files = c.rng.choice(["", "", "", *TYPE]) if material in _WORDS else material
    return _made(c, [c.say(f"no.{material}")], files, (NONE,))


def outside_too(c: Composer) -> Row | None:
    """Such a wish beside one that a kind fulfils."""
    material, op, kind = c.rng.choice(_BESIDE)
    other = c.rng.choice([f"no.{material or 'any'}", "no.any", "no.word"])
    parts = [c.say(op), c.say(other)]
    if c.rng.random() < 0.3:
        parts.reverse()
    return _made(c, parts, material, (kind, NONE), ())


_BESIDE = (
    *(("img", op, kind) for op, kind in IMAGE_TO_TEXT.items()),
    *(("img", op, kind) for op, kind in IMAGE_TO_IMAGE.items()),
    *((material, op, kind) for op, (material, kind) in OTHER_FILE.items()),
    *(("doc", "docqa", "document-question-answering"),) * 3,
    *(("", op, kind) for op, kind in WORDS_ONLY.items()),
)

RECIPES: dict[Recipe, int] = {
    several: 7,
    on_pages: 15,
    table_changed: 18,
    table_sorted_and_drawn: 2,
    without_metadata: 3,
    outside: 60,
    outside_too: 14,
    plain_talk: 17,
    picture_and_words: 5,
    alike: 2,
    on_picture: 26,
    on_page: 8,
    on_other: 16,
    with_words: 26,
    on_material: 16,
    heard_in_film: 2,
    new_text: 7,
    guided: 9,
    then_text: 24,
    read_then: 10,
    then_picture: 8,
    both_pictures: 8,
    guided_and: 2,
    guided_told: 1,
    two_files: 4,
    two_of_one: 4,
    film_seen_and_heard: 1,
    made_of_words: 8,
    heard_then: 4,
    frame_then: 2,
    part_of_sound: 2,
    asked_and_changed: 7,
    asked_and_summed: 3,
    table_told: 2,
    heard_and_told: 2,
}


def compose(count: int, seed: int = 0) -> Iterator[Row]:
    """Yield up to `count` different requests in six languages."""
    rng = random.Random(seed)
    composers = {language: Composer(language, rng) for language in LANGUAGES}
    shares = [WEIGHT.get(language, 1) for language in LANGUAGES]
    recipes, weights = list(RECIPES), list(RECIPES.values())
    seen: set[tuple[str, tuple[str, ...]]] = set()
    tries = 0
    while len(seen) < count and tries < count * 6:
        tries += 1
        composer = composers[rng.choices(LANGUAGES, shares)[0]]
        row = rng.choices(recipes, weights)[0](composer)
        if row and row.text and (row.text, row.files) not in seen:
            seen.add((row.text, row.files))
            yield row
