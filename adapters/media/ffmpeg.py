"""How ffmpeg is found and called, and its calls in a worker."""

import errno
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.domain import Blob
from pipeline.errors import NO_ROOM, BadInput, ExpertRefused, MediaError
from pipeline.text.names import CONTAINERS

SEVERAL = ("-fps_mode", "vfr")
"""Options of a result that is several files."""
_EXPERT_SECONDS = 240
"""Processor time of an expert's call."""
_EXPERT_BYTES = "500M"
"""The largest result of an expert."""
_READERS: Mapping[str, str] = {**CONTAINERS, "image/png": "png_pipe", "image/apng": "apng"}
"""What experts may give to ffmpeg: pictures, too."""
_PROBLEMS: Mapping[bytes, str] = {
    b"is empty": "embedded-nothing-left",
    b"not contain any stream": "embedded-no-sound",
}
"""Words of ffmpeg's, and what they mean to experts."""


def find_ffmpeg() -> str | None:
    """The path of ffmpeg: from the extra [embedded], else the system's. None if not installed.

    Blocks at first: the extra runs the program once to see whether it works.
    """
    if find_spec("imageio_ffmpeg"):
        from imageio_ffmpeg import get_ffmpeg_exe

        with suppress(RuntimeError):
            return str(get_ffmpeg_exe())
    return shutil.which("ffmpeg")


def run_in_worker(
    blob: Blob, before: Sequence[str], options: Sequence[str], ending: str
) -> dict[str, bytes]:
    """Run ffmpeg within a worker, for an expert; returns the result as {"": data}.

    `before` are options for the file, `options` those of the result, whose type `ending` names.
    With `SEVERAL` among them, there are several results: {"-01": data, "-02": data}. Raises
    BadInput for a file that cannot be read or takes too long, ExpertRefused for one of another
    type, and MediaError without ffmpeg.
    """
    program, reader = find_ffmpeg(), _READERS.get(blob.media_type)
    if program is None:
        raise MediaError("media-needs-ffmpeg")
    if reader is None:
        raise ExpertRefused("embedded-file-type", slot="file")
    with TemporaryDirectory(prefix="troupe-") as folder:
        several = "-%02d" if SEVERAL[0] in options else ""
        source, target = Path(folder, "in"), Path(folder, f"out{several}.{ending}")
        source.write_bytes(blob.data)
        limits = ("-v", "error", "-timelimit", str(_EXPERT_SECONDS), "-abort_on", "empty_output")
        after = (*options, "-fs", _EXPERT_BYTES, "-map_metadata", "-1")
        command = list_command(program, (*limits, *before), reader, source, after, target)
        try:
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own arguments
        except subprocess.CalledProcessError as error:
            if -error.returncode == signal.SIGXCPU:
                raise BadInput("embedded-too-long") from error
            check_room(error.stderr)
            sentences = (_PROBLEMS[words] for words in _PROBLEMS if words in error.stderr)
            raise BadInput(next(sentences, "embedded-film-unreadable")) from error
        paths = sorted(Path(folder).glob("out*"))
        return {path.stem.removeprefix("out"): path.read_bytes() for path in paths}


def list_command(
    program: str,
    before: Sequence[str],
    reader: str,
    source: Path,
    after: Sequence[str],
    target: Path,
) -> Sequence[str]:
    """The command that reads one file as what it is, and opens no other and no address."""
    quiet = (program, "-hide_banner", "-nostdin", "-y", "-protocol_whitelist", "file")
    return (*quiet, *before, "-f", reader, "-i", str(source), *after, str(target))


def check_room(output: bytes) -> None:
    """Raises the OSError of a full disk if ffmpeg says that there is no room."""
    if NO_ROOM in output:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
