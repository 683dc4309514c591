"""The files of the played Hub's models: listed with sizes and hashes, and sent, also in parts."""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

_LARGE = 1000
"""Files of more bytes lie in Git LFS, which hashes them by SHA-256."""
_PIECE = 1 << 16
_RANGE = re.compile(r"bytes=(\d+)-")


@dataclass
class Repositories:
    """Sends its files, goes wrong when told to, and keeps what it was asked for."""

    files: dict[str, Mapping[str, bytes]] = field(default_factory=dict)
    """Model → its files by their paths."""
    accepted: set[str] = field(default_factory=set)
    """Tokens of those who accepted the terms of gated models."""
    gated: set[str] = field(default_factory=set)
    damaged: list[str] = field(default_factory=list)
    """Paths that are sent with a wrong byte, each once for every time it is in here."""
    told_sizes: dict[str, int] = field(default_factory=dict)
    """Path → the size that is told instead of the real one."""
    sends_parts: bool = True
    """Whether it sends what a Range asks for, or always the whole file."""
    stops_after: int = 0
    """If not 0, it sends so many bytes of a file, and no more until it is told to `go_on`."""
    cuts_after: list[int] = field(default_factory=list)
    """Each ends one transfer after so many bytes."""
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    sent: list[tuple[str, int, int]] = field(default_factory=list)
    """Each transfer: its path, where it began, and how many bytes were sent."""

    def routes(self) -> Sequence[web.RouteDef]:
        return (
            web.get("/api/models/{model:.+}/auth-check", self._check),
            web.get("/{model:.+}/resolve/{revision}/{path:.+}", self._send),
        )

    def describe(self, model: str) -> Mapping[str, Any]:
        """What is said of a model's files if that is asked for."""
        files = self.files.get(model, {})
        return {
            "sha": find_revision(files),
            "gated": "auto" if model in self.gated else False,
            "siblings": [self._describe(path, content) for path, content in files.items()],
        }

    def _describe(self, path: str, content: bytes) -> Mapping[str, Any]:
        git = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
        size = self.told_sizes.get(path, len(content))
        entry: dict[str, Any] = {"rfilename": path, "size": size, "blobId": git.hexdigest()}
        if size > _LARGE:
            sha256 = hashlib.sha256(content).hexdigest()
            entry["lfs"] = {"sha256": sha256, "size": size, "pointerSize": 130}
        return entry

    async def _check(self, request: web.Request) -> web.StreamResponse:
        return self._refuse(request) or web.json_response({})

    def _refuse(self, request: web.Request) -> web.Response | None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if request.match_info["model"] not in self.gated or token in self.accepted:
            return None
        status = 403 if token else 401
        headers = {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access to model is restricted."}
        return web.json_response({"error": "restricted"}, status=status, headers=headers)

    async def _send(self, request: web.Request) -> web.StreamResponse:
        if refusal := self._refuse(request):
            return refusal
        path = request.match_info["path"]
        files = self.files.get(request.match_info["model"], {})
        if path not in files or request.match_info["revision"] != find_revision(files):
            headers = {"X-Error-Code": "EntryNotFound"}
            return web.Response(status=404, text="Entry not found", headers=headers)
        content, begun = files[path], 0
        if path in self.damaged:
            self.damaged.remove(path)
            content = content[:-1] + bytes([content[-1] ^ 1])
        wanted = _RANGE.match(request.headers.get("Range", ""))
        if wanted and self.sends_parts:
            begun = int(wanted[1])
        response = web.StreamResponse(status=206 if begun else 200)
        response.content_length = len(content) - begun
        if begun:
            response.headers["Content-Range"] = f"bytes {begun}-{len(content) - 1}/{len(content)}"
        await response.prepare(request)
        await self._stream(request, response, content[begun:], path, begun)
        return response

    async def _stream(
        self,
        request: web.Request,
        response: web.StreamResponse,
        content: bytes,
        path: str,
        begun: int,
    ) -> None:
        self.sent.append((path, begun, 0))
        number = len(self.sent) - 1
        is_large = len(content) > _LARGE
        cut = self.cuts_after.pop(0) if is_large and self.cuts_after else 0
        for start in range(0, len(content), _PIECE):
            if cut and start >= cut:
                assert request.transport is not None
                request.transport.close()
                return
            if is_large and self.stops_after and start >= self.stops_after:
                await self.go_on.wait()
            piece = content[start : start + _PIECE]
            await response.write(piece)
            self.sent[number] = (path, begun, start + len(piece))


def find_revision(files: Mapping[str, bytes]) -> str:
    """The commit that holds these files."""
    whole = b"".join(path.encode() + content for path, content in sorted(files.items()))
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest()
