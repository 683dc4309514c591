"""A fake chat surface that keeps its messages and fails on demand."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters.chat.markdown import Dialect
from adapters.chat.pieces import Piece, Segment
from adapters.chat.rendering import Layout, Page
from adapters.chat.uploads import Upload, UploadLimits
from pipeline.domain import LocalizedText
from pipeline.errors import ChatError, ChatGone

PLAIN = Layout(
    dialect=Dialect(
        marks={"strong": "", "em": "", "s": ""},
        bullets=("-",),
        rule="-",
        indent=2,
        widest_table=80,
        escape=str,
        code=str,
        fence=lambda _, text: Piece((Segment(text),)),
        link=lambda address, _, __: address,
        heading=lambda _, words, __: words,
    ),
    limit=1000,
    whole=1000,
    split=lambda markdown: [(page,) for page in markdown.split("|")],
)
"""Plain text; "|" starts a new page."""


@dataclass
class PostedMessage:
    """A message on the surface."""

    key: str
    page: str
    edits: list[str] = field(default_factory=list)
    files: tuple[str, ...] = ()
    small: tuple[str, ...] = ()


@dataclass
class FakeSurface:
    """Raises the faults queued for a call, before it takes effect (`early`) or after (`late`)."""

    key: str = "page"
    refresh: float | None = None
    limits: UploadLimits = field(default_factory=lambda: UploadLimits(100, 150, 3))
    room: int = 1_000
    messages: dict[str, PostedMessage] = field(default_factory=dict)
    early: dict[str, deque[ChatError]] = field(default_factory=dict)
    late: dict[str, deque[ChatError]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def explain_no_files(self) -> LocalizedText | None:
        return None

    async def has_room(self) -> bool:
        self.room -= 1
        return self.room >= 0

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:
        self._call("post", self.early)
        receipt = str(len(self.messages) + 1)
        self.messages[receipt] = PostedMessage(
            key, f"(again?) {page.text}" if may_repeat else page.text, small=page.small
        )
        self._fail("post", self.late)
        return receipt

    async def edit(self, receipt: str, page: Page) -> None:
        self._call("edit", self.early)
        self._change(receipt, page)

    async def finish(self, receipt: str, page: Page) -> None:
        self._call("finish", self.early)
        self._change(receipt, page)
        self._fail("finish", self.late)

    async def delete(self, receipt: str) -> None:
        self._call("delete", self.early)
        if self.messages.pop(receipt, None) is None:
            raise ChatGone("chat-gone")

    async def upload(self, key: str, files: Sequence[Upload], below: str, page: Page) -> str:
        self._call("upload", self.early)
        assert below in self.messages
        receipt = str(len(self.messages) + 1)
        self.messages[receipt] = PostedMessage(key, "", files=tuple(each.name for each in files))
        self._fail("upload", self.late)
        return receipt

    async def ping(self, key: str) -> None:
        self._call("ping", self.early)

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        self._call("look_up", self.early)
        return next((receipt for receipt, each in self.messages.items() if each.key == key), "")

    @property
    def pages(self) -> list[str]:
        return [each.page or " ".join(each.files) for each in self.messages.values()]

    def _change(self, receipt: str, page: Page) -> None:
        if receipt not in self.messages:
            raise ChatGone("chat-gone")
        self.messages[receipt].edits.append(page.text)
        self.messages[receipt].page = page.text

    def _call(self, name: str, faults: dict[str, deque[ChatError]]) -> None:
        self.calls.append(name)
        self._fail(name, faults)

    def _fail(self, name: str, faults: dict[str, deque[ChatError]]) -> None:
        if queue := faults.get(name):
            raise queue.popleft()
