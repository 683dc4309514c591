"""Sounds in other formats, by the encoder that comes with ffmpeg's wheel."""

import subprocess

import imageio_ffmpeg

_CONTAINERS = {"flac": "flac", "mp3": "mp3", "vorbis": "ogg", "aac": "adts"}
_ENCODERS = {"vorbis": "libvorbis", "mp3": "libmp3lame"}


def encoded(wav: bytes, codec: str) -> bytes:
    made = subprocess.run(
        [
            *(imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", "pipe:0"),
            *("-c:a", _ENCODERS.get(codec, codec), "-f", _CONTAINERS[codec], "pipe:1"),
        ],
        input=wav,
        capture_output=True,
        check=True,
    )
    return made.stdout
