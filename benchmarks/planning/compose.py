"""Composes everyday requests for training from the phrases in `phrases/`.

What people say stands in four files of each language, `<language>.txt` and its `.more`, `.wide` and
`.files`, in lines like `+sum = and sum it up | then a summary`: an operation and its phrases. The
lines of an operation in several files count together. `{img}`, `{doc}` and others stand for words
of the lines of that name, `{q}` for a quoted text, `{m}` for the file that a text is read from.

The tables say which kinds an operation needs; one of them holds each operation, by what it is about:
a picture (`IMAGE_…`), another file, a text in the request (`WORDS_ONLY`), the text of a file
(`ON_MATERIAL`; its names end in `m` where another table has the operation, too), or the result of an
earlier operation (`FOLLOW_TEXT`, names that begin with `+`). A kind that works on texts is usually in
the last three: `sent`, `sentm`, `+sent`. `recipes.py` combines them to requests.
"""

# ruff: noqa: RUF001, SIM905 - words of many scripts; nothing here is secret

import random
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "phrases"
WEIGHT = {"en": 11, "de": 3, "es": 3, "fr": 3, "zh": 3, "ja": 3}

READ = {
    "doc": ("document-to-text",),
    "aud": ("automatic-speech-recognition",),
    "vid": ("media-conversion", "automatic-speech-recognition"),
    "page": ("optical-character-recognition",),
}
"""The kinds that turn a file into text."""
TYPE = {
    "img": "image",
    "aud": "audio",
    "vid": "video",
    "doc": "document",
    "tab": "table",
    "page": "image",
}
"""The type of each sort of file."""

IMAGE_TO_TEXT = {
    "caption": "image-to-text",
    "vqa": "visual-question-answering",
    "ocr": "optical-character-recognition",
    "imgcls": "image-classification",
    "zsimg": "zero-shot-image-classification",
}
IMAGE_TO_IMAGE = {
    "segment": "image-segmentation",
    "filter": "image-to-image",
    "edit": "image-text-to-image",
    "convimg": "media-conversion",
}
IMAGE_ONLY = {
    "detect": "object-detection",
    "zsdet": "zero-shot-object-detection",
    "masks": "mask-generation",
    "depth": "depth-estimation",
    "i2v": "image-to-video",
    **{
        f"c.{n}": f"{n}-control"
        for n in "canny hed mlsd normal openpose depth seg scribble".split()
    },
}
OTHER_FILE = {
    "convaud": ("aud", "media-conversion"),
    "convvid": ("vid", "media-conversion"),
    "audcls": ("aud", "audio-classification"),
    "a2a": ("aud", "audio-to-audio"),
    "vidcls": ("vid", "video-classification"),
    "tabqa": ("tab", "table-question-answering"),
    "tabcls": ("tab", "tabular-classification"),
    "tabreg": ("tab", "tabular-regression"),
    "asr": ("aud", "automatic-speech-recognition"),
    "d2t": ("doc", "document-to-text"),
    "docconv": ("doc", "document-conversion"),
    "tabconv": ("tab", "table-conversion"),
    "chart": ("tab", "table-to-chart"),
    "frames": ("vid", "media-conversion"),
    "framesimg": ("img", "media-conversion"),
}
WORDS_ONLY = {
    "t2i": "text-to-image",
    "t2v": "text-to-video",
    "write": "text-generation",
    "rewrite": "text2text-generation",
    "rewritef": "text2text-generation",
    "transq": "translation",
    "transf": "translation",
    "speakq": "text-to-speech",
    "speakf": "text-to-speech",
    "sent": "text-classification",
    "ner": "token-classification",
    "qa": "question-answering",
    "converse": "conversational",
    "fill": "fill-mask",
    "simil": "sentence-similarity",
    "embed": "feature-extraction",
    "zstext": "zero-shot-classification",
}
FOLLOW_TEXT = {
    "+trans": "translation",
    "+speak": "text-to-speech",
    "+sum": "summarization",
    "+sent": "text-classification",
    "+ner": "token-classification",
    "+write": "text-generation",
    "+t2i": "text-to-image",
    "+rewrite": "text2text-generation",
    "+qa": "question-answering",
    "+t2v": "text-to-video",
    "+show": "text-to-speech",
}
ON_MATERIAL = {
    "sum": "summarization",
    "trans": "translation",
    "speakm": "text-to-speech",
    "sentm": "text-classification",
    "nerm": "token-classification",
    "rewritem": "text2text-generation",
    "drawm": "text-to-image",
}

