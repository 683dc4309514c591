"""Make the files of `troupe evaluate --suite paper`, in evaluation/paper.

Run `python -m benchmarks.paper_files` after a change here; the files are committed. Needs the
extra [embedded] and ffmpeg.
"""

import argparse
import csv
import io
import random
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from adapters.embedded.experts.speech import speak
from pipeline.domain import Blob, Text

FOLDER = Path(__file__).parents[1] / "evaluation" / "paper"
_SIZE = (384, 288)
_FINE = 4
"""Pictures are drawn this many times larger and scaled down, for smooth edges."""
_BLACK, _WHITE, _GREY = "#1d1d1f", "#fbfbf8", "#8b8f94"
_GRASS, _SKY, _BROWN, _ORANGE = "#7fb069", "#cfe8f5", "#8a5a3b", "#e08b3e"

Point = tuple[float, float]


class _Canvas:
    """A picture that is drawn in its final coordinates."""

    def __init__(self, sky: str = _SKY, ground: str = _GRASS, horizon: float = 200) -> None:
        self.image = Image.new("RGB", (_SIZE[0] * _FINE, _SIZE[1] * _FINE), sky)
        self._draw = ImageDraw.Draw(self.image)
        self.box(0, horizon, *_SIZE, ground)

    def box(self, left: float, top: float, right: float, bottom: float, fill: str) -> None:
        self._draw.rectangle([each * _FINE for each in (left, top, right, bottom)], fill)

    def oval(self, x: float, y: float, across: float, down: float, fill: str) -> None:
        edges = (x - across / 2, y - down / 2, x + across / 2, y + down / 2)
        self._draw.ellipse([each * _FINE for each in edges], fill)

    def shape(self, points: Iterable[Point], fill: str) -> None:
        self._draw.polygon([(x * _FINE, y * _FINE) for x, y in points], fill)

    def line(self, points: Iterable[Point], fill: str, width: float) -> None:
        scaled = [(x * _FINE, y * _FINE) for x, y in points]
        self._draw.line(scaled, fill, int(width * _FINE), joint="curve")
        for x, y in scaled:
            half = width * _FINE / 2
            self._draw.ellipse([x - half, y - half, x + half, y + half], fill)

    def arc(
        self, x: float, y: float, across: float, down: float, ends: Point, width: float
    ) -> None:
        edges = (x - across / 2, y - down / 2, x + across / 2, y + down / 2)
        scaled = [each * _FINE for each in edges]
        self._draw.arc(scaled, *ends, fill=_BLACK, width=int(width * _FINE))

    def write(self, x: float, y: float, text: str, size: float, fill: str) -> None:
        font = ImageFont.load_default(size * _FINE)
        self._draw.text((x * _FINE, y * _FINE), text, fill, font, anchor="mm")

    def png(self) -> bytes:
        small = self.image.resize(_SIZE, Image.Resampling.LANCZOS).quantize(64)
        file = io.BytesIO()
        small.save(file, "PNG", optimize=True)
        return file.getvalue()


def _fruit() -> bytes:
    """Three apples, two bananas and a cup on a table."""
    canvas = _Canvas("#efe6d8", "#b98a5e", 150)
    for x, y, colour in ((80, 190, "#c8322f"), (135, 205, "#5f9e3a"), (190, 188, "#c8322f")):
        canvas.oval(x, y, 52, 48, colour)
        canvas.line([(x, y - 20), (x + 4, y - 32)], _BROWN, 4)
        canvas.oval(x + 12, y - 30, 18, 8, "#3f7a2c")
    for shift in (0, 26):
        points = [(230, 226), (250, 244), (280, 248), (308, 236), (322, 214)]
        canvas.line([(x, y - shift) for x, y in points], "#f0c93b", 15)
    canvas.arc(334, 142, 40, 44, (-90, 90), 7)
    canvas.box(286, 112, 336, 172, "#3b6ea5")
    canvas.oval(311, 112, 50, 14, "#274d75")
    return canvas.png()


