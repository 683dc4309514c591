"""Pictures changed where they are told to be: by models that edit as told, and by models that paint into a mask (inpainting)."""

import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.kinds.media import decoded, picture, png
from adapters.local.kinds.painting import Painter, fitting, load, made, restyle
from adapters.local.shelf import Shelf, root_of
from adapters.local.table import Answer
from pipeline.errors import BadInput

_FINDER = "CLIPSegForImageSegmentation"
_LEAST, _SHARE = 0.25, 0.5
_GROWN = 64
"""A mask is a sixty-fourth of the picture wider on each side than what was found: edges belong to the thing."""
_BACKGROUND = "background, nothing else there"
_THE = r"(?:the|a|an|this|that|my|den|die|das|dem|der|el|la|los|las|le|les|l'|un|une|una)?\s*"
# fmt: off
_SWAPS = (
    rf"\b(?:replace|swap|exchange)\s+{_THE}(?P<thing>.+?)\s+(?:with|by|for)\s+(?P<new>.+)",
    rf"\b(?:turn|change|make)\s+{_THE}(?P<thing>.+?)\s+into\s+(?P<new>.+)",
    rf"\bersetz\w*\s+{_THE}(?P<thing>.+?)\s+durch\s+(?P<new>.+)",
    rf"\b(?:reemplaza|sustituye|cambia)\w*\s+{_THE}(?P<thing>.+?)\s+por\s+(?P<new>.+)",
    rf"\bremplac\w*\s+{_THE}(?P<thing>.+?)\s+par\s+(?P<new>.+)",
    r"把(?P<thing>.+?)(?:换成|变成|替换成|替换为)(?P<new>.+)",
    r"(?P<thing>.+?)を(?P<new>.+?)に(?:置き換え|変え|替え|差し替え)",
    rf"\b(?:remove|erase|delete|get rid of|take out)\s+{_THE}(?P<thing>.+)",
    rf"\b(?:entfern\w*|lösch\w*)\s+{_THE}(?P<thing>.+)",
    rf"\b(?:quita|elimina|borra)\w*\s+{_THE}(?P<thing>.+)",
    rf"\b(?:enl[eè]v|supprim|effac)\w*\s+{_THE}(?P<thing>.+)",
    r"(?:去掉|移除|删除)(?P<thing>.+)",
    r"(?P<thing>.+?)を(?:消|削除|取り除)",
)
# fmt: on


@dataclass(slots=True)
class Editor:
    """A painter, and for one that wants a mask what finds things by their names, if that is there."""

    painter: Painter
    finder: Loaded | None = None
    masked: bool = field(default=False)

    def modules(self) -> list[Any]:
        found = self.finder.modules() if self.finder else []
        return [*self.painter.modules(), *found]


def load_editor(path: Path, device: str) -> Editor:
    painter = load(path, device)
    if "mask_image" not in inspect.signature(painter.pipe.__call__).parameters:
        return Editor(painter)
    return Editor(painter, _finder(path, device), masked=True)


def _finder(path: Path, device: str) -> Loaded | None:
    entry = next((one for one in Shelf([root_of(path)]).all() if one.cls == _FINDER), None)
    if entry is None:
        return None
    import transformers as tr

    model = tr.CLIPSegForImageSegmentation.from_pretrained(entry.path).to(device).eval()
    processor = tr.AutoProcessor.from_pretrained(entry.path)
    return Loaded(model, device, entry.path, processor=processor)


def edit(editor: Editor, asked: Asked) -> Answer:
    if not editor.masked:
        return restyle(editor.painter, asked)
    from PIL import Image

    whole = picture(asked)
    image = fitting(whole)
    thing, prompt = described(asked.word("prompt"))
    mask = _mask(editor, asked, image, asked.word("mask_prompt") or thing)
    given = {"prompt": prompt, "image": image, "mask_image": mask}
    sizes = {"width": image.width, "height": image.height}
    painted = made(editor.painter.pipe, editor.painter, asked, **given, **sizes).images[0]
    kept = Image.composite(painted.resize(whole.size), whole, mask.resize(whole.size))
    return png(kept)


def described(prompt: str) -> tuple[str, str]:
    """What is to go, and what is to be there in its place; ("", the prompt) where it names no such thing."""
    said = prompt.strip().rstrip(".!。")
    for pattern in _SWAPS:
        if hit := re.search(pattern, said, re.IGNORECASE):
            new = hit.groupdict().get("new") or _BACKGROUND
            return hit["thing"].strip(), new.strip()
    return "", prompt


def _mask(editor: Editor, asked: Asked, image: Any, thing: str) -> Any:
    """White where is to be painted: the masks that are given, else where the thing is. Raises BadInput."""
    given = asked.parameters.get("mask_image")
    if given:
        return _together(given if isinstance(given, list) else [given], image.size)
    if not thing:
        raise BadInput("local-no-mask")
    if editor.finder is None:
        raise BadInput("local-no-finder")
    return _found(editor.finder, image, thing)


def _together(given: list[Any], size: tuple[int, int]) -> Any:
    from PIL import Image, ImageChops

    whole = Image.new("L", size)
    for content in given:
        one = decoded(Asked("", content, {}).file(), "L").resize(size)
        whole = ImageChops.lighter(whole, one.point(lambda light: 255 if light > 127 else 0))  # noqa: PLR2004
    return whole


def _found(finder: Loaded, image: Any, thing: str) -> Any:
    """Where a thing that is named is likeliest, a little wider."""
    import numpy as np
    import torch
    from PIL import Image, ImageFilter

    inputs = finder.processor(text=[thing], images=[image], return_tensors="pt", truncation=True)
    with torch.inference_mode():
        logits = finder.model(**inputs.to(finder.device)).logits
    likely = logits.reshape(logits.shape[-2:]).sigmoid().float().cpu().numpy()
    if likely.max() < _LEAST:
        raise BadInput("local-thing-not-found", thing=thing)
    white = (likely > _SHARE * likely.max()).astype(np.uint8) * 255
    mask = Image.fromarray(white).resize(image.size)
    return mask.filter(ImageFilter.MaxFilter(max(image.size) // _GROWN * 2 + 1))
