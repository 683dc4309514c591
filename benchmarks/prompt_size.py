"""The length of the planning prompt for many requests without history.

    python -m benchmarks.prompt_size [--taskbench FILE.jsonl] [--json]

Counts the messages and the schema where every kind can run, with three models for each kind that
models are offered for. Uses the everyday requests of the development half, and TaskBench's if a
file is given. The models come from the shipped list; kinds with fewer than three get copies.
"stable" is the system message and the schema, which are the same for every request, so that servers
can cache them. Tokens are counted with cl100k_base if tiktoken and its vocabulary are available,
else estimated; the method is printed.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import quantiles

from benchmarks.counting import counter
from benchmarks.planning.rows import everyday_file
from bot.places import HOSTED, LOCAL
from pipeline.domain import (
    Attachment,
    Channel,
    FileHash,
    Model,
    NamedFile,
    Person,
    Request,
    RunId,
    Thread,
)
from pipeline.planning.prompt import OFFERED_KINDS, Abilities, plan_prompt, stable_block
from pipeline.selection.curated import load_known_models
from pipeline.task_kinds import KINDS

THREAD = Thread(Channel("slack", "T024BE7LD", "C024BE91L"), "1700000000.000100")
FILES: Mapping[str, tuple[str, str, str]] = {
    "image": ("image/jpeg", "jpg", "JPEG picture, 1280 x 960"),
    "audio": ("audio/wav", "wav", "sound, 12 s, 16 kHz"),
    "video": ("video/mp4", "mp4", "film, 640 x 480, 8 s"),
    "document": ("application/pdf", "pdf", "PDF, 3 pages"),
    "table": ("text/csv", "csv", "table, 120 rows: date, product, price"),
}
BUDGET, ROOM = 4300, 128_000


@dataclass(frozen=True)
class Sizes:
    """Prompt sizes in tokens for a set of requests."""

    of: str
    requests: int
    p50: float
    p95: float
    most: int
    stable: int
    over: int
    words: int
    """The longest request text."""


def three() -> Mapping[str, Sequence[Model]]:
    """Three models for each kind."""
    found: dict[str, list[Model]] = {}
    for model in load_known_models([HOSTED, LOCAL]):
        found.setdefault(model.kind, []).append(model)
    spare = Model("acme/general-model", "", (HOSTED,), description="good at most of it")
    for kind in KINDS:
        models = found.setdefault(kind, [replace(spare, kind=kind)])
        own = models[0]
        models += [replace(own, id=f"{own.id}-v{at + 1}") for at in range(len(models), 3)]
    return {kind: models[:3] for kind, models in found.items()}


def asked(text: str, files: Sequence[str]) -> Request:
    named = []
    for number, kind in enumerate(files, 1):
        media_type, ending, about = FILES[kind]
        name = f"IMG_20{number}.{ending}"
        attachment = Attachment(
            hash=FileHash(str(number)), media_type=media_type, name=name, size=10, description=about
        )
        named.append(NamedFile(f"{kind} {number}", attachment))
    return Request(
        run=RunId("r"), thread=THREAD, person=Person("U1", "Ann"), text=text, files=tuple(named)
    )


def sizes(of: str, requests: Sequence[Request]) -> Sizes:
    _, count = counter()
    models = {kind: three()[kind] for kind in OFFERED_KINDS}
    block = stable_block(Abilities())
    schema = json.dumps(block.schema, separators=(",", ":"))
    found = []
    for request in requests:
        prompt = plan_prompt(request, block, room=ROOM, models=models)
        assert prompt.messages[0] == block.messages[0]
        found.append(count("\n".join((*(message.text for message in prompt.messages), schema))))
    cuts = quantiles(found, n=20)
    return Sizes(
        of=of,
        requests=len(found),
        p50=cuts[9],
        p95=cuts[18],
        most=max(found),
        stable=count(block.messages[0].text + schema),
        over=sum(one > BUDGET for one in found),
        words=max(count(request.text) for request in requests),
    )


def measure(taskbench: Path | None) -> list[Sizes]:
    rows = everyday_file("everyday_dev.jsonl")
    found = [sizes("everyday requests", [asked(row.text, row.files) for row in rows])]
    if taskbench is not None:
        lines = taskbench.read_text("utf-8").splitlines()
        texts = [json.loads(line)["user_request"] for line in lines if line]
        found.append(sizes("TaskBench's requests", [asked(text, ()) for text in texts]))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--taskbench", type=Path)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    found = measure(given.taskbench)
    if given.json:
        print(json.dumps([{"tokens": counter()[0], **asdict(one)} for one in found], indent=2))
        return
    print(f"tokens: {counter()[0]}")
    print(f"| requests | | p50 | p95 | most | stable | over {BUDGET} | longest request |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for one in found:
        print(
            f"| {one.of} | {one.requests} | {one.p50:.0f} | {one.p95:.0f} | {one.most} "
            f"| {one.stable} | {one.over} | {one.words} |"
        )


if __name__ == "__main__":
    main()
