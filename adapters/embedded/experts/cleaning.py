"""Sounds cleaned and changed: steady noise and hum, the voice in stereo music, loudness, pitch; found by the words of an instruction."""

import io
import re
import wave
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from adapters.embedded.experts import cutting
from adapters.embedded.experts.finding import Args, Finding, file, words
from adapters.embedded.experts.noise import Samples, without_hum, without_noise
from adapters.embedded.experts.stereo import is_stereo, without_middle
from pipeline.domain import Blob, Sentence, Type
from pipeline.errors import BadInput, ExpertRefused

_LONGEST = 600
_CLEAN = 20.0
"""Decibels between speech and noise from which on taking the noise out does more harm than good (docs/tasks.md)."""
_FULL = 32767.0
_SEMITONES = 4


class Change(StrEnum):
    """What can be done to a sound."""

    NOISE = "noise"
    HUM = "hum"
    VOICE = "voice"
    LOUDNESS = "loudness"
    LOWER = "lower"
    HIGHER = "higher"
    UNABLE = "unable"


# fmt: off
_WORDS: tuple[tuple[Change, str], ...] = (
    (Change.UNABLE, r"separat\w* (?:the )?(?:voices|speakers)|each (?:voice|speaker)|only the (?:voice|vocals?|singing|singer|speaker)|just the (?:voice|vocals?|singing|singer)|isolat\w* (?:the )?(?:voice|vocals?|singer)|acapella|a cappella|stimmen trennen|trenn\w* (?:die )?(?:stimmen|sprecher)|nur (?:die stimme|den gesang|der gesang)|sépar\w* (?:les )?voix|(?:seulement|juste|que) la voix|separa\w* (?:las )?voces|s[oó]lo la voz|分离人声|分开说话人|只要人声|话者分離|話者分離|声だけ|ボーカルだけ|echo|reverb|\bhall\b|nachhall|écho|réverb|\beco\b|reverberaci|回声|混响|残響|エコー|stems?\b|drums|schlagzeug|batterie|batería|鼓|ドラム"),
    (Change.VOICE, r"karaoke|karaoké|instrumental|(?:remove|without|no|strip|take out|mute|cut|get rid of)(?: out)? (?:the )?(?:voices?|vocals?|singing|singer|lyrics)|(?:voices?|vocals?|singer|singing) (?:out|removed|away|off)|(?:only|just) the music|backing track|nur (?:die )?musik|ohne (?:den |die )?(?:gesang|stimme|sänger\w*)|(?:gesang|stimme|sänger\w*)\b.*\b(?:weg|raus|entfern\w*|rausnehmen)|(?:entfern\w*|lösch\w*) (?:den |die )?(?:gesang|stimme)|s[oó]lo la música|sin (?:la )?(?:voz|voces|canto)|(?:quit\w*|elimin\w*) (?:la )?(?:voz|voces)|(?:seulement|juste|que) la musique|sans (?:la |le |les )?(?:voix|chant|paroles)|(?:enl[eè]v\w*|supprim\w*|retir\w*) (?:la |le |les )?(?:voix|chant)|伴奏|(?:去|消|除)(?:掉|除)?人声|只要音乐|カラオケ|(?:ボーカル|歌声|歌|声)(?:を|なし)?(?:消|除|抜|なし|取)"),
    (Change.LOWER, r"(?:deep|low)er (?:voice|pitch)|(?:voice|pitch)\w* .{0,12}(?:deep|low)er|monster|like a man|(?:tiefere?|dunklere?) stimme|stimme .{0,12}(?:tiefer|dunkler)|voz más (?:grave|profunda)|voix (?:plus )?grave|(?:声音|嗓音|音调)?(?:变|更)?低沉|降调|声を?低|低い声"),
    (Change.HIGHER, r"high(?:er)?(?:-pitched)? (?:voice|pitch)|(?:voice|pitch)\w* .{0,12}higher|chipmunk|like a (?:woman|child|girl)|(?:höhere|hellere) stimme|stimme .{0,12}(?:höher|heller)|voz más aguda|voix (?:plus )?aigu|升调|声音?(?:变|更)?尖|声を?高|高い声"),
    (Change.HUM, r"\bhum\b|humming|\bbuzz|mains|brumm|netzton|zumbido|bourdonn|ronfl|嗡|电流声|ハム|ブーン"),
    (Change.NOISE, r"nois[ey]|\bhiss|static|crackle|clean|clear(?:er|ly)?\b|enhanc|background|rausch|geräusch|störger|säuber|reinig|verständlich|deutlich|ruido|limpi|más clar|bruit|souffle|nettoy|plus clair|噪|杂音|清晰|干净|ノイズ|雑音|騒音|聞きやすく|きれい"),
    (Change.LOUDNESS, r"loud|volume|normali[sz]|(?<!er)laut|plus fort|volumen|más alto|音量|响|大声|もっと大きく"),
)
# fmt: on


