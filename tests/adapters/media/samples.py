"""Small files of every kind, good and bad, made on the spot."""

import io
import math
import struct
import subprocess
import wave
import zipfile
import zlib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import ExifTags, Image, ImageDraw
from pypdf import PdfWriter

from adapters.media.ffmpeg import find_ffmpeg


def saved(picture: Image.Image, kind: str, **options: Any) -> bytes:
    made = io.BytesIO()
    picture.save(made, kind, **options)
    return made.getvalue()


def drawing(width: int = 320, height: int = 240) -> Image.Image:
    """Something with edges and colours: a red disc on a blue and green ground."""
    picture = Image.linear_gradient("L").resize((width, height)).convert("RGB")
    canvas = ImageDraw.Draw(picture)
    canvas.rectangle((0, height // 2, width, height), fill=(30, 140, 60))
    canvas.ellipse((width // 4, height // 4, width // 2, height * 3 // 4), fill=(200, 30, 30))
    return picture


def noise(width: int, height: int) -> Image.Image:
    return Image.effect_noise((width, height), 100).convert("RGB")


@cache
def png() -> bytes:
    return saved(drawing(), "PNG")


@cache
def jpeg() -> bytes:
    return saved(drawing(), "JPEG")


@cache
def turned_photo_with_place() -> bytes:
    """As a phone stores it: lying on its side, with where it was taken."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    exif[ExifTags.Base.Make] = "SecretPhone"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (52.0, 31.0, 12.0)
    return saved(drawing(320, 200), "JPEG", exif=exif, comment=b"SecretPlace")


@cache
def gif(frames: int = 3) -> bytes:
    pictures = [Image.new("RGB", (40, 30), (50 * number, 0, 90)) for number in range(frames)]
    return saved(pictures[0], "GIF", save_all=True, append_images=pictures[1:], duration=40)


@cache
def endless_gif(frames: int = 5_000) -> bytes:
    """Frames of one pixel without end mark."""
    head = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    frame = b"!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00"
    return head + frame * frames


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_bomb(width: int = 60_000, height: int = 60_000) -> bytes:
    """3.6 thousand million pixels in some kilobytes."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00" * 4_000_000, 9)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", rows)
        + _chunk(b"IEND", b"")
    )


def apng_that_claims(frames: int) -> bytes:
    plain = png()
    claim = _chunk(b"acTL", struct.pack(">II", frames, 0))
    return plain[:33] + claim + plain[33:]


@cache
def wav(seconds: float = 2.0, rate: int = 22_050, channels: int = 1) -> bytes:
    """A tone of 440 Hz."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        tone = (
            round(9_000 * math.sin(2 * math.pi * 440 * n / rate))
            for n in range(int(seconds * rate))
        )
        file.writeframes(b"".join(struct.pack("<h", value) * channels for value in tone))
    return made.getvalue()


@cache
def pdf(pages: int = 2, password: str = "") -> bytes:
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(200, 300)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return made.getvalue()


def docx(
    body: bytes = b"<w:p><w:r><w:t>Dear</w:t></w:r><w:r><w:t>old friend</w:t></w:r></w:p>",
) -> bytes:
    return zipped({"[Content_Types].xml": b"<Types/>", "word/document.xml": body})


@cache
def docx_bomb() -> bytes:
    return docx(b" " * 40_000_000)


@cache
def film(
    seconds: float = 2.0, *, sound: bool = True, size: str = "322x240", ending: str = "mov"
) -> bytes:
    """A moving test picture with a tone, as a QuickTime film with where it was taken."""
    tone = ("-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}") if sound else ()
    return _ffmpeg(
        *("-f", "lavfi", "-i", f"testsrc=size={size}:rate=10:duration={seconds}", *tone),
        *(("-c:v", "mpeg4", "-c:a", "aac") if ending == "mov" else ()),
        *("-metadata", "location=+52.5+013.4/"),
        ending=ending,
    )


@cache
def mp3(seconds: float = 2.0) -> bytes:
    return _ffmpeg("-f", "lavfi", "-i", f"sine=frequency=440:duration={seconds}", ending="mp3")


@cache
def memo(ending: str) -> bytes:
    """A sound in a container of Apple's or Microsoft's recorders: "caf" or "wma"."""
    return _ffmpeg("-f", "lavfi", "-i", "sine=duration=1.5", ending=ending)


@cache
def live_recording(seconds: float) -> bytes:
    """A sound whose container was written while it was recorded, and does not tell its length."""
    live = ("-c:a", "libopus", "-live", "1", "-f", "webm")
    return _ffmpeg("-f", "lavfi", "-i", f"sine=duration={seconds}", *live, ending="webm")


@cache
def sound_with_cover() -> bytes:
    """A sound with a picture of its record, in a container of films."""
    with TemporaryDirectory() as folder:
        cover = Path(folder, "cover.png")
        cover.write_bytes(png())
        sources = ("-f", "lavfi", "-i", "sine=duration=1.5", "-i", str(cover))
        attached = ("-c:v", "copy", "-disposition:v:0", "attached_pic")
        return _ffmpeg(*sources, "-map", "0", "-map", "1", *attached, ending="mp4")


def voice_message() -> bytes:
    return _ffmpeg("-f", "lavfi", "-i", "sine=duration=1.5", "-c:a", "libopus", ending="webm")


def _ffmpeg(*options: str, ending: str) -> bytes:
    program = find_ffmpeg()
    assert program, "the extra [embedded] brings ffmpeg"
    with TemporaryDirectory() as folder:
        made = Path(folder) / f"out.{ending}"
        subprocess.run([program, "-v", "error", "-nostdin", *options, made], check=True)
        return made.read_bytes()
