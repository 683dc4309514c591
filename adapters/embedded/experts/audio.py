"""Speaks with eSpeak NG (GPL, in workers only), writes down speech, and changes sounds.

PocketSphinx writes down speech; ffmpeg's filters change sounds: less noise or hum, music without
its voice, volume, pitch.
"""

import ctypes
import io
import wave
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale

from adapters.embedded.experts.task_io import (
    ExpertInput,
    WorkerResult,
    get_file,
    get_text,
    require_text,
)
from adapters.embedded.languages import rank_languages
from adapters.embedded.lexicon import phrases
from adapters.media.editing import choose_sound_ending, run_ffmpeg
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertGarbled, ExpertRefused
from pipeline.text.languages import find_language
from pipeline.words import language_of

_SYNCHRONOUS, _CHARACTERS, _UTF8 = 2, 1, 1
_MOST = 12_000  # characters: some twelve minutes
_LONG = 1_500_000  # bytes of WAV, some 35 seconds: what is longer becomes an MP3
_VOICES = {"en": "en-us", "fr": "fr-fr", "zh": "cmn", "no": "nb", "iw": "he", "in": "id"}
"""The codes of eSpeak's usual voices where they differ from the language's."""
_LEAST_CERTAINTY = 0.3
RATE = 16000
"""Samples a second of what is listened to."""
_LONGEST = 3_600 * RATE
_CHUNK, _SLACK = 30, 10  # seconds: a chunk ends at the quietest moment of the last ten
_FEWEST_FRAMES = 5  # of 30 ms
_USUAL_VOICE = "en-us"
_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


def speak(args: ExpertInput, language: str) -> WorkerResult:
    """A text read aloud in the language asked for, else in the one it is written in."""
    text = require_text(args, "text").replace("**", "")  # emphasis of an answer
    voice = _choose_voice(get_text(args, "language"), text)
    spoken = text[:_MOST]
    notes = []
    if voice:
        named = _name_voice(voice, language)
        notes.append(LocalizedText("embedded-spoken", {"language": named}))
    if len(text) > _MOST:
        notes.append(LocalizedText("embedded-spoken-cut", {"characters": str(_MOST)}))
    blob = Blob(_synthesize(spoken, voice or _USUAL_VOICE), "audio/wav", "", alt=spoken[:200])
    if len(blob.data) > _LONG:
        blob = run_ffmpeg(blob, (), "mp3")
    return WorkerResult(slots={"audio": blob}, notes=tuple(notes))


def detect_language(text: str) -> str:
    """The two-letter code of a text's language; "" where it cannot be told.

    Of the languages with two letters that there are voices for: few, so seldom confused.
    """
    voiced = {code.partition("-")[0] for code in _voices()} | set(_VOICES)
    known = (code for code in voiced if len(code) == len("xx"))
    language, certainty = rank_languages(text, known)
    return language if certainty >= _LEAST_CERTAINTY else ""


def _choose_voice(asked: str, text: str) -> str:
    """A voice's code, "" if the language is unknown. Raises ExpertRefused for one without a voice.

    The reader's language says nothing of the text's.
    """
    voices, code = _voices(), asked.casefold().replace("_", "-")
    if not asked:
        code = detect_language(text)
    elif code not in voices:
        named = {name.casefold(): code for code, name in voices.items()}
        spelt = " ".join(asked.split()).casefold()
        code = named.get(spelt) or find_language(asked) or code.partition("-")[0]
    code = _VOICES.get(code, code)
    if asked and code not in voices:
        raise ExpertRefused("embedded-no-voice", language=asked)
    return code if code in voices else ""


def _name_voice(voice: str, language: str) -> str:
    """A voice's language in the words of another, as far as they are known."""
    locale, (code, _, region) = Locale(language_of(language)), voice.partition("-")
    name = locale.languages.get(code, _voices()[voice])
    place = locale.territories.get(region.upper())
    return f"{name} ({place})" if place else name


def _synthesize(text: str, voice: str) -> bytes:
    library, rate = _library()
    samples = bytearray()

    def receive(pointer: Any, count: int, _events: Any) -> int:
        if pointer and count > 0:
            samples.extend(ctypes.string_at(pointer, count * 2))
        return 0

    callback = _Callback(receive)
    library.espeak_SetSynthCallback(callback)
    library.espeak_SetVoiceByName(voice.encode())
    data = text.replace("\0", " ").encode("utf-8", "replace")
    library.espeak_Synth(data, len(data) + 1, 0, _CHARACTERS, 0, _UTF8, None, None)
    library.espeak_Synchronize()
    if not samples:
        raise ExpertGarbled("embedded-spoke-nothing")
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))
        out.writeframes(samples)
    return file.getvalue()


@cache
def _library() -> tuple[ctypes.CDLL, int]:
    # Packages that wrap eSpeak want it installed in the system, or write to the sound card.
    import espeakng_loader

    library = ctypes.CDLL(espeakng_loader.get_library_path())
    size, number, pointer = ctypes.c_size_t, ctypes.c_uint, ctypes.c_void_p
    library.espeak_Synth.argtypes = [
        ctypes.c_char_p, size, number, ctypes.c_int, number, number, pointer, pointer,
    ]  # fmt: skip
    data = str(espeakng_loader.get_data_path()).encode()
    return library, int(library.espeak_Initialize(_SYNCHRONOUS, 0, data, 0))


@cache
def _voices() -> Mapping[str, str]:
    """The names of all voices by their codes."""
    import espeakng_loader

    voices: dict[str, str] = {}
    for file in sorted(Path(espeakng_loader.get_data_path(), "lang").rglob("*")):
        lines = file.read_text("utf-8", "replace").splitlines() if file.is_file() else []
        names = [line.removeprefix("name ") for line in lines if line.startswith("name ")]
        codes = [line.split()[1] for line in lines if line.startswith("language ")]
        voices |= dict(zip(codes, names, strict=False))
    return voices


