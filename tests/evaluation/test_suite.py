"""The requests of `troupe evaluate --suite paper` and their files."""

from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from evaluation.trials import FOLDER, SuiteTurn, read_paper_suite
from pipeline.domain import Blob, Type, type_of
from pipeline.task_kinds import KINDS
from tests.fakes.outside import FakeWorkers

_SUITE = read_paper_suite()
_TURNS = [turn for request in _SUITE.requests for turn in request.turns]
_BYTES = 16_000


def test_the_suite_has_the_24_requests_and_one_of_three_turns() -> None:
    assert [request.id for request in _SUITE.requests] == [str(id_) for id_ in range(1, 25)]
    assert {request.id: len(request.turns) for request in _SUITE.requests}["23"] == 3


def test_every_acceptable_kind_exists_and_every_turn_has_some() -> None:
    assert all(turn.kinds for turn in _TURNS)
    assert {kind for turn in _TURNS for kinds in turn.kinds for kind in kinds} <= KINDS.keys()


def test_every_file_is_used_small_and_described() -> None:
    sent = {name for turn in _TURNS for name in turn.files}
    files = {path.name: path.stat().st_size for path in FOLDER.iterdir()}

    assert sent == _SUITE.contents.keys() == files.keys() - {"requests.json"}
    assert max(files.values()) < _BYTES


async def test_every_file_is_what_its_name_says() -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)
    types = {".png": Type.IMAGE, ".mp3": Type.AUDIO, ".mp4": Type.VIDEO, ".csv": Type.TABLE}

    for path in FOLDER.iterdir():
        described = await media.describe(Blob(path.read_bytes(), "", path.name))
        assert type_of(described.media_type) is types.get(path.suffix, Type.DOCUMENT)


def test_a_plan_needs_the_kinds_of_one_of_the_lists() -> None:
    turn = SuiteTurn("x", (), (("image-to-text", "image-to-text"), ("depth-estimation",)))

    assert turn.accepts(["image-to-text", "translation", "image-to-text"])
    assert turn.accepts(["depth-estimation"])
    assert not turn.accepts(["image-to-text"])
    assert not turn.accepts([])
