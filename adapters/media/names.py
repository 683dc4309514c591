"""What a converted file is called."""

from pipeline.domain import Blob
from pipeline.text.names import ending_of


def renamed(blob: Blob, data: bytes, media_type: str) -> Blob:
    """New bytes of a new type under the old name, with the ending that fits."""
    stem, dot, _ending = blob.name.rpartition(".")
    named = f"{stem if dot else blob.name or 'file'}.{ending_of(media_type)}"
    return Blob(data, media_type, named, blob.alt)