def _house() -> bytes:
    """A house, a tree, the sun and a dog in a garden."""
    canvas = _Canvas()
    canvas.oval(330, 46, 52, 52, "#f5c542")
    canvas.box(60, 120, 190, 220, "#e6d3b3")
    canvas.shape([(46, 124), (125, 62), (204, 124)], "#a8443a")
    canvas.box(110, 162, 142, 220, _BROWN)
    for x in (72, 154):
        canvas.box(x, 142, x + 26, 166, "#7fb2d9")
    canvas.box(262, 140, 276, 226, _BROWN)
    for x, y in ((246, 124), (270, 102), (294, 126), (270, 136)):
        canvas.oval(x, y, 58, 52, "#4c8a3f")
    _dog(canvas, 210, 240, 0.6)
    return canvas.png()


def _dog(canvas: _Canvas, x: float, y: float, scale: float) -> None:
    def at(right: float, down: float) -> Point:
        return x + right * scale, y + down * scale

    for leg in (-38, -24, 22, 36):
        canvas.line([at(leg, 0), at(leg, 38)], _BROWN, 9 * scale)
    canvas.oval(*at(0, -8), 96 * scale, 44 * scale, _BROWN)
    canvas.line([at(-44, -14), at(-66, -40)], _BROWN, 8 * scale)
    canvas.oval(*at(54, -34), 44 * scale, 38 * scale, _BROWN)
    canvas.oval(*at(76, -28), 26 * scale, 18 * scale, _BROWN)
    canvas.oval(*at(88, -31), 8 * scale, 7 * scale, _BLACK)
    canvas.oval(*at(40, -28), 15 * scale, 34 * scale, "#5f3c26")
    canvas.oval(*at(62, -40), 5 * scale, 5 * scale, _BLACK)


def _cat() -> bytes:
    """An orange cat that sits on a rug and plays with a ball of wool."""
    canvas = _Canvas("#f1ebe0", "#c7b299", 190)
    canvas.oval(180, 246, 300, 54, "#6f8fae")
    canvas.line([(120, 232), (74, 226), (60, 190), (78, 166)], _ORANGE, 15)
    canvas.oval(160, 190, 96, 112, _ORANGE)
    canvas.oval(166, 204, 48, 72, "#f6dcbd")
    canvas.line([(186, 190), (228, 214), (252, 214)], _ORANGE, 17)
    canvas.line([(142, 220), (142, 244)], _ORANGE, 18)
    canvas.line([(176, 224), (176, 246)], _ORANGE, 18)
    canvas.shape([(124, 110), (128, 66), (158, 92)], _ORANGE)
    canvas.shape([(204, 110), (200, 66), (170, 92)], _ORANGE)
    canvas.oval(164, 118, 90, 76, _ORANGE)
    for x in (146, 182):
        canvas.oval(x, 112, 15, 19, "#cfe07a")
        canvas.oval(x + 2, 112, 5, 16, _BLACK)
    canvas.shape([(159, 127), (169, 127), (164, 134)], "#b65a5a")
    for side in (-1, 1):
        canvas.arc(164 + side * 7, 132, 14, 14, (0, 180), 1.6)
        for rise in (-6, 1, 8):
            ends = [(164 + side * 16, 133 + rise / 3), (164 + side * 54, 131 + rise)]
            canvas.line(ends, _BLACK, 1)
    for x in (150, 164, 178):
        canvas.line([(x, 82), (x, 96)], "#b5651d", 4)
    canvas.oval(276, 220, 52, 52, "#b33a5b")
    for turn in (0, 14, 28):
        canvas.arc(276, 220, 52 - turn, 40, (turn * 3, turn * 3 + 150), 1.4)
    return canvas.png()


def _zebras(places: Iterable[tuple[float, float]]) -> Callable[[], bytes]:
    def draw() -> bytes:
        canvas = _Canvas("#f6e8c9", "#c9b458", 150)
        canvas.oval(60, 50, 44, 44, "#f2b441")
        for x, y in places:
            _zebra(canvas, x, y)
        return canvas.png()

    return draw


