"""Downloads models into the Hub's cache: only what is read, resumed within a file, checked.

The bytes come by huggingface_hub's own download, which resumes where a file of ours ends. Its
`snapshot_download` begins each file anew after the program was killed (huggingface_hub 2.4), so the
links of a snapshot are set here, the configuration last: before, no server sees the model.
"""

import fcntl
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial as bind
from pathlib import Path
from typing import Any, Self

from huggingface_hub import HfApi, ModelInfo, hf_hub_url
from huggingface_hub.file_download import http_get, repo_folder_name
from huggingface_hub.utils._headers import build_hf_headers
from huggingface_hub.utils._http import get_session, hf_raise_for_status
from huggingface_hub.utils.sha import git_hash, sha_fileobj

from adapters.local.hub_client import HUB_SECONDS, translate_failures, use_network
from adapters.local.model_files import PIPELINE, choose_files, is_weights
from adapters.network.proxies import Network, hide_login
from pipeline.errors import FetchError

_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
"""Of a revision, and of a file in the cache: what git or SHA-256 makes of its bytes."""
_MOST_FILES = 5_000
"""Of one repository that are looked at."""
_MOST_INDEX = 1 << 20
"""Bytes of a pipeline's configuration."""
_TRIES = 2
"""A file that is damaged is fetched once more from its beginning."""

Tell = Callable[[int], None]
"""Hears how many bytes of a model are here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """A file of a repository. `name` is its name in the cache; `is_large`: it has a SHA-256."""

    path: str
    size: int
    name: str
    is_large: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HubModel:
    """What the Hub says of a model, and the files of it that the server reads, config last."""

    id: str
    revision: str
    licence: str
    kind: str
    files: tuple[HubFile, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def weight_bytes(self) -> int:
        return sum(file.size for file in self.files if is_weights(Path(file.path).name))


@contextmanager
def open_downloads(
    endpoint: str, folder: Path, *, token: str, network: Network
) -> Iterator["Downloads"]:
    """Downloads from a Hub into a folder, by the rule for connections."""
    with use_network(network):
        yield Downloads(endpoint, folder, token)


class Downloads:
    """One Hub and one cache. Every method blocks, and raises FetchError with the way out."""

    def __init__(self, endpoint: str, folder: Path, token: str) -> None:
        self._endpoint, self._folder = endpoint.rstrip("/"), folder
        self._token = token or None  # None: the one of `hf auth login`, if there is one
        self._api = HfApi(self._endpoint, token=self._token)

    def find(self, model: str) -> HubModel:
        """What the Hub says of a model, with the exact sizes of the files to fetch."""
        with self._translate(model):
            info = self._api.model_info(model, files_metadata=True, timeout=HUB_SECONDS)
            if info.gated:
                self._api.auth_check(model)
            names = [sibling.rfilename for sibling in info.siblings or ()][:_MOST_FILES]
            pipeline = self._read_pipeline(model, str(info.sha)) if PIPELINE in names else None
        if info.id != model:
            raise FetchError("pull-renamed", model=model, name=info.id)
        if not (chosen := choose_files(names, pipeline)):
            raise FetchError("pull-no-weights", model=model)
        return _read_info(info, chosen)

    def count_missing(self, model: HubModel) -> int:
        """The bytes of a model that are still to be fetched."""
        return sum(file.size - self._count_here(model, file) for file in model.files)

    def is_here(self, model: HubModel) -> bool:
        """Whether this revision is complete."""
        snapshot = self._find_snapshot(model)
        return all((snapshot / file.path).is_file() for file in model.files)

    def fetch(self, model: HubModel, tell: Tell) -> Path:
        """Fetch what is missing, and let servers see the model. Returns its folder."""
        here = 0
        with self._translate(model.id):
            for file in model.files:
                self._fetch_file(model, file, bind(_add, tell, here))
                here += file.size
            snapshot = self._link(model)
        for old in self._find_blobs(model).glob("*.incomplete"):
            if _NAME.fullmatch(old.stem):  # of another revision
                old.unlink(missing_ok=True)
        return snapshot

    def _fetch_file(self, model: HubModel, file: HubFile, tell: Tell) -> None:
        blob = self._find_blobs(model) / file.name
        blob.parent.mkdir(parents=True, exist_ok=True)
        if blob.exists():
            tell(file.size)
            return
        url = hf_hub_url(model.id, file.path, revision=model.revision, endpoint=self._endpoint)
        partial = blob.with_name(f"{blob.name}.incomplete")
        for _ in range(_TRIES):
            with _Partial(partial, tell) as target:
                target.lock(model.id)
                size = target.seek(0, io.SEEK_END)
                if size > file.size:
                    target.truncate(0)
                    size = target.seek(0)
                headers = build_hf_headers(token=self._token)
                headers["Accept-Encoding"] = "identity"  # a compressed file cannot be resumed
                http_get(
                    url,
                    target,
                    resume_size=size,
                    headers=headers,
                    expected_size=file.size,
                    tqdm_class=_NoBar,
                )
                os.fsync(target.fileno())
                if _is_as_told(partial, file):
                    partial.replace(blob)
                    return
                partial.unlink()
        raise FetchError("pull-damaged", model=model.id, file=file.path)

    def _link(self, model: HubModel) -> Path:
        """Set the links of a snapshot as the Hub's library does."""
        snapshot, blobs = self._find_snapshot(model), self._find_blobs(model)
        for file in model.files:
            link = snapshot / file.path
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_file():
                link.unlink(missing_ok=True)
                link.symlink_to(os.path.relpath(blobs / file.name, link.parent))
        main = snapshot.parents[1] / "refs" / "main"
        main.parent.mkdir(exist_ok=True)
        changed = main.with_name("main.incomplete")
        changed.write_text(model.revision)
        changed.replace(main)
        return snapshot

    def _count_here(self, model: HubModel, file: HubFile) -> int:
        blob = self._find_blobs(model) / file.name
        for path in (blob, blob.with_name(f"{blob.name}.incomplete")):
            if path.exists():
                return min(path.stat().st_size, file.size)
        return 0

    def _find_repository(self, model: HubModel) -> Path:
        return self._folder / repo_folder_name(repo_id=model.id, repo_type="model")

    def _find_blobs(self, model: HubModel) -> Path:
        return self._find_repository(model) / "blobs"

    def _find_snapshot(self, model: HubModel) -> Path:
        return self._find_repository(model) / "snapshots" / model.revision

    def _read_pipeline(self, model: str, revision: str) -> Mapping[str, Any]:
        url = hf_hub_url(model, PIPELINE, revision=revision, endpoint=self._endpoint)
        headers, text = build_hf_headers(token=self._token), bytearray()
        with get_session().stream("GET", url, headers=headers) as response:
            hf_raise_for_status(response)
            for piece in response.iter_bytes():
                text += piece
                if len(text) > _MOST_INDEX:
                    raise ValueError("an index that is too long")
        document = json.loads(text)
        return document if isinstance(document, dict) else {}

    def _translate(self, model: str) -> AbstractContextManager[None]:
        address = hide_login(self._endpoint)
        return translate_failures(model, address=address, folder=str(self._folder))


