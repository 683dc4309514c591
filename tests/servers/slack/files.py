"""Files: announced, uploaded, shared, looked up, downloaded."""

import asyncio
import mimetypes
from dataclasses import dataclass, field
from urllib.parse import quote

from aiohttp import web

from tests.servers.slack.blocks import complaints
from tests.servers.slack.calls import Method, SlackRefusal, cut, own_channel
from tests.servers.slack.chat import Emit, message_event, written
from tests.servers.slack.faults import Broken, Cut, Faults, Limited, Lost
from tests.servers.slack.workspace import Json, Message, StoredFile, Workspace

MAX_ALT, CHUNK, HUGE = 1000, 65_536, 2 * 1024**3
SIGN_IN = "<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in</body></html>"


@dataclass
class FileMethods:
    """Slack's external upload, in its order, and private addresses."""

    space: Workspace
    violations: list[str]
    faults: Faults
    emit: Emit
    base: str = ""
    odd: dict[str, str] = field(default_factory=dict)
    downloads: list[str] = field(default_factory=list)
    bytes_sent: int = 0

    def table(self) -> dict[str, Method]:
        return {
            "files.getUploadURLExternal": self.announce,
            "files.completeUploadExternal": self.complete,
            "files.info": self.info,
            "files.delete": self.delete,
        }

    def announce(self, args: Json) -> Json:
        if args["length"] <= 0:
            self.violations.append("files.getUploadURLExternal: a file of no bytes")
        if len(args.get("alt_txt", "")) > MAX_ALT:
            self.violations.append("files.getUploadURLExternal: alt_txt over 1000 characters")
        file = StoredFile(
            id=self.space.next_id("F"),
            name=args["filename"],
            length=args["length"],
            owner=self.space.bot_user,
            alt=args.get("alt_txt", ""),
            media_type=mimetypes.guess_type(args["filename"])[0] or "application/octet-stream",
        )
        self.space.files[file.id] = file
        return {"upload_url": f"{self.base}/upload/v1/{file.id}", "file_id": file.id}

    async def upload(self, request: web.Request) -> web.StreamResponse:
        fault = self.faults.next("upload")
        if isinstance(fault, Cut):
            return cut(request)
        if isinstance(fault, Broken | Limited):
            status = fault.status if isinstance(fault, Broken) else 429
            return web.Response(status=status, headers={"Retry-After": "1"}, text="later")
        file = self.space.files.get(request.match_info["file"])
        if file is None:
            self.violations.append("upload: to an address that was never given")
            return web.Response(status=404)
        content = await self._sent(request)
        if len(content) != file.length:
            self.violations.append(f"upload: {len(content)} bytes, {file.length} announced")
            return web.Response(status=400, text="wrong length")
        file.content = content
        return (
            cut(request) if isinstance(fault, Lost) else web.Response(text=f"OK - {len(content)}")
        )

    def complete(self, args: Json) -> Json:
        entries = [self._file(entry.get("id", "")) for entry in args["files"]]
        if not entries or any(file.content is None for file in entries):
            self.violations.append("files.completeUploadExternal: before the upload")
            raise SlackRefusal("file_not_uploaded")
        if any(file.shared for file in entries):
            self.violations.append("files.completeUploadExternal: the same file twice")
            raise SlackRefusal("file_already_shared")
        self.violations.extend(complaints(args.get("blocks") or []))
        for file, entry in zip(entries, args["files"], strict=True):
            file.title = entry.get("title", file.name)
        if channel := args.get("channel_id"):
            self._share(entries, channel, args)
        return {"files": [self.card(file) for file in entries]}

    def _share(self, files: list[StoredFile], channel: str, args: Json) -> None:
        own_channel(self.space, channel)
        thread = args.get("thread_ts")
        if thread and self.space.find(channel, thread) is None:
            self.violations.append(f"files.completeUploadExternal: no thread {thread}")
        text = args.get("initial_comment", "")
        self.space.note_pings(text)
        body = written(
            self.space, {"text": text, "thread_ts": thread, "blocks": args.get("blocks")}
        )
        for file in files:
            file.shares.setdefault(channel, []).append(body["ts"])
        body.update(files=[self.card(file) for file in files], subtype="file_share", upload=True)
        self.emit(message_event(self.space, self.space.put(Message(channel, body))))

    def delete(self, args: Json) -> Json:
        self._file(args["file"])
        del self.space.files[args["file"]]
        return {}

    def info(self, args: Json) -> Json:
        file = self._file(args["file"])
        if not file.shared:
            raise SlackRefusal("file_not_found")
        return {"file": self.card(file, full=True)}

    def _file(self, file: str) -> StoredFile:
        found = self.space.files.get(file)
        if found is None:
            raise SlackRefusal("file_not_found")
        return found

    def card(self, file: StoredFile, *, full: bool = False) -> Json:
        """A file as messages show it; a stub of Slack Connect shows next to nothing."""
        if file.stub and not full:
            return {"id": file.id, "mode": "file_access", "file_access": "check_file_info"}
        where = (
            file.address or f"{self.base}/files-pri/{self.space.team}-{file.id}/{quote(file.name)}"
        )
        kinds = {c: self.space.channels[c].kind for c in file.shares}
        shares: Json = {"public": {}, "private": {}}
        for channel, stamps in file.shares.items():
            side = "public" if kinds[channel] == "channel" else "private"
            shares[side][channel] = [{"ts": ts} for ts in stamps]
        return {
            "id": file.id,
            "name": file.name,
            "title": file.title or file.name,
            "mimetype": file.media_type,
            "filetype": file.name.rpartition(".")[2],
            "mode": file.mode,
            "subtype": file.subtype,
            "user": file.owner,
            "size": file.length,
            "alt_txt": file.alt,
            "url_private": where,
            "url_private_download": where,
            "is_external": file.mode == "external",
            **({"shares": shares} if full else {}),
        }

    async def download(self, request: web.Request) -> web.StreamResponse:
        file = self.space.files.get(request.match_info["file"].partition("-")[2])
        if file is None or request.match_info["name"] != file.name:
            return web.Response(status=404)
        self.downloads.append(file.id)
        allowed = request.headers.get("Authorization") == f"Bearer {self.space.bot_token}"
        allowed = allowed and "files:read" not in self.faults.withheld_scopes
        odd = self.odd.get(file.id, "")
        if odd == "huge":
            return await self._endless(request)
        if odd == "elsewhere":
            host = self.base.replace("127.0.0.1", "localhost")
            raise web.HTTPFound(f"{host}/elsewhere")
        if odd == "cut":
            return cut(request)
        if not allowed or file.content is None or odd == "html":
            return web.Response(text=SIGN_IN, content_type="text/html")
        return web.Response(body=file.content, content_type=file.media_type)

    async def elsewhere(self, request: web.Request) -> web.StreamResponse:
        if "Authorization" in request.headers:
            self.violations.append("the token was sent to a host that must not have it")
        return web.Response(text=SIGN_IN, content_type="text/html")

    async def _endless(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": str(HUGE)})
        response.content_type = "video/mp4"
        await response.prepare(request)
        try:
            while self.bytes_sent < HUGE:
                await response.write(b"\0" * CHUNK)
                self.bytes_sent += CHUNK
                await asyncio.sleep(0)
        except ConnectionError:
            return response
        return response

    async def _sent(self, request: web.Request) -> bytes:
        if request.content_type.startswith("multipart/"):
            field_ = (await request.post()).get("filename") or b""
            return field_.file.read() if isinstance(field_, web.FileField) else str(field_).encode()
        return await request.read()
