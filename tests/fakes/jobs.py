"""Builders of jobs and of the files they take."""

import io
import math
import wave

from PIL import Image

from pipeline.domain import Blob, ExpertValue, Model, Number, Place, Text
from pipeline.ports import Job, ReportProgress
from pipeline.task_kinds import KINDS
from tests.fakes.places import LOCAL


def job(
    kind: str,
    *,
    model: str = "a/model",
    place: Place = LOCAL,
    locale: str = "",
    report: ReportProgress = lambda _fraction, _note: None,
    **args: str | float | ExpertValue | tuple[str | float | ExpertValue, ...],
) -> Job:
    """A job. Strings and numbers become Text and Number; a tuple is a list of values."""
    pieces = {
        name: tuple(_piece(each) for each in (arg if isinstance(arg, tuple) else (arg,)))
        for name, arg in args.items()
    }
    return Job(KINDS[kind], Model(model, kind, (place,)), pieces, locale=locale, report=report)


def _piece(piece: str | float | ExpertValue) -> ExpertValue:
    if isinstance(piece, str):
        return Text(piece)
    return Number(piece) if isinstance(piece, int | float) else piece


def picture(colour: tuple[int, int, int] = (200, 40, 40), size: tuple[int, int] = (40, 30)) -> Blob:
    sheet = io.BytesIO()
    Image.new("RGB", size, colour).save(sheet, "PNG")
    return Blob(sheet.getvalue(), "image/png", "picture.png")


def tone(seconds: float = 0.2, rate: int = 16000) -> Blob:
    sheet = io.BytesIO()
    with wave.open(sheet, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        points = (int(9000 * math.sin(0.2 * i)) for i in range(int(rate * seconds)))
        out.writeframes(b"".join(point.to_bytes(2, "little", signed=True) for point in points))
    return Blob(sheet.getvalue(), "audio/wav", "tone.wav")


def sheet(*rows: str) -> Blob:
    """A CSV table."""
    return Blob("\n".join(rows).encode(), "text/csv", "table.csv")