def _zebra(canvas: _Canvas, x: float, y: float) -> None:
    for leg in (-26, -14, 14, 26):
        canvas.line([(x + leg, y), (x + leg, y + 42)], _WHITE, 7)
        for down in (14, 26):
            canvas.line([(x + leg - 3, y + down), (x + leg + 3, y + down)], _BLACK, 3)
    canvas.oval(x, y - 6, 76, 38, _WHITE)
    canvas.line([(x + 28, y - 12), (x + 46, y - 42)], _WHITE, 17)
    canvas.oval(x + 58, y - 46, 36, 18, _WHITE)
    canvas.oval(x + 72, y - 44, 12, 11, _BLACK)
    canvas.oval(x + 56, y - 50, 4, 4, _BLACK)
    canvas.shape([(x + 42, y - 52), (x + 43, y - 66), (x + 50, y - 53)], _BLACK)
    for stripe in (-28, -18, -8, 2, 12, 22):
        bend = 3 if stripe < 0 else -3
        canvas.line([(x + stripe, y - 21), (x + stripe + bend, y + 8)], _BLACK, 4)
    for part in (0.2, 0.5, 0.8):
        at = (x + 28 + 18 * part, y - 12 - 30 * part)
        canvas.line([(at[0] - 8, at[1] - 5), (at[0] + 6, at[1] + 4)], _BLACK, 3)
    canvas.line([(x - 37, y - 10), (x - 46, y + 14)], _BLACK, 4)


def _sailing(*, sails: int) -> Callable[[], bytes]:
    def draw() -> bytes:
        canvas = _Canvas("#cfe8f5", "#3f86b5", 170)
        canvas.oval(70, 56, 48, 48, "#f5c542")
        for number in range(sails):
            x = 190 + (number - (sails - 1) / 2) * 130
            hull = [(x - 46, 176), (x + 46, 176), (x + 30, 202), (x - 30, 202)]
            canvas.shape(hull, "#8f3e33")
            canvas.line([(x, 176), (x, 76)], _BROWN, 4)
            canvas.shape([(x + 4, 80), (x + 4, 168), (x + 46, 168)], _WHITE)
            canvas.shape([(x - 4, 92), (x - 4, 168), (x - 38, 168)], "#f1d9c2")
        for x, y in ((60, 232), (150, 250), (260, 228), (330, 254)):
            canvas.line([(x - 16, y), (x, y - 5), (x + 16, y)], "#8fc0dd", 3)
        return canvas.png()

    return draw


def _car() -> bytes:
    """A red car on a street in a town."""
    canvas = _Canvas("#dfe3e6", "#6d7175", 196)
    for x, top, colour in ((20, 60, "#b7a99a"), (110, 30, "#9aa7b1"), (210, 80, "#c2b1a0")):
        canvas.box(x, top, x + 80, 196, colour)
        for down in range(top + 14, 176, 32):
            for right in (12, 46):
                canvas.box(x + right, down, x + right + 20, down + 16, "#f4e9b8")
    canvas.shape([(130, 196), (156, 160), (236, 160), (266, 196)], "#b02a2a")
    canvas.shape([(144, 194), (162, 166), (192, 166), (192, 194)], "#cfe4ee")
    canvas.shape([(198, 194), (198, 166), (230, 166), (250, 194)], "#cfe4ee")
    canvas.box(94, 194, 300, 232, "#c8322f")
    for x in (140, 254):
        canvas.oval(x, 232, 46, 46, _BLACK)
        canvas.oval(x, 232, 20, 20, _GREY)
    return canvas.png()


