"""40 everyday requests, and a language model that plans them as a good one does."""

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from adapters.media.ffmpeg import find_ffmpeg
from benchmarks.paper_files import write_pdf
from evaluation.trials import FOLDER, SuiteRequest, SuiteTurn
from pipeline.domain import TaskKind, Type
from pipeline.task_kinds import KINDS
from tests.adapters.media.samples import mp3, saved
from tests.servers.openai import Asked

_REQUESTS = Path(__file__).parent / "data" / "everyday.jsonl"
_RECEIPT = ("Harbour Books Ltd", "Atlas of the Sea 24.50", "Notebook 6.25", "Total 30.75")
_LETTER = (
    "Dear Ms Ruiz,",
    "Siemens is going to close the office in Hamburg for repairs.",
    "The deadline for your answer is 30 June 2027.",
    "Kind regards, Tom Becker",
)
_SCREENSHOT = ("Thank you so much for your help!", "That was very kind of you.")
_RECORDING = ("-t", "1", "-i", str(FOLDER / "message.mp3"))
"""The first second of a voice message: to recognise its words takes as long as all else here."""
_SHEET = "item,price,montant\nchair,40,120\ntable,200,400\nlamp,30,90\n"


@dataclass(frozen=True)
class Everyday:
    """A request, the kinds that a good plan has (any of these lists), and the language that a
    translation is to be in, "" if none is asked for.
    """

    id: str
    text: str
    files: tuple[str, ...]
    kinds: tuple[tuple[str, ...], ...]
    language: str

    @property
    def suite(self) -> SuiteRequest:
        """The request as trials take it."""
        names = tuple(FILES[name][0] for name in self.files)
        return SuiteRequest(self.id, (SuiteTurn(self.text, names, self.kinds),))

    def find_plan(self, offered: Sequence[str]) -> tuple[str, ...]:
        """The first of the plans of which all kinds are offered; () if there is none."""
        return next((kinds for kinds in self.kinds if set(kinds) <= set(offered)), ())


@cache
def read_requests() -> tuple[Everyday, ...]:
    rows = map(json.loads, _REQUESTS.read_text("utf-8").splitlines())
    return tuple(
        Everyday(
            id=row["id"],
            text=row["text"],
            files=tuple(row["files"]),
            kinds=tuple(map(tuple, row["any_of_kinds"])),
            language=row.get("target_language", ""),
        )
        for row in rows
    )


def plan(asked: Asked) -> str:
    """The plan that a good model writes: with what is offered, else a word that it cannot be."""
    request = next(each for each in read_requests() if each.text in asked.texts[1])
    kinds = request.find_plan(list_general(asked))
    tasks = list(_write_tasks(request, kinds))
    return json.dumps(
        {
            "thought": "",
            "action": "tasks" if tasks else "reply",
            "say": "" if tasks else "That is not possible here.",
            "tasks": tasks,
            "continue": False,
        }
    )


def list_offered(asked: Asked) -> Sequence[str]:
    """The kinds in the schema of a plan; () if it is no plan that is asked for."""
    schema = asked.body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    match schema:
        case {"properties": {"tasks": {"items": {"properties": {"task": {"enum": [*kinds]}}}}}}:
            return kinds
        case _:
            return ()


def list_general(asked: Asked) -> Sequence[str]:
    """The offered kinds of which the prompt does not say that they are for one thing only."""
    lines = asked.text.splitlines()
    special = {line.partition("(")[0] for line in lines if line.endswith("and nothing else")}
    return [kind for kind in list_offered(asked) if kind not in special]


def _write_tasks(request: Everyday, kinds: Sequence[str]) -> Iterator[dict[str, Any]]:
    for number, kind in enumerate(kinds):
        made = KINDS[kinds[number - 1]].makes[0].type if number else None
        feeds = any(made in slot.types for slot in KINDS[kind].takes)
        args = [
            {"name": name, "value": value}
            for name, values in _fill_in(request, KINDS[kind], number if feeds else 0).items()
            for value in values
        ]
        dep = [number - 1] if number and feeds else []
        yield {"id": number, "task": kind, "dep": dep, "args": args, "model": ""}


def _fill_in(request: Everyday, kind: TaskKind, number: int) -> Mapping[str, Sequence[str]]:
    """The arguments of a task; from the second on it works on what the one before made."""
    source = f"<GENERATED>-{number - 1}" if number else _find_source(request, kind)
    known = {"labels": ("friendly", "angry"), "question": (request.text,)}
    names = [slot.name for slot in kind.takes if slot.required]
    if "image" in names or "file" in names:
        known["text"] = (request.text,)
    if request.language and kind.name in ("translation", "text-to-speech"):
        known["language"] = (request.language,)
        names.append("language")
    return {name: known.get(name, (source,)) for name in names}


def _find_source(request: Everyday, kind: TaskKind) -> str:
    """The name of the file, else the words that are to be worked on."""
    types = {type_ for slot in kind.takes for type_ in slot.types}
    for name in request.files:
        type_ = FILES[name][1]
        if type_ in types or type_ is Type.VIDEO:
            return f"{type_.value} 1"
    before, _, after = request.text.partition(": ")
    quoted = request.text.split('"')
    if len(quoted) > 2:
        return quoted[1]
    return after or before


def _letters(lines: Sequence[str]) -> bytes:
    sheet = Image.new("RGB", (760, 60 + 50 * len(lines)), "white")
    canvas = ImageDraw.Draw(sheet)
    for number, line in enumerate(lines):
        canvas.text((30, 30 + 50 * number), line, "black", ImageFont.load_default(28))
    return saved(sheet, "PNG")


def _clip() -> bytes:
    """The ball, with the recording as its sound."""
    files = ("-i", str(FOLDER / "ball.mp4"), *_RECORDING)
    code = ("-c:v", "copy", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-f", "mp4")
    return _run_ffmpeg(*files, *code)


def _run_ffmpeg(*args: str) -> bytes:
    ffmpeg = find_ffmpeg()
    assert ffmpeg, "the extra [embedded] brings ffmpeg"
    command = (ffmpeg, "-v", "error", *args, "-")
    return subprocess.run(command, capture_output=True, check=True).stdout


def _copy(name: str) -> Callable[[], bytes]:
    return (FOLDER / name).read_bytes


FILES: Mapping[str, tuple[str, Type, Callable[[], bytes]]] = {
    "photo": ("IMG_4471.png", Type.IMAGE, _copy("car-c.png")),
    "screenshot": ("screenshot.png", Type.IMAGE, lambda: _letters(_SCREENSHOT)),
    "receipt": ("receipt.png", Type.IMAGE, lambda: _letters(_RECEIPT)),
    "pdf": ("letter.pdf", Type.DOCUMENT, lambda: write_pdf(_LETTER, 420)),
    "csv": ("sheet.csv", Type.TABLE, _SHEET.encode),
    "speech": ("recording.mp3", Type.AUDIO, lambda: _run_ffmpeg(*_RECORDING, "-f", "mp3")),
    "song": ("song.mp3", Type.AUDIO, mp3),
    "clip": ("clip.mp4", Type.VIDEO, _clip),
}
"""What the requests call their files → name, type, and how it is made."""


def write_files(folder: Path) -> None:
    for name, _, make in FILES.values():
        (folder / name).write_bytes(make())
