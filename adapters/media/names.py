"""What a converted file is called."""

from pipeline.domain import Blob

_ENDINGS = {
    "image/jpeg": "jpg",
    "image/tiff": "tif",
    "image/vnd.microsoft.icon": "ico",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "video/quicktime": "mov",
    "video/x-matroska": "mkv",
    "video/x-msvideo": "avi",
}


def renamed(blob: Blob, data: bytes, media_type: str) -> Blob:
    """New bytes of a new type under the old name, with the ending that fits."""
    stem, dot, _ending = blob.name.rpartition(".")
    named = f"{stem if dot else blob.name or 'file'}.{ending_of(media_type)}"
    return Blob(data, media_type, named, blob.alt)


def ending_of(media_type: str) -> str:
    return _ENDINGS.get(media_type) or media_type.partition("/")[2]
