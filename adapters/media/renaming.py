"""The names of converted files."""

from pipeline.domain import Blob
from pipeline.text.names import find_ending


def rename(blob: Blob, data: bytes, media_type: str) -> Blob:
    """A blob with new data and its type, named like the old one but for the ending."""
    stem, dot, _ending = blob.name.rpartition(".")
    name = f"{stem if dot else blob.name or 'file'}.{find_ending(media_type)}"
    return Blob(data, media_type, name, alt=blob.alt)