def _add(tell: Tell, begun: int, count: int) -> None:
    tell(begun + count)


def _read_info(info: ModelInfo, chosen: list[str]) -> HubModel:
    """Raises FetchError for names that no hash makes: they become names of files."""
    siblings = {sibling.rfilename: sibling for sibling in info.siblings or ()}
    files = []
    for path in chosen:
        sibling = siblings[path]
        name = sibling.lfs.sha256 if sibling.lfs else sibling.blob_id
        size = sibling.lfs.size if sibling.lfs else sibling.size
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(size, int):
            raise FetchError("pull-unknown", model=info.id)
        files.append(HubFile(path=path, size=size, name=name, is_large=bool(sibling.lfs)))
    if not _NAME.fullmatch(str(info.sha)) or any(".." in Path(path).parts for path in chosen):
        raise FetchError("pull-unknown", model=info.id)
    card: Any = info.card_data or {}
    licence = card.get("license_name") if card.get("license") == "other" else card.get("license")
    return HubModel(
        id=info.id,
        revision=str(info.sha),
        licence=str(licence or card.get("license") or ""),
        kind=info.pipeline_tag or "",
        files=tuple(files),
    )


def _is_as_told(path: Path, file: HubFile) -> bool:
    with path.open("rb") as stream:
        actual = sha_fileobj(stream).hex() if file.is_large else git_hash(stream.read())
    return actual == file.name


class _Partial(io.FileIO):
    """A file that is being fetched, kept when the program is killed, and locked meanwhile."""

    def __init__(self, path: Path, tell: Tell) -> None:
        super().__init__(os.open(path, os.O_RDWR | os.O_CREAT, 0o644), "r+")
        self._tell = tell

    def lock(self, model: str) -> None:
        """Raises FetchError if another program has it."""
        try:
            fcntl.flock(self, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FetchError("pull-running", model=model) from error

    def write(self, data: Any) -> int:  # noqa: ANN401 - a buffer
        """Write all of it: a file without a buffer may take less."""
        left = memoryview(data)
        while left:
            left = left[super().write(left) :]
        self._tell(self.tell())
        return len(data)


class _NoBar:
    """Stands in for tqdm: what is shown comes from the file."""

    def __init__(self, *_args: object, **_options: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        pass

    def update(self, _count: float | None = 1) -> None:
        pass

    def close(self) -> None:
        pass