def clean(args: Args, _language: str) -> Finding:
    """The sound after all that was asked for; without a word its noise is taken out. Raises BadInput, ExpertRefused."""
    blob = file(args, "audio", Type.AUDIO)
    asked = changes(words(args, "text"))
    if not asked or Change.UNABLE in asked:
        raise ExpertRefused("embedded-no-cleaning")
    sound, rate = _samples(cutting.sounding(blob, "wav"))
    notes: list[Sentence] = []
    for change in asked:
        if change in _ON_SAMPLES:
            sound, told = _ON_SAMPLES[change](sound, rate)
            notes.append(told)
    filters = [_FILTERS[change](rate) for change in asked if change in _FILTERS]
    notes += [Sentence(f"embedded-sound-{change}") for change in asked if change in _FILTERS]
    plain = Blob(_wav(sound, rate), "audio/wav", blob.name, blob.alt)
    ending = cutting.sound_ending(blob)
    made = cutting.sounding(plain, ending, *filters) if filters or ending != "wav" else plain
    return Finding({"audio": made}, tuple(notes))


def changes(instruction: str) -> Sequence[Change]:
    """What an instruction asks for, in the order in which it is best done."""
    said = " ".join(instruction.casefold().split())
    if not said:
        return (Change.NOISE,)
    found = [change for change, pattern in _WORDS if re.search(pattern, said)]
    return [change for change in found if change is not Change.HUM or Change.NOISE not in found]


def _quieter(sound: Samples, rate: int) -> tuple[Samples, Sentence]:
    """Hum first, where there is any: it is no noise to be learnt."""
    still, base = without_hum(sound, rate)
    made, above = without_noise(still, rate)
    if above < _CLEAN:
        return made, Sentence("embedded-sound-noise", {"decibels": round(above)})
    if base:
        return still, Sentence("embedded-sound-hum", {"hertz": round(base)})
    raise ExpertRefused("embedded-no-noise")


def _without_hum(sound: Samples, rate: int) -> tuple[Samples, Sentence]:
    made, base = without_hum(sound, rate)
    if base:
        return made, Sentence("embedded-sound-hum", {"hertz": round(base)})
    return _quieter(sound, rate)


def _without_voice(sound: Samples, rate: int) -> tuple[Samples, Sentence]:
    if not is_stereo(sound):
        raise ExpertRefused("embedded-not-stereo")
    return without_middle(sound, rate), Sentence("embedded-sound-voice")


def _shifted(semitones: int) -> Callable[[int], str]:
    """By playing faster or slower, then bringing the length back."""

    def described(rate: int) -> str:
        factor = 2 ** (semitones / 12)
        return f"asetrate={round(rate * factor)},aresample={rate},atempo={1 / factor:.6f}"

    return described


_ON_SAMPLES: Mapping[Change, Callable[[Samples, int], tuple[Samples, Sentence]]] = {
    Change.NOISE: _quieter,
    Change.HUM: _without_hum,
    Change.VOICE: _without_voice,
}
_FILTERS: Mapping[Change, Callable[[int], str]] = {
    Change.LOWER: _shifted(-_SEMITONES),
    Change.HIGHER: _shifted(_SEMITONES),
    Change.LOUDNESS: lambda rate: f"loudnorm=I=-16:TP=-1.5:LRA=11,aresample={rate}",
}


def _samples(blob: Blob) -> tuple[Samples, int]:
    """A row of floats for each of at most two channels."""
    import numpy as np

    with wave.open(io.BytesIO(blob.data)) as opened:
        rate, channels, length = opened.getframerate(), opened.getnchannels(), opened.getnframes()
        if length > _LONGEST * rate:
            raise BadInput("embedded-too-long")
        data = opened.readframes(length)
    points: Any = np.frombuffer(data, "<i2").reshape(-1, channels).T[:2]
    if not points.size:
        raise BadInput("embedded-sound-unreadable")
    return points.astype(np.float32) / _FULL, rate


def _wav(sound: Samples, rate: int) -> bytes:
    import numpy as np

    sheet = io.BytesIO()
    with wave.open(sheet, "wb") as out:
        out.setnchannels(sound.shape[0])
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes((np.clip(sound.T, -1, 1) * _FULL).astype("<i2").tobytes())
    return sheet.getvalue()