def split_recording(recording: Blob) -> list[bytes]:
    """16 kHz mono samples of a recording, in chunks that end in pauses. Raises BadInput."""
    samples = _read_samples(recording)
    if len(samples) > _LONGEST:
        raise BadInput("embedded-too-long")
    chunks, start = [], 0
    while len(samples) - start > _CHUNK * RATE:
        tail = samples[start + (_CHUNK - _SLACK) * RATE : start + _CHUNK * RATE]
        loudness = abs(tail.astype(float)).reshape(-1, RATE // 10).mean(axis=1)
        end = start + (_CHUNK - _SLACK) * RATE + int(loudness.argmin()) * RATE // 10
        chunks.append(samples[start:end].tobytes())
        start = end
    return [*chunks, samples[start:].tobytes()]


def _read_samples(blob: Blob, *options: str) -> Any:
    """The 16 kHz mono samples of a sound. Raises BadInput."""
    import numpy as np

    wav = run_ffmpeg(blob, ["-vn", *options, "-ac", "1", "-ar", str(RATE)], "wav")
    with wave.open(io.BytesIO(wav.data)) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2")


def transcribe_chunk(samples: bytes) -> list[str]:
    """The English words of a chunk; none where nobody speaks: noise would become words."""
    from pocketsphinx import Vad

    vad = Vad(mode=2, sample_rate=RATE)
    step = vad.frame_bytes
    frames = (samples[at : at + step] for at in range(0, len(samples) - step + 1, step))
    if sum(bool(vad.is_speech(frame)) for frame in frames) < _FEWEST_FRAMES:
        return []
    decoder = _decoder()
    decoder.start_utt()
    decoder.process_raw(samples, no_search=False, full_utt=True)
    decoder.end_utt()
    if decoder.hyp() is None:
        return []
    spoken = [part.word for part in decoder.seg() if not part.word.startswith(("<", "["))]
    return [word.partition("(")[0] for word in spoken]


@cache
def _decoder() -> Any:
    from pocketsphinx import Decoder

    return Decoder(samprate=RATE, loglevel="FATAL")


_HARMONICS = sorted({mains * number for mains in (50, 60) for number in range(1, 9)})
_SIDES = "aformat=channel_layouts=stereo,pan=mono|c0=c0-c1"
_FILTERS = {
    "voice": "stereotools=mlev=0.015625",
    "lower": f"rubberband=pitch={2 ** (-4 / 12)}",
    "higher": f"rubberband=pitch={2 ** (4 / 12)}",
    "hum": ",".join(f"bandreject=f={hertz}:width_type=h:w=2" for hertz in _HARMONICS),
    "noise": "afftdn=nr=20:nf={floor}",
    "loudness": "loudnorm=I=-16:TP=-1.5:LRA=11,aresample=48000",
}
"""In the order in which they are best applied. Spectral code of our own did no better."""
_CLEAN = 30
"""Decibels from the quietest moments to the mean; above, filtering does more harm than good."""
_LOWEST_FLOOR, _HIGHEST_FLOOR = -80, -20  # what afftdn takes
_AUDIBLE = -60.0  # dB
_MEASURED, _FRAME = "300", 400  # seconds, samples


def clean(args: ExpertInput, _language: str) -> WorkerResult:
    """The sound after all that was asked for; without an instruction its noise is reduced.

    Raises BadInput, ExpertRefused.
    """
    blob = get_file(args, "audio", Type.AUDIO)
    names = find_changes(get_text(args, "text"))
    if not names:
        raise ExpertRefused("embedded-no-cleaning")
    if "voice" in names and _measure_levels(blob, _SIDES).max() < _AUDIBLE:
        raise ExpertRefused("embedded-not-stereo")
    floor = _find_noise_floor(blob) if "noise" in names else 0
    filters = ",".join(_FILTERS[name] for name in names).format(floor=floor)
    result = run_ffmpeg(blob, ["-vn", "-af", filters], choose_sound_ending(blob))
    notes = tuple(LocalizedText(f"embedded-sound-{name}") for name in names)
    return WorkerResult(slots={"audio": result}, notes=notes)


def find_changes(instruction: str) -> list[str]:
    """The changes that an instruction names, in the order of `_FILTERS`; none for one too many."""
    named = {name.removeprefix("sound.") for name in phrases("sound").concepts(instruction)}
    if not instruction.strip():
        return ["noise"]
    return [] if "unable" in named else [name for name in _FILTERS if name in named]


def _find_noise_floor(blob: Blob) -> int:
    """The level of the quietest moments in dB. Raises ExpertRefused where they are quiet enough."""
    import numpy as np

    levels = _measure_levels(blob)
    floor = float(np.quantile(levels, 0.05))
    if 10 * np.log10(np.mean(10 ** (levels / 10))) - floor > _CLEAN or floor < _LOWEST_FLOOR:
        raise ExpertRefused("embedded-no-noise")
    return round(min(floor, _HIGHEST_FLOOR))


def _measure_levels(blob: Blob, filters: str = "anull") -> Any:
    """The level in dB of each 25 ms of the first minutes. Raises BadInput."""
    import numpy as np

    samples = _read_samples(blob, "-af", filters, "-t", _MEASURED) / 32768
    if not samples.size:
        raise BadInput("embedded-sound-unreadable")
    frames = np.resize(samples, (-(-samples.size // _FRAME), _FRAME))
    return 10 * np.log10((frames**2).mean(axis=1) + 1e-10)
