"""What is to be done to a file, read out of an instruction in several languages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Op(StrEnum):
    """One thing that can be done to a file; its figures are those of the wish."""

    RESIZE = "resize"
    SCALE = "scale"
    CROP = "crop"
    ASPECT = "crop to a shape"
    ROTATE = "rotate"
    FLIP = "flip"
    KEEP = "cut"
    KEEP_END = "cut from the end"
    DROP = "cut off"
    SPEED = "change speed"
    TYPE = "convert"
    POSTER = "take a still"
    SOUND = "take the sound"
    MUTE = "mute"
    SMALLER = "compress"
    VOLUME = "change volume"


@dataclass(frozen=True, slots=True)
class Wish:
    """An operation with its figures (pixels, degrees clockwise, seconds, factors), or the ending of a file type."""

    op: Op
    figures: tuple[float, ...] = ()
    ending: str = ""


_NUMBERS: Mapping[str, int] = {
    word: number
    for number, words in {
        1: "one a ein eine une un", 2: "two zwei deux dos", 3: "three drei trois tres", 4: "four vier quatre cuatro",
        5: "five fünf cinq cinco", 6: "six sechs seis", 7: "seven sieben sept siete", 8: "eight acht huit ocho",
        9: "nine neun neuf nueve", 10: "ten zehn dix diez", 12: "twelve zwölf", 15: "fifteen fünfzehn quinze quince",
        20: "twenty zwanzig vingt veinte", 30: "thirty dreißig trente treinta", 45: "forty-five", 60: "sixty sechzig",
    }.items()
    for word in words.split()
}  # fmt: skip
_N = r"(\d+(?:[.,]\d+)?|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"
_TIME = r"(\d+:\d{1,2}(?::\d{1,2})?(?:\.\d+)?|\d+(?:[.,]\d+)?)"
_S = r"\s*(?:s\b|secs?\b|seconds?|sekunden?|secondes?|segundos?|秒)"
_MIN = r"\s*(?:min\b|minutes?|minuten?|minutos?|分)"
_PX = r"\s*(?:px|pixels?|pixel|píxeles|像素|ピクセル)?"
_X = r"\s*(?:[x×*]|by|mal|par|por)\s*"
_REMOVES = re.compile(
    r"\b(?:remove|cut off|skip|drop|delete|without|entfern\w*|weg|supprim\w*|enlev\w*|quita\w*|elimina\w*)\b|去掉|删除|削除"
)
_AND = re.compile(r"\b(?:and|then|und|dann|et|puis|y|luego)\b|[,;，、]|然后|并|再|そして")
_SHAPE = re.compile(
    r"crop|aspect|ratio|format|shape|zuschneid|beschneid|seitenverh|recadr|rogne|recort|裁|比例|トリミング"
)
_ENDINGS = "mp3|wav|ogg|opus|flac|m4a|aac|mp4|webm|mkv|mov|avi|gif|png|jpe?g|webp|bmp|tiff?"
_FIRST = r"first|erste\w*|premi[eè]re?s?|primer[oa]?s?|开头|前|最初の?"
_LAST = r"last|letzte\w*|derni[eè]re?s?|últim[oa]s?|最后|最後の?"


def wishes(instruction: str) -> list[Wish]:
    """What an instruction asks for, in the order in which it is best done; empty when nothing is understood."""
    said = " ".join(instruction.casefold().split())
    forms = [wish for clause in _AND.split(said) for wish in (*_turns(clause), *_shapes(clause))]
    return [*_cuts(said), *forms, *_rest(said), *_types(said)]


def _number(text: str) -> float:
    return float(_NUMBERS.get(text, 0) or text.replace(",", "."))


def _seconds(text: str) -> float:
    """10, 1:30 or 1:02:03 in seconds."""
    total = 0.0
    for part in text.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return total


def _cuts(said: str) -> Sequence[Wish]:
    for unit, factor in ((_S, 1), (_MIN, 60)):
        if hit := re.search(rf"(?:{_FIRST})\s*{_N}?{unit}", said):
            length = _number(hit.group(1) or "1") * factor
            return [
                Wish(Op.DROP, (length,)) if _REMOVES.search(said) else Wish(Op.KEEP, (0, length))
            ]
        if hit := re.search(rf"(?:{_LAST})\s*{_N}?{unit}", said):
            return [Wish(Op.KEEP_END, (_number(hit.group(1) or "1") * factor,))]
    span = rf"(?:from|between|von|de|desde|entre|从)?\s*{_TIME}(?:{_S})?\s*(?:to|until|till|and|bis|à|a|hasta|[-–—]|到)\s*{_TIME}"
    asks = re.search(
        r"cut|trim|clip|keep|extract|schneid|kürz|coupe|découp|garde|cort|recort|剪|截|切", said
    )
    if asks and (hit := re.search(span, said)) and _seconds(hit.group(2)) > _seconds(hit.group(1)):
        return [Wish(Op.KEEP, (_seconds(hit.group(1)), _seconds(hit.group(2))))]
    if hit := re.search(rf"(?:trim|shorten|kürz\w*|cut)\D{{0,20}}?{_N}{_S}", said):
        return [Wish(Op.KEEP, (0, _number(hit.group(1))))]
    return []


def _shapes(said: str) -> Sequence[Wish]:
    crops = re.search(r"crop|zuschneid|beschneid|recadr|rogne|recort|裁|トリミング", said)
    if hit := re.search(rf"(\d{{2,5}}){_PX}{_X}(\d{{2,5}}){_PX}", said):
        return [Wish(Op.CROP if crops else Op.RESIZE, (float(hit.group(1)), float(hit.group(2))))]
    if (hit := re.search(r"\b(\d{1,2})\s*:\s*(\d{1,2})\b", said)) and _SHAPE.search(said):
        return [Wish(Op.ASPECT, (float(hit.group(1)), float(hit.group(2))))]
    if crops and re.search(r"square|quadrat|carré|cuadrad|正方形|方形", said):
        return [Wish(Op.ASPECT, (1, 1))]
    if hit := re.search(
        r"(\d{2,5})\s*(?:px|pixels?|pixel|píxeles|像素|ピクセル)(?:\s*(high|tall|hoch|haut|alto|高))?",
        said,
    ):
        side = float(hit.group(1))
        return [Wish(Op.RESIZE, (0, side) if hit.group(2) else (side, 0))]
    return _shares(said)


def _shares(said: str) -> Sequence[Wish]:
    if hit := re.search(r"(\d{1,3})\s*(?:%|percent|prozent|pour cent|por ciento)", said):
        return [Wish(Op.SCALE, (float(hit.group(1)) / 100,))]
    if re.search(
        r"half (?:the|its|as|of)? ?(?:size|big|large)|halve|halb so groß|moitié|mitad|一半|半分",
        said,
    ):
        return [Wish(Op.SCALE, (0.5,))]
    return []


def _turns(said: str) -> Sequence[Wish]:
    found = []
    if re.search(
        r"rotat|turn (?:it|the|this)?\s*(?:\w+\s){0,2}?(?:left|right|around|upside|\d)|dreh|pivot|gira|rota|tourne|旋转|回転",
        said,
    ):
        hit = re.search(r"(\d{1,3})\s*(?:°|deg|grad|度)?", said)
        angle = (
            float(hit.group(1))
            if hit
            else 180.0
            if re.search(r"around|upside|kopf", said)
            else 90.0
        )
        left = re.search(
            r"left|counter|anti-?clockwise|links|gegen|gauche|izquierda|左|逆时针", said
        )
        found.append(Wish(Op.ROTATE, ((-angle if left else angle) % 360,)))
    if re.search(r"\bflip|mirror|spiegel|miroir|retourn|volte|espej|翻转|镜像|反転|左右", said):
        upright = re.search(r"vertical|upside|vertikal|上下|垂直", said)
        found.append(Wish(Op.FLIP, (1.0 if upright else 0.0,)))
    return found


def _rest(said: str) -> Sequence[Wish]:
    found = []
    if factor := _speed(said):
        found.append(Wish(Op.SPEED, (factor,)))
    if re.search(
        r"mute|(?:remove|without|no|strip) (?:the )?(?:sound|audio)|stumm|ohne ton|sans (?:le )?son|sin (?:sonido|audio)|静音|消音",
        said,
    ):
        found.append(Wish(Op.MUTE))
    elif re.search(
        r"extract (?:the )?(?:audio|sound)|only the (?:audio|sound)|soundtrack|audio track|just the (?:audio|sound)|tonspur|nur (?:den|der) ton|piste audio|le son|el (?:audio|sonido)|提取音频|音声を?抽出",
        said,
    ):
        found.append(Wish(Op.SOUND))
    if re.search(
        r"poster|thumbnail|\bstill\b|\bframe\b|screenshot|standbild|vorschaubild|image fixe|miniatur\w*|fotograma|截图|封面|サムネイル|静止画",
        said,
    ):
        hit = re.search(rf"(?:at|after|bei|nach|à|en|在)\s*(?:second\s*)?{_TIME}", said)
        found.append(Wish(Op.POSTER, (_seconds(hit.group(1)) if hit else 0.0,)))
    if re.search(
        r"compress|smaller file|reduce (?:the )?(?:file )?size|make it smaller|komprimier|kleinere? datei|compresse|comprim|压缩|圧縮",
        said,
    ):
        found.append(Wish(Op.SMALLER))
    if re.search(r"louder|lauter|plus fort|más alto|更大声|音量を上", said):
        found.append(Wish(Op.VOLUME, (2.0,)))
    if re.search(r"quieter|softer volume|leiser|moins fort|más bajo|小声|音量を下", said):
        found.append(Wish(Op.VOLUME, (0.5,)))
    return found


def _speed(said: str) -> float:
    """The factor of a wish for another speed; 0 for none."""
    if hit := re.search(
        rf"{_N}\s*(?:x|×|times)\s*(?:faster|speed|as fast|quicker|schneller|plus vite|más rápido|速)",
        said,
    ):
        return _number(hit.group(1))
    if hit := re.search(rf"{_N}\s*(?:x|×|times)\s*(?:slower|langsamer|plus lent|más lento)", said):
        return 1 / max(_number(hit.group(1)), 0.1)
    if re.search(
        r"half (?:the )?speed|slow[ -]?mo|slow(?:er| down| it)|langsamer|zeitlupe|ralenti|plus lent|más lento|cámara lenta|慢放|慢动作|スロー",
        said,
    ):
        return 0.5
    if re.search(
        r"twice as fast|double (?:the )?speed|speed (?:it )?up|faster|schneller|accélér|plus vite|más rápido|aceler|加速|倍速",
        said,
    ):
        return 2.0
    return 0.0


def _types(said: str) -> Sequence[Wish]:
    """The last type that is named after a word like "to", else the only one."""
    named = re.findall(
        rf"(?:\b(?:to|into|as|in|als|nach|zu|en|au format|a|como)\b|成|为|に)\s*(?:an?\s+|ein\w*\s+|un\w?\s+)?\.?({_ENDINGS})(?![a-z0-9])",
        said,
    )
    bare = re.findall(rf"(?<![a-z0-9])({_ENDINGS})(?![a-z0-9])", said)
    chosen = named[-1] if named else bare[0] if len(set(bare)) == 1 else ""
    usual = {"jpg": "jpeg", "tif": "tiff"}
    return [Wish(Op.TYPE, (), usual.get(chosen, chosen))] if chosen else []
