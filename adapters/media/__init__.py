"""Describes, converts and draws media files within limits: port `MediaTools`."""

from adapters.media.bounds import Bounds
from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia

__all__ = ["Bounds", "LocalMedia", "find_ffmpeg"]