SENTENCES = {
    "en": "the meeting moved to tuesday | I never want to stay here again | see you at the station at six | our "
    "new shop opens in May | the soup was cold but the waiter was kind | please send the documents by friday | "
    "Anna met Peter in Rome for Siemens | thank you for your order | The river flooded the town in 1954 and "
    "the old bridge was lost | i is very happy to met you | the results were better than expected | keep calm",
    "de": "das treffen ist am dienstag | nie wieder dieses hotel | bis um sechs am bahnhof | Anna traf Peter in "
    "Bonn | vielen dank für ihre bestellung | die suppe war kalt | Der Fluss trat 1954 über die Ufer",
    "es": "la reunión es el martes | no vuelvo nunca | nos vemos a las seis | Ana vio a Pedro en Roma | gracias "
    "por su pedido | la sopa estaba fría | El río se desbordó en 1954",
    "fr": "la réunion est mardi | plus jamais cet hôtel | on se voit à six heures | Anne a vu Pierre à Rome | "
    "merci pour votre commande | la soupe était froide | La rivière a débordé en 1954",
    "zh": "会议改到星期二 | 再也不来了 | 六点车站见 | 安娜在罗马见到了彼得 | 感谢您的订单 | 汤是凉的 | 河水在1954年泛滥",
    "ja": "会議は火曜日です | もう二度と泊まりません | 六時に駅で | アンナはローマでピーターに会った | ご注文ありがとう | スープが冷めていた",
}
_FOLLOWS = re.compile(
    r"then|dann|danach|luego|después|puis|ensuite|然后|再|并|して|次に|それから|そして"
)


@dataclass(frozen=True, slots=True)
class Row:
    """A request and the kinds it needs."""

    text: str
    language: str
    files: tuple[str, ...]
    thread_files: tuple[str, ...]
    kinds: tuple[str, ...]
    edges: tuple[tuple[str, str], ...] = ()


def phrases(language: str) -> dict[str, list[str]]:
    """The phrases of a language, by operation or slot."""
    found: dict[str, list[str]] = {}
    for file in sorted(FOLDER.glob(f"{language}.*txt")):
        for line in file.read_text("utf-8").splitlines():
            name, _, rest = line.partition(" = ")
            if rest and not line.startswith("#"):
                found.setdefault(name.strip(), []).extend(filter(None, rest.split(" | ")))
    return found


