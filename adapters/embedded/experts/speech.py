"""Speaks with eSpeak NG (GPL, in workers only)."""

import ctypes
import io
import re
import wave
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale

from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_text, require_text
from adapters.embedded.languages import rank_languages
from adapters.media.editing import run_ffmpeg
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import ExpertGarbled, ExpertRefused
from pipeline.text.languages import find_language
from pipeline.words import language_of

_SYNCHRONOUS, _CHARACTERS, _UTF8 = 2, 1, 1
"""Values of eSpeak's own constants."""
_MOST = 12_000
"""Characters that are read aloud: some twelve minutes."""
_MOST_TOLD = 10
"""Characters that a refusal names."""
_LONG = 1_500_000
"""Bytes of WAV, some 35 seconds: what is longer becomes an MP3."""
_VOICES = {"en": "en-us", "fr": "fr-fr", "zh": "cmn", "no": "nb", "iw": "he", "in": "id"}
"""The codes of eSpeak's usual voices where they differ from the language's."""
_USUAL_VOICE = "en-us"
_LEAST_CERTAINTY = 0.3
"""How certain the language of a text must be, to be spoken in its voice."""
_SCRIPTS: Mapping[str, str] = {
    "一人": r"[\u3400-\u9fff\uf900-\ufaff]",
    "あい": r"[\u3041-\u3096\u30a1-\u30fa]",
    "กข": r"[\u0e01-\u0e2e]",
    "אב": r"[\u05d0-\u05ea]",
    "بت": r"[\u0620-\u064a]",
    "бж": r"[\u0400-\u04ff]",
}
"""Two letters of each script for which eSpeak does not change to another voice, and all of them.

A voice that lacks a script begins each of its letters with the same: "Chinese letter".
"""
_SAME = 5
"""How many signs of sound two letters begin with for that; those of one's own script differ."""
_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


def speak(args: ExpertInput, language: str) -> WorkerResult:
    """A text read aloud in the language asked for, else in the one it is written in.

    Raises BadInput, ExpertRefused.
    """
    text = require_text(args, "text").replace("**", "")  # emphasis of an answer
    voice = _choose_voice(get_text(args, "language"), text)
    spoken = text[:_MOST]
    notes = []
    named = _name_voice(voice or _USUAL_VOICE, language)
    if unread := _list_unreadable(spoken, voice or _USUAL_VOICE):
        told = "".join(unread[:_MOST_TOLD])
        raise ExpertRefused("embedded-voice-unable", language=named, characters=told)
    if voice:
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


def _list_unreadable(text: str, voice: str) -> list[str]:
    """The characters of a text, each once, that a voice has no sound of its own for."""
    found: list[str] = []
    for probes, letters in _SCRIPTS.items():
        of_script = dict.fromkeys(re.findall(letters, text))
        if of_script and len({_find_phonemes(probe, voice)[:_SAME] for probe in probes}) == 1:
            found += of_script
    return found


def _find_phonemes(letter: str, voice: str) -> str:
    library, _ = _library()
    _set_voice(voice)
    data = ctypes.create_string_buffer(letter.encode())
    place = ctypes.c_void_p(ctypes.addressof(data))
    return (library.espeak_TextToPhonemes(ctypes.byref(place), _UTF8, 0) or b"").decode()


def _set_voice(voice: str) -> None:
    """By its name: eSpeak knows some codes of its own data for no voice, "fr-fr" among them."""
    library, _ = _library()
    if library.espeak_SetVoiceByName(_voices()[voice].encode()):
        raise ExpertRefused("embedded-no-voice", language=voice)


def _synthesize(text: str, voice: str) -> bytes:
    library, rate = _library()
    samples = bytearray()

    def receive(pointer: Any, count: int, _events: Any) -> int:
        if pointer and count > 0:
            samples.extend(ctypes.string_at(pointer, count * 2))
        return 0

    callback = _Callback(receive)
    library.espeak_SetSynthCallback(callback)
    _set_voice(voice)
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
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
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