def _boy() -> bytes:
    """A boy who stands with one arm raised and a leg to the side."""
    canvas = _Canvas()
    skin, shirt, trousers = "#e8b98f", "#d64545", "#35507a"
    canvas.line([(184, 182), (168, 216), (164, 254)], trousers, 20)
    canvas.line([(202, 182), (232, 212), (250, 248)], trousers, 20)
    for x, y in ((160, 262), (256, 256)):
        canvas.oval(x, y, 34, 15, _BLACK)
    canvas.line([(216, 118), (246, 92), (258, 52)], skin, 14)
    canvas.line([(170, 118), (140, 146), (152, 178)], skin, 14)
    canvas.shape([(166, 106), (220, 106), (212, 188), (174, 188)], shirt)
    canvas.line([(216, 116), (234, 101)], shirt, 20)
    canvas.line([(170, 116), (154, 132)], shirt, 20)
    canvas.line([(193, 106), (193, 92)], skin, 16)
    canvas.oval(193, 70, 52, 58, skin)
    canvas.shape([(167, 64), (172, 40), (200, 34), (218, 46), (220, 66), (206, 52)], "#5b3a21")
    for x in (184, 204):
        canvas.oval(x, 70, 6, 7, _BLACK)
    canvas.arc(194, 82, 20, 12, (10, 170), 2)
    return canvas.png()


def _reader() -> bytes:
    """A person in an armchair with an open book."""
    canvas = _Canvas("#efe3d0", "#a9805b", 220)
    canvas.box(36, 60, 52, 226, "#5c4632")
    canvas.shape([(14, 62), (74, 62), (60, 20), (28, 20)], "#e7c35a")
    canvas.box(128, 92, 190, 230, "#4f7c6e")
    canvas.box(128, 178, 274, 232, "#4f7c6e")
    canvas.box(118, 150, 148, 236, "#3f6659")
    canvas.line([(182, 190), (250, 192), (258, 244)], "#35507a", 24)
    canvas.oval(266, 252, 36, 15, _BLACK)
    canvas.line([(178, 184), (188, 122)], "#b8576b", 44)
    canvas.oval(196, 82, 46, 52, "#e8b98f")
    canvas.oval(182, 76, 40, 56, "#6b3f22")
    canvas.line([(196, 130), (226, 160), (250, 144)], "#a34a5e", 15)
    canvas.shape([(232, 150), (262, 160), (262, 122), (232, 112)], _WHITE)
    canvas.shape([(262, 160), (292, 146), (292, 108), (262, 122)], "#e9e6da")
    canvas.line([(262, 160), (262, 122)], _GREY, 2)
    return canvas.png()


def _teapot() -> bytes:
    """A teapot with a clear outline before a plain wall."""
    canvas = _Canvas("#f4f1ea", "#d7c7ad", 216)
    canvas.arc(110, 150, 84, 88, (70, 290), 14)
    canvas.line([(248, 176), (286, 158), (304, 112)], "#4a76a8", 22)
    canvas.oval(184, 160, 160, 128, "#4a76a8")
    canvas.box(150, 214, 218, 228, "#345a86")
    canvas.oval(184, 102, 84, 26, "#345a86")
    canvas.oval(184, 84, 22, 20, "#345a86")
    return canvas.png()


def _sign() -> bytes:
    """A shop's sign with a friendly text."""
    canvas = _Canvas("#e9eef1", "#c9c2b6", 240)
    canvas.box(40, 40, 344, 222, "#1f5f4a")
    canvas.box(48, 48, 336, 214, "#f8f4e3")
    lines = (
        ("WELCOME!", 40, "#b02a2a"),
        ("We love our new bakery.", 22, _BLACK),
        ("Fresh bread every day.", 22, _BLACK),
    )
    for y, (text, size, colour) in zip((88, 140, 178), lines, strict=True):
        canvas.write(192, y, text, size, colour)
    return canvas.png()


_RECEIPT = (
    "Harbour Books Ltd",
    "12 Quay Street, Bristol",
    "Receipt 2041      3 May 2024",
    "",
    "Atlas of the Sea         24.50",
    "Pocket Notebook           6.25",
    "Pencils, 12 pieces        4.75",
    "",
    "Subtotal                 35.50",
    "VAT 20%                   7.10",
    "Total                    42.60",
    "",
    "Paid by card. Thank you!",
)


