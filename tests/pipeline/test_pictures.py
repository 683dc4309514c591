"""Pictures for language models: which ones, how many, and what is left out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.domain import Attachment, Blob, NamedFile
from pipeline.pictures import MOST_PICTURES, PictureLoader, list_pictures
from tests.fakes.media import FakeMedia
from tests.fakes.persistence import FakeFiles
from tests.pipeline.planning.builders import file, request

PNG = b"\x89PNG "


@dataclass
class Bench:
    """A loader over a fake store."""

    files: FakeFiles = field(default_factory=FakeFiles)
    media: FakeMedia = field(default_factory=FakeMedia)

    def __post_init__(self) -> None:
        self.loader = PictureLoader(self.files, self.media)

    async def store(self, name: str, data: bytes, media_type: str = "image/png") -> NamedFile:
        key = await self.files.put(data)
        return NamedFile(
            name, Attachment(hash=key, media_type=media_type, name=f"{name}.png", size=len(data))
        )

    async def load(self, *files: NamedFile) -> Sequence[Blob]:
        return await self.loader.load(files)


def test_the_pictures_of_the_message_come_first_then_the_latest_of_the_thread() -> None:
    earlier = (file("image 1"), file("sound", "a.wav"), file("image 2"))

    listed = list_pictures(request("look", file("image 3"), file("doc", "a.pdf"), earlier=earlier))

    assert [picture.name for picture in listed] == ["image 3", "image 2", "image 1"]


async def test_pictures_are_loaded_with_their_names_in_order_and_only_some() -> None:
    bench = Bench()
    pictures = [await bench.store(f"image {at}", PNG + bytes([at])) for at in range(6)]

    loaded = await bench.load(*pictures)

    assert [picture.name for picture in loaded] == [f"image {at}" for at in range(MOST_PICTURES)]
    assert loaded[1] == Blob(PNG + b"\x01", "image/jpeg", "image 1")


async def test_the_same_picture_under_two_names_is_loaded_once_under_the_first() -> None:
    bench = Bench()
    same = [await bench.store(name, PNG) for name in ("image 2", "image 1")]

    assert [picture.name for picture in await bench.load(*same)] == ["image 2"]


async def test_what_is_gone_broken_or_no_picture_is_left_out() -> None:
    bench = Bench()
    broken = await bench.store("image 1", b"GIF")
    sound = await bench.store("audio 1", b"RIFF", "audio/wav")
    good = await bench.store("image 3", PNG)

    loaded = await bench.load(broken, file("image 2"), sound, good)

    assert [picture.name for picture in loaded] == ["image 3"]


async def test_a_picture_of_too_many_bytes_is_left_out() -> None:
    bench = Bench()

    assert not await bench.load(await bench.store("image 1", PNG * 250_000))


async def test_a_picture_is_scaled_once_for_planner_and_responder() -> None:
    bench = Bench()
    picture = await bench.store("image 1", PNG)

    first, second = await bench.load(picture), await bench.load(picture)

    assert first == second
    assert bench.media.done == ["preview image 1.png at 1024"]


async def test_memory_for_pictures_is_bounded() -> None:
    bench = Bench()
    pictures = [await bench.store(f"image {at}", PNG + bytes([at])) for at in range(40)]

    for picture in (*pictures, pictures[0]):
        await bench.load(picture)

    assert len(bench.media.done) == len(pictures) + 1
