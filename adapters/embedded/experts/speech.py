"""Speaking: eSpeak NG (a library under the GPL, loaded in worker processes only), through its C interface."""

import ctypes
import io
import wave
from collections.abc import Sequence
from functools import cache
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, some_words, words
from adapters.embedded.experts.languages import named, spoken_in
from pipeline.domain import Blob, Sentence
from pipeline.errors import ExpertGarbled, ExpertRefused

_SYNCHRONOUS, _CHARACTERS, _UTF8 = 2, 1, 1
_MOST = 12_000  # characters: some twelve minutes
_USUAL = {"en": "en-us", "fr": "fr-fr", "zh": "cmn", "no": "nb", "iw": "he", "in": "id"}
_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


class _Voice(ctypes.Structure):
    """espeak_VOICE of speak_lib.h."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_void_p),
        ("identifier", ctypes.c_char_p),
        ("kind", ctypes.c_ubyte * 4),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    ]


def speak(args: Args, language: str) -> Finding:
    """A text read aloud in the language asked for, else in the one it is written in."""
    text, wanted = some_words(args, "text"), words(args, "language")
    voice, name = _voice(wanted, text, language)
    said = text[:_MOST]
    samples, rate = _samples(said, voice)
    notes = [Sentence("embedded-spoken", {"language": name})]
    if len(text) > _MOST:
        notes.append(Sentence("embedded-spoken-cut", {"characters": str(_MOST)}))
    blob = Blob(_wav(samples, rate), "audio/wav", "speech.wav", said[:200])
    return Finding({"audio": blob}, tuple(notes))


def _voice(wanted: str, text: str, language: str) -> tuple[str, str]:
    """The voice's code and name. Raises ExpertRefused for a language that was asked for and that there is no voice for."""
    voices = dict(_voices())
    if wanted:
        code = named(wanted, _voices())
        code = _USUAL.get(code, code)
        if code not in voices:
            raise ExpertRefused("embedded-no-voice", language=wanted)
        return code, voices[code]
    guess = spoken_in(text, language)
    code = _USUAL.get(guess, guess)
    code = code if code in voices else "en-us"
    return code, voices[code]


def _samples(text: str, voice: str) -> tuple[bytes, int]:
    library, rate = _library()
    heard = bytearray()

    def hear(samples: Any, count: int, _events: Any) -> int:  # noqa: ANN401 - pointers of C
        if samples and count > 0:
            heard.extend(ctypes.string_at(samples, count * 2))
        return 0

    callback = _Callback(hear)
    library.espeak_SetSynthCallback(callback)
    library.espeak_SetVoiceByName(voice.encode())
    spoken = text.replace("\0", " ").encode("utf-8", "replace")
    library.espeak_Synth(spoken, len(spoken) + 1, 0, _CHARACTERS, 0, _UTF8, None, None)
    library.espeak_Synchronize()
    if not heard:
        raise ExpertGarbled("embedded-spoke-nothing")
    return bytes(heard), rate


@cache
def _library() -> tuple[ctypes.CDLL, int]:
    import espeakng_loader

    library = ctypes.CDLL(espeakng_loader.get_library_path())
    library.espeak_Synth.argtypes = [
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_uint,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ]
    library.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_Voice))
    data = str(espeakng_loader.get_data_path()).encode()
    return library, int(library.espeak_Initialize(_SYNCHRONOUS, 0, data, 0))


@cache
def _voices() -> Sequence[tuple[str, str]]:
    """All voices: code and name."""
    library, _ = _library()
    listed = library.espeak_ListVoices(None)
    voices = []
    place = 0
    while listed[place]:
        voice = listed[place].contents
        code = ctypes.string_at(voice.languages + 1).decode()  # a byte of priority goes before
        voices.append((code, voice.name.decode().strip()))
        place += 1
    return tuple(voices)


def _wav(samples: bytes, rate: int) -> bytes:
    sheet = io.BytesIO()
    with wave.open(sheet, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples)
    return sheet.getvalue()
