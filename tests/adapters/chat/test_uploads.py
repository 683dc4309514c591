"""How files are batched into messages."""

from adapters.chat.uploads import Upload, UploadLimits, batch_uploads
from pipeline.domain import AnswerFile, Attachment, Blob, FileHash, TaskId, Type


def _upload(name: str, media_type: str, size: int = 1) -> Upload:
    attachment = Attachment(hash=FileHash(name), media_type=media_type, name=name, size=size)
    file = AnswerFile(attachment=attachment, alt=name, model="m", kind="k", task=TaskId(1))
    return Upload(file, Blob(b"0" * size, media_type, name))


def test_batches_keep_to_the_limits_and_types_apart_come_last() -> None:
    limits = UploadLimits(100, 10, 2, apart=frozenset({Type.AUDIO}))
    uploads = [
        _upload("a.mp3", "audio/mpeg"),
        _upload("b.png", "image/png", 6),
        _upload("c.png", "image/png", 6),
        _upload("d.csv", "text/csv"),
        _upload("e.mp3", "audio/mpeg"),
    ]

    batches = [[each.name for each in batch] for batch in batch_uploads(uploads, limits)]

    assert batches == [["b.png"], ["c.png", "d.csv"], ["a.mp3", "e.mp3"]]
