"""A fake of the media port."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.domain import Blob, Boxes, FileDescription, Labels, Masks
from pipeline.errors import MediaError

_MARKS = (
    (b"\x89PNG", "image/png", "picture"),
    (b"\xff\xd8", "image/jpeg", "photo"),
    (b"RIFF", "audio/wav", "sound"),
    (b"%PDF", "application/pdf", "PDF"),
)


@dataclass
class FakeMedia:
    """Detects four file types by their first bytes, else text, and records its calls.

    Converting only changes the type; drawing returns the image.
    """

    done: list[str] = field(default_factory=list)

    async def describe(self, blob: Blob) -> FileDescription:
        self.done.append(f"describe {blob.name}")
        if not blob.data:
            raise MediaError("media-empty")
        for mark, media_type, words in _MARKS:
            if blob.data.startswith(mark):
                return FileDescription(media_type, words)
        return FileDescription("text/plain", f"text, {len(blob.data.split())} words")

    async def convert(self, blob: Blob, media_type: str) -> Blob:
        self.done.append(f"convert {blob.name} to {media_type}")
        if media_type.partition("/")[0] not in ("image", "audio", "video"):
            raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)
        return Blob(blob.data, media_type, blob.name, alt=blob.alt)

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        self.done.append(f"fit {blob.name} into {max_bytes}")
        if len(blob.data) <= max_bytes:
            return blob
        if not blob.media_type.startswith(("image/", "audio/", "video/")):
            raise MediaError("media-cannot-shrink", limit=max_bytes / 1_000_000)
        return Blob(blob.data[:max_bytes], blob.media_type, blob.name, alt=blob.alt)

    async def preview(self, image: Blob, side: int) -> Blob:
        self.done.append(f"preview {image.name} at {side}")
        if not image.data.startswith((b"\x89PNG", b"\xff\xd8")):
            raise MediaError("media-broken", kind="picture")
        return Blob(image.data, "image/jpeg", image.name, alt=image.alt)

    async def find_cut_out(self, picture: Blob) -> Blob | None:
        return Blob(b"alpha", "image/png") if b"transparent" in picture.data else None

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        self.done.append(f"draw {len(boxes.items)} boxes")
        return image

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        self.done.append(f"draw {len(masks.items)} masks")
        return image

    async def draw_depth(self, depth: Blob) -> Blob:
        self.done.append(f"colour {depth.name}")
        return Blob(b"\x89PNG", "image/png", depth.name)

    async def draw_table(self, table: Blob) -> Blob:
        self.done.append(f"draw {table.name}")
        return Blob(b"\x89PNG", "image/png", table.name)

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        self.done.append(f"label {blob.name} {sorted(made.values())}")
        return Blob(blob.data + b" ", blob.media_type, blob.name, alt=blob.alt)

    async def chart(self, labels: Labels) -> Blob:
        self.done.append(f"chart {len(labels.items)} labels")
        return Blob(b"\x89PNG", "image/png", "chart.png", alt=labels.items[0].label)
