"""Whether an answer says of a task that it was not done, in whatever words."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Iterable, Mapping, Sequence

from pipeline.domain import Failed, Media, Outcomes, Request, Task
from pipeline.response.vocabulary import FAILING, IN_THE_END, NOT_FAILING
from pipeline.words import title

_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_SHORTEST = 4
_SEVERAL = re.compile(
    r"\b(?:both|neither|none|nothing|all|each|any|two|three|four|\d|beide\w*|weder|alles?|nichts|keine\w*|tous|toutes|deux|aucun\w*|rien"
    r"|ni|ambos|ambas|todo|nada|ningun\w*|entramb\w+|nessun\w*)\b|都|全部|どちら|両方|すべて|いずれ",
    re.IGNORECASE,
)
"""That more than one thing did not work."""
_TYPES: Mapping[str, str] = {
    "image": r"\b(?:bild\w*|photo\w*|imagen|afbeelding\w*|foto\w*|plaatje|immagin\w+|imagem|изображен\w+|картин\w+|resim\w*|resm\w+|görüntü\w*)"
    r"|图|画像|写真|이미지|사진|그림",
    "audio": r"\b(?:aloud|recording|memo|vorles\w*|sprach\w*|ton\w*|voix|son|voz|spraak\w*|geluid\w*|voorle\w+|voce|suono|lettura|som|leitura|áudio"
    r"|звук\w*|аудио\w*|реч\w+|озвуч\w+|ses\w*)|语音|音声|朗读|음성|소리|오디오|낭독",
    "video": r"\b(?:film\w*|clip|animat\w*|animier\w*|anim(?:é|er)\w*|vídeo|видео\w*)|视频|動画|동영상|영상",
}
"""What people call what a task takes or makes."""
_SPEECH = r"\b(?:aloud|spoken|speech|voice|audio|recording|vorles\w*|vorgelesen|sprachausgabe|aufnahme|lecture|voix|enregistr\w*|lectura|voz|leer en voz)|朗读|语音|音声|読み上げ"
_FOUND = r"\b(?:count\w*|finding|detect\w*|locat\w*|objects?|zähl\w*|gezählt|erkenn\w*|objekt\w*|compt\w+|détect\w*|objets?|contar|contado|detec\w*|objetos?)|检测|检出|数|検出"
_DRAWN = r"\b(?:draw\w*|paint\w*|picture|image|zeichn\w*|gezeichnet|malen|gemalt|bild\w*|dessin\w*|image|dibuj\w*|imagen)|画|图"
_MOVED = rf"{_TYPES['video']}|\bvideo"
_KINDS: Mapping[str, str] = {
    "image-to-text": r"\b(?:descri\w+|caption\w*|beschr\w+|beschrieb\w*|décri\w+|beschre\w+|опис\w+)|描述|説明|설명",
    "optical-character-recognition": r"\b(?:read(?! (?:it )?aloud)|reading(?! aloud)|ocr|text|page|lesen|gelesen|seite|schild|lire|lu|page|leer|leído|texto)\b|读取|识别|読み取",
    "automatic-speech-recognition": r"\b(?:transcri\w*|transkri\w*|recording|memo|voicemail|abschrift|aufnahme|enregistrement|grabaci\w+)|转写|转录|录音|文字起こし|録音",
    "text-to-speech": _SPEECH,
    "translation": r"\b(?:translat\w*|übersetz\w*|tradu\w+|vertal\w+|перевод\w*|перевести|çevir\w*)|翻译|翻訳|번역",
    "summarization": r"\b(?:summar\w+|zusammen\w*fass\w*|résum\w+|resum\w+|samenvat\w+|riassun\w+|резюм\w+|özet\w*)|总结|摘要|要約|요약",
    "object-detection": _FOUND,
    "zero-shot-object-detection": _FOUND,
    "text-to-image": _DRAWN,
    "image-to-video": _MOVED,
    "text-to-video": _MOVED,
}
"""What people call doing a task of a kind."""


def admits(
    text: str, task: Task, request: Request, missing: Sequence[Task], outcomes: Outcomes
) -> bool:
    """Whether a text says of a task that it was not done. `missing`: all those that were not.

    Where several were not, words that fit more than one of them say it of none, unless the sentence speaks of several.
    """
    failing = [sentence for sentence in _SENTENCES.split(text) if _fails(sentence)]
    others = [one for one in missing if one.id != task.id]
    alike = [one for one in others if one.kind == task.kind]
    exact = [
        one
        for one in failing
        if _is_of(one, task, request) or _names_model(one, task, others, outcomes)
    ]
    if exact:
        return len(exact) > len(alike) or _speaks_of_all(exact, [task, *alike], request)
    shared = [one for one in others if _types(one) & _types(task)]
    about = [one for one in failing if _is_about(one, task, request)]
    return any(not shared or _SEVERAL.search(sentence) for sentence in about)


def _fails(sentence: str) -> bool:
    return bool(FAILING.search(NOT_FAILING.sub("", sentence))) and not IN_THE_END.search(sentence)


def _is_of(sentence: str, task: Task, request: Request) -> bool:
    """Whether a sentence speaks of doing just this."""
    known = _KINDS.get(task.kind.name)
    if known and re.search(known, sentence, re.IGNORECASE):
        return True
    titles = (title(request.person.locale, task.kind.name), title("en", task.kind.name))
    return any(one.casefold() in sentence.casefold() for one in titles)


def _is_about(sentence: str, task: Task, request: Request) -> bool:
    """Whether a sentence speaks of what a task takes or makes."""
    kinds = f"{title(request.person.locale, task.kind.name)} {task.kind.name.replace('-', ' ')}"
    words = {word for word in re.findall(r"\w+", kinds.casefold()) if len(word) > _SHORTEST}
    makes = {out.type.value for out in task.kind.makes} - {"text"}
    if any(word in sentence.casefold() for word in words | makes):
        return True
    patterns = (_TYPES[one] for one in _types(task) if one in _TYPES)
    return any(re.search(pattern, sentence, re.IGNORECASE) for pattern in patterns)


def _types(task: Task) -> frozenset[str]:
    types = {slot.type.value for slot in (*task.kind.makes, *task.kind.takes)}
    return frozenset(types - {"text"})


def _names_model(sentence: str, task: Task, others: Iterable[Task], outcomes: Outcomes) -> bool:
    """Whether a sentence names the model that failed, and it failed at nothing else."""
    name = _model(task, outcomes)
    if not name or any(_model(one, outcomes) == name for one in others):
        return False
    return name.rpartition("/")[2].casefold() in sentence.casefold()


def _model(task: Task, outcomes: Outcomes) -> str:
    outcome = outcomes.get(task.id)
    return str(outcome.reason.args.get("model", "")) if isinstance(outcome, Failed) else ""


def _speaks_of_all(sentences: Sequence[str], tasks: Sequence[Task], request: Request) -> bool:
    """Whether sentences speak of several, or name the file of each."""
    if any(map(_SEVERAL.search, sentences)):
        return True
    names = {file.attachment.hash: file.name for file in (*request.context.files, *request.files)}
    files = [
        names.get(arg.attachment.hash, arg.attachment.name)
        for task in tasks
        for args in task.args.values()
        for arg in args
        if isinstance(arg, Media)
    ]
    told = " ".join(sentences).casefold()
    return len(files) >= len(tasks) and all(name.casefold() in told for name in files)
