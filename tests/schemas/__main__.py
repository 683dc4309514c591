"""Writes official.json anew: `python -m tests.schemas FOLDER`, the folder of the unpacked npm
package @huggingface/tasks.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.schemas import OFFICIAL_FILE

_WORDS = frozenset({"$id", "$schema", "title", "description", "comment", "$comment", "example"})
_LEFT_OUT = frozenset({"placeholder"})


def _bare(schema: Any, *, names: bool = False) -> Any:
    """A schema without what is only said; under `names` the keys are names of properties."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _bare(value, names=key in ("properties", "$defs") and not names)
        for key, value in schema.items()
        if names or key not in _WORDS
    }


def _digest(package: Path) -> dict[str, Any]:
    version = json.loads((package / "package.json").read_text())["version"]
    tasks = package / "src/tasks"
    common = json.loads((tasks / "common-definitions.json").read_text())
    found = sorted(tasks.glob("*/spec/*.json"))
    digest: dict[str, Any] = {}
    for file in found:
        task, side = file.parts[-3], file.stem
        if task not in _LEFT_OUT and side in ("input", "output"):
            digest.setdefault(task, {})[side] = _bare(json.loads(file.read_text()))
    said = f"packages/tasks of huggingface/huggingface.js (npm @huggingface/tasks {version})"
    return {
        "licence": f"MIT, Hugging Face: {said}, without descriptions",
        "common": _bare(common["definitions"], names=True),
        "tasks": digest,
    }


def _written(digest: Mapping[str, Any]) -> str:
    """A line for each task."""
    lines = (f"{json.dumps(task)}: {json.dumps(sides)}" for task, sides in digest["tasks"].items())
    heads = [f"{json.dumps(name)}: {json.dumps(digest[name])}" for name in ("licence", "common")]
    return '{{\n{},\n"tasks": {{\n{}\n}}}}\n'.format(",\n".join(heads), ",\n".join(lines))


if __name__ == "__main__":
    OFFICIAL_FILE.write_text(_written(_digest(Path(sys.argv[1]))))
