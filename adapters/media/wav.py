"""WAV files, without ffmpeg. Runs in a worker."""

import io
import struct
import wave
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adapters.media.bounds import translate_decoder_errors
from pipeline.errors import MediaError

RECOGNISED_RATE = 16_000
"""What speech recognisers take."""
_EXTENSIBLE = 0xFFFE
_FORMAT = struct.Struct("<HHIIHH")


@dataclass(frozen=True, slots=True)
class Pcm:
    """Uncompressed sound: frames × channels from -1 to 1, and frames per second."""

    samples: npt.NDArray[np.float32]
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate


def describe(data: bytes) -> str:
    with translate_decoder_errors("WAV"):
        fields, body = _parts(data)
        seconds = len(body) / (fields.align * fields.rate)
    if not seconds:
        raise MediaError("media-broken", kind="WAV")
    return f"sound, {seconds:.1f} s"


def resample_for_recognition(data: bytes) -> bytes:
    """The same as a WAV file of 16 kHz, one channel, 16 bits. Raises MediaError."""
    with translate_decoder_errors("WAV"):
        sound = read_wav(data)
        mono = sound.samples.mean(axis=1)
        length = round(len(mono) * RECOGNISED_RATE / sound.rate)
        places = np.arange(length) * (sound.rate / RECOGNISED_RATE)
        calm = _low_pass(mono, sound.rate)
        made = np.interp(places, np.arange(len(mono)), calm).astype(np.float32)
        return write_wav(Pcm(made[:, None], RECOGNISED_RATE))


def _low_pass(mono: npt.NDArray[np.float32], rate: int) -> npt.NDArray[np.float32]:
    """A moving average before the rate goes down, against aliases."""
    width = rate // RECOGNISED_RATE
    if width <= 1:
        return mono
    return np.convolve(mono, np.ones(width, np.float32) / np.float32(width), "same")


def read_wav(data: bytes) -> Pcm:
    fields, body = _parts(data)
    whole = body[: len(body) // fields.align * fields.align]
    match fields.kind, fields.bits:  # 1: whole numbers, 3: floats
        case (1, 8):
            flat = (np.frombuffer(whole, np.uint8).astype(np.float32) - 128) / 128
        case (1, 16):
            flat = np.frombuffer(whole, "<i2").astype(np.float32) / 0x8000
        case (1, 24):
            wide = np.frombuffer(whole, np.uint8).reshape(-1, 3)
            padded = np.pad(wide, ((0, 0), (1, 0))).reshape(-1).view("<i4")
            flat = padded.astype(np.float32) / 0x80000000
        case (1, 32):
            flat = np.frombuffer(whole, "<i4").astype(np.float32) / 0x80000000
        case (3, 32):
            flat = np.nan_to_num(np.frombuffer(whole, "<f4"))
        case _:
            raise MediaError("media-broken", kind="WAV")
    return Pcm(flat.astype(np.float32).reshape(-1, fields.channels), fields.rate)


def write_wav(sound: Pcm) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(sound.samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes((sound.samples.clip(-1, 1) * 0x7FFF).astype("<i2").tobytes())
    return made.getvalue()


@dataclass(frozen=True, slots=True)
class _Fields:
    kind: int
    channels: int
    rate: int
    align: int
    bits: int


def _parts(data: bytes) -> tuple[_Fields, bytes]:
    """The layout of the samples, and the samples. A truncated file keeps what is there."""
    chunks = dict(_chunks(data))
    kind, channels, rate, _, align, bits = _FORMAT.unpack_from(chunks[b"fmt "])
    if kind == _EXTENSIBLE:
        kind = int.from_bytes(chunks[b"fmt "][24:26], "little")
    if not (channels and rate and align):
        raise MediaError("media-broken", kind="WAV")
    return _Fields(kind, channels, rate, align, bits), chunks[b"data"]


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 12
    while place + 8 <= len(data):
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        yield name, data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2