def write_pdf(lines: Sequence[str], width: int) -> bytes:
    """A PDF of one page, `width` points wide."""
    words = " ".join(f"({line}) Tj T*" for line in lines)
    content = f"BT /F1 12 Tf 16 TL 40 330 Td {words} ET"
    page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} 370] /Contents 4 0 R"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"{page} /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    )
    text, places = "%PDF-1.4\n", list[int]()
    for number, each in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}".encode()


def _passengers() -> bytes:
    """Sixty invented passengers; whether the last twelve survived is missing."""
    rng, sheet = random.Random(7), io.StringIO()
    rows = csv.writer(sheet, lineterminator="\n")
    rows.writerow(("passenger", "class", "sex", "age", "fare", "survived"))
    for number in range(1, 61):
        level, sex, age = rng.choice((1, 2, 3)), rng.choice(("female", "male")), rng.randint(2, 70)
        chance = 0.15 + 0.55 * (sex == "female") + 0.15 * (level == 1) + 0.15 * (age < 12)
        survived = "yes" if rng.random() < chance else "no"
        fare = round((70, 22, 9)[level - 1] * rng.uniform(0.8, 1.4), 2)
        rows.writerow((number, level, sex, age, fare, survived if number <= 48 else ""))
    return sheet.getvalue().encode()


def _speech(text: str, filters: str = "anull") -> Callable[[], bytes]:
    def make() -> bytes:
        spoken = speak({"text": (Text(text),), "language": (Text("en"),)}, "en").slots["audio"]
        assert isinstance(spoken, Blob)
        return _ffmpeg("-i", "-", "-filter_complex", filters, *_MP3, data=spoken.data)

    return make


_MP3 = ("-ar", "16000", "-ac", "1", "-b:a", "24k", "-f", "mp3")
_NOISE = (
    "anoisesrc=color=white:amplitude=0.03:seed=7:sample_rate=22050[noise];"
    "[0:a][noise]amix=inputs=2:duration=first:normalize=0"
)


def _clip() -> bytes:
    """Two seconds: a ball that rolls over grass, from left to right."""
    frames = bytearray()
    for number in range(24):
        canvas = _Canvas()
        canvas.oval(40 + number * 13, 196, 56, 56, "#c8322f")
        frames += canvas.image.resize((192, 144), Image.Resampling.LANCZOS).tobytes()
    raw = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "192x144", "-r", "12", "-i", "-")
    code = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "30")
    play = ("-movflags", "frag_keyframe+empty_moov", "-f", "mp4")
    return _ffmpeg(*raw, *code, *play, data=bytes(frames))


def _ffmpeg(*options: str, data: bytes) -> bytes:
    command = ("ffmpeg", "-v", "error", *options, "-fflags", "+bitexact", "-map_metadata", "-1")
    return subprocess.run([*command, "-"], input=data, capture_output=True, check=True).stdout


FILES: dict[str, Callable[[], bytes]] = {
    "fruit.png": _fruit,
    "house.png": _house,
    "cat.png": _cat,
    "zebras-a.png": _zebras([(110, 190), (270, 200)]),
    "zebras-b.png": _zebras([(180, 195)]),
    "zebras-c.png": _zebras([(70, 180), (190, 215), (300, 180)]),
    "sailing-a.png": _sailing(sails=2),
    "sailing-b.png": _sailing(sails=1),
    "car-c.png": _car,
    "boy.png": _boy,
    "reader.png": _reader,
    "teapot.png": _teapot,
    "sign.png": _sign,
    "receipt.pdf": lambda: write_pdf(_RECEIPT, 320),
    "passengers.csv": _passengers,
    "message.mp3": _speech("Good morning. The train to London leaves at nine."),
    "noisy.mp3": _speech("Please bring two apples and some bread.", _NOISE),
    "ball.mp4": _clip,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, make in FILES.items():
        data = make()
        (FOLDER / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