class Composer:
    """Composes requests in one language."""

    def __init__(self, language: str, rng: random.Random) -> None:
        self.language, self.rng = language, rng
        self.book = phrases(language)
        self.sentences = [s.strip() for s in SENTENCES[language].split("|")]
        self.spaced = language not in ("zh", "ja")
        self.apart = False

    def fill(self, phrase: str, *, material: str = "") -> str:
        def word(match: re.Match[str]) -> str:
            name = match[1]
            if name == "m":
                name = material
            if name in ("q", "q2"):
                return self.quote()
            choices = self.book.get("{" + name + "}") or self.book.get(name) or ["this"]
            return self.fill(self.rng.choice(choices), material=material)

        return re.sub(r"\{(\w+)\}", word, phrase)

    def quote(self) -> str:
        text = self.rng.choice(self.sentences)
        if self.rng.random() < 0.2:
            text = " ".join(self.rng.sample(self.sentences, 3))
        marks = {"zh": "“”", "ja": "「」", "de": "„“", "fr": "«»"}.get(self.language, '""')
        if self.rng.random() < 0.6:
            marks = '""'
        return f"{marks[0]}{text}{marks[1]}" if self.rng.random() < 0.75 else text

    def row(self, text: str, material: str, kinds: tuple[str, ...], **more: object) -> Row:
        files = tuple(TYPE[m] for m in material.split("+") if m)
        old: tuple[str, ...] = ()
        if files and self.rng.random() < 0.25:
            files, old = (), files
        elif not files and self.rng.random() < 0.15:
            old = (self.rng.choice(["image", "audio", "document", "video", "table"]),)
        elif files and self.rng.random() < 0.08:
            old = (self.rng.choice(["image", "audio", "document"]),)
        if len(files) == 1 and self.rng.random() < 0.08:
            files *= self.rng.choice([2, 3])
        return Row(
            text=self.manner(text),
            language=self.language,
            files=files,
            thread_files=old,
            kinds=kinds,
            edges=more.get("edges", ()),
        )  # type: ignore[arg-type]

    def manner(self, text: str) -> str:
        rng = self.rng
        polite = {
            "en": "please {} | {} please | can you {} | {} pls | hey, {} | {} thx | could you {}? | i want you to {} | {} asap | ok {} | {}!! | hi! {} | now {} | {} 🙏",
            "de": "bitte {} | {} bitte | kannst du {} | hey, {} | {} danke | mal {} | {} 🙏 | jetzt {}",
            "es": "por favor {} | {} por favor | puedes {}? | {} porfa | oye, {} | {} gracias | ahora {}",
            "fr": "{} stp | {} s'il te plaît | tu peux {} ? | salut, {} | {} merci | maintenant {}",
            "zh": "请{} | 帮我{} | {}，谢谢 | 麻烦{} | {}吧 | 能不能{}",
            "ja": "{}お願いします | {}ください | すみません、{} | {}。 | ねえ、{}",
        }.get(self.language, "{}! | {} 🙏")
        if rng.random() < 0.25:
            text = rng.choice(polite.split(" | ")).replace("{}", text)
        if rng.random() < 0.12 and (before := self.book.get("before")):
            glue = rng.choice([". ", ", ", " - ", "... ", "! "])
            around = rng.choice(before)
            text = f"{around}{glue}{text}" if rng.random() < 0.6 else f"{text}{glue}{around}"
        if rng.random() < 0.1:
            text = text[:1].upper() + text[1:]
        if rng.random() < 0.1 and self.spaced and text.count(" ") > 4:
            words = text.split(" ")
            del words[rng.randrange(len(words))]
            text = " ".join(words)
        if rng.random() < 0.15:
            text = text.rstrip("?？.")
        if rng.random() < 0.06 and self.spaced and len(text) > 12:
            at = rng.randrange(1, len(text) - 2)
            text = text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]
        return text

    def join(self, *parts: str) -> str:
        out = parts[0]
        for part in parts[1:]:
            glue = self._glue()
            own = re.match(
                r"(and|then|plus|und|dann|y|et|puis|再|然后)(\b|(?=[^\w]))|[再然并]",
                part,
            )
            if own:
                glue = self.rng.choice(["", ","])
            out = out.rstrip("?？") + (
                glue if glue[:1] in ",.，、。;して" or not self.spaced else f" {glue}"
            )
            out += (" " if self.spaced and not out.endswith(" ") else "") + part
        return out

    def _glue(self) -> str:
        """A word that joins two requests; for independent ones, none that means "then"."""
        choices = self.book.get("and", ["and"])
        apart = [glue for glue in choices if not _FOLLOWS.search(glue)]
        glue = self.rng.choice(apart if self.apart and apart else choices)
        self.apart = False
        return glue

    def say(self, op: str, material: str = "") -> str | None:
        choices = self.book.get(op)
        return self.fill(self.rng.choice(choices), material=material) if choices else None
