"""Renders pages as Discord messages, in Components V2, and reads messages laid out so."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import discord
from discord import ui

from adapters.chat.board import Phase
from adapters.chat.markdown import Dialect, write, write_words
from adapters.chat.pieces import Piece, Segment, pack
from adapters.chat.rendering import Layout, Page
from adapters.chat.uploads import Upload
from adapters.discord.calls import LONGEST_ALT
from pipeline.domain import Action, AnswerFile, Blob, RunId
from pipeline.text import defuse
from pipeline.text.names import make_unique

LIMIT, LAYOUT_LIMIT = 2000, 4000
"""Longest plain message, and most text in all components of a message, in UTF-16 units."""
_PREFIX, _COMMAND, _SMALL = "troupe", "command", "-# "
_DEEPEST_HEADING = 3
_GAP = "\u200b"
_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\*_~`|[]"})
_LANGUAGE = re.compile(r"[\w+#-]{1,20}")


def format_button(action: Action, run: RunId, number: int = 0) -> str:
    """The button id holds the action and the run, so the button works after a restart.

    `number` tells apart those of one message that have the same action.
    """
    return f"{_PREFIX}:{action}:{run}" + (f"#{number}" if number else "")


def parse_button(custom_id: str) -> tuple[Action, RunId] | None:
    """The action and run of a button id; None when it is not one of ours."""
    prefix, _, rest = custom_id.partition(":")
    action, _, run = rest.partition("#")[0].partition(":")
    if prefix != _PREFIX or action not in set(Action) or not run:
        return None
    return Action(action), RunId(run)


@dataclass(frozen=True, slots=True)
class CommandButton:
    """A button that carries out a command, for the person who gave it."""

    person: str
    root: str
    """The message on which the thread of the command starts; "" outside threads."""
    words: str
    """The command with its arguments; "" to carry out none."""

    @property
    def id(self) -> str:
        return f"{_PREFIX}:{_COMMAND}:{self.person}:{self.root}:{self.words}"


def parse_command_button(custom_id: str) -> CommandButton | None:
    """The command of a button id; None when it is not one of these."""
    match custom_id.split(":"):
        case [prefix, kind, person, root, words] if (prefix, kind) == (_PREFIX, _COMMAND):
            return CommandButton(person, root, words)
        case _:
            return None


def render_text(page: Page) -> str:
    """A page as the text of a message."""
    return "\n".join(part for part in (page.text, render_small(page)) if part)


def render_small(page: Page) -> str:
    """A page's lines of small print."""
    return "\n".join(f"{_SMALL}{line}" for line in page.small)


# --- Markdown ---


def split_messages(markdown: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Split a text into messages, not inside a link or inline code."""
    return pack(write(markdown, _DISCORD), limit, measure=measure)


def measure(text: str) -> int:
    """Length in UTF-16 units, the strictest way to count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def escape(text: str) -> str:
    """Escape plain text, so that it is no markup and pings nobody; URLs stay links."""
    return write_words(text, _DISCORD)


def _escape(text: str) -> str:
    return defuse(text.translate(_SPECIAL))


def _escape_line(text: str) -> str:
    """Discord shows a backslash before a letter or digit, so a number's dot is escaped instead."""
    words = text.lstrip()
    space = text[: len(text) - len(words)]
    if words.startswith(("#", ">", "-", "+")):
        return f"{space}\\{words}"
    after = words.lstrip("0123456789")
    if after != words and after.startswith((".", ")")) and not after[1:2].strip():
        return f"{space}{words[: len(words) - len(after)]}\\{after}"
    return text


def _code(text: str) -> str:
    """Inline code; two backquotes delimit code that contains one."""
    return defuse(f"`` {text} ``" if "`" in text else f"`{text}`")


def _fence(language: str, text: str) -> Piece:
    tag = language if _LANGUAGE.fullmatch(language) else ""
    body = defuse(text.replace("```", f"`{_GAP}`{_GAP}`"))
    return Piece((Segment(body),), opening=f"```{tag}\n", closing="\n```")


def _link(href: str, label: str, words: str) -> str:
    address = href.replace(")", "%29").replace(" ", "%20").replace("`", "%60")
    if not address.startswith(("https://", "http://")):
        return label
    return address if words in ("", href) else f"[{label}]({address})"


def _heading(level: int, words: str, _: str) -> str:
    return f"{'#' * min(level, _DEEPEST_HEADING)} {words}"


_DISCORD = Dialect(
    marks={"strong": "**", "em": "*", "s": "~~"},
    bullets=("-",),
    rule="─" * 16,
    indent=2,
    widest_table=64,
    escape=_escape,
    escape_line=_escape_line,
    code=_code,
    fence=_fence,
    link=_link,
    heading=_heading,
)
LAYOUT = Layout(
    dialect=_DISCORD,
    limit=LAYOUT_LIMIT,
    whole=LAYOUT_LIMIT,
    split=lambda markdown: [(text,) for text in split_messages(markdown, LAYOUT_LIMIT)],
    measure=measure,
    keeps_plan=True,
    joins_files=True,
)


_COLOURS = {
    Phase.RUNNING: discord.Colour.blurple(),
    Phase.DONE: discord.Colour.green(),
    Phase.PARTLY: discord.Colour.gold(),
    Phase.FAILED: discord.Colour.red(),
}
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_IN_GALLERIES = (*_PICTURES, "video/mp4", "video/webm", "video/quicktime")
"""Discord shows these in place; any other file has a box with its name."""
_HIDDEN = "spoiler"
"""How a name begins that Discord gives a hidden file."""

Laid = discord.Message | discord.MessageSnapshot


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that a message shows, the name that Discord keeps for it, and its id there."""

    upload: Upload
    name: str
    id: int = 0
    """0: not uploaded yet."""

    @property
    def blob(self) -> Blob:
        return self.upload.blob

    @property
    def file(self) -> AnswerFile:
        return self.upload.file

    @property
    def alt(self) -> str | None:
        """The alternative text, cut to Discord's limit."""
        return self.file.alt[:LONGEST_ALT] or None

    @property
    def address(self) -> str:
        """How a component of the same message names the file."""
        return f"attachment://{self.name}"

    def to_dict(self) -> Mapping[str, object]:
        """How an edit keeps the file: Discord finds it by its name only if that is given, too."""
        return {"id": str(self.id), "filename": self.name}


def name_files(files: Sequence[Upload], shown: Sequence[ShownFile]) -> tuple[ShownFile, ...]:
    """The files as a message is to show them; those that it shows already keep name and id."""
    known = {(each.upload.name, each.blob.data): each for each in shown}
    kept = [known.get((file.name, file.blob.data)) for file in files]
    taken = {each.name.casefold() for each in kept if each}
    named: list[ShownFile] = []
    for file, same in zip(files, kept, strict=True):
        name = same.name if same else make_unique(_clean(file.name), taken)
        taken.add(name.casefold())
        named.append(replace(same, upload=file) if same else ShownFile(file, name))
    return tuple(named)


def _clean(name: str) -> str:
    """Components find a file only under a name of ASCII letters, digits, dots and dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem, dot, ending = re.sub(r"[^A-Za-z0-9.]+", "-", plain).rpartition(".")
    words = stem if dot else ending
    return f"{words.strip('-.') or 'file'}{f'.{ending}' if dot else ''}"


def lay_out(
    page: Page,
    buttons: Sequence[ui.Button[ui.LayoutView]] = (),
    files: Sequence[ShownFile] = (),
    *,
    hidden: bool = False,
) -> ui.LayoutView:
    """A page as components, in a box whose colour tells the run's state, if the page has one.

    `hidden`: whether people see it only after a click. So are results named after hidden files.
    """
    items: list[ui.Item[ui.LayoutView]] = []
    for text in filter(str.strip, page.parts):
        items += [ui.Separator(), ui.TextDisplay(text)] if items else [ui.TextDisplay(text)]
    pictures, others = _part(files)
    if pictures:
        media = (discord.MediaGalleryItem(each.address, description=each.alt) for each in pictures)
        items.append(ui.MediaGallery(*media))
    items += [ui.File(each.address) for each in others]
    if page.small:
        items += [*([ui.Separator()] if items else []), ui.TextDisplay(render_small(page))]
    if buttons:
        items.append(ui.ActionRow(*buttons))
    colour = _COLOURS.get(page.phase) if page.phase else None
    hidden = hidden or any(each.name.casefold().startswith(_HIDDEN) for each in files)
    view = ui.LayoutView(timeout=None)
    if colour or hidden:
        items = [ui.Container(*items, accent_colour=colour, spoiler=hidden)]
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def identify(files: Sequence[ShownFile], message: discord.Message) -> tuple[ShownFile, ...]:
    """The files with the ids that they have in a message."""
    pictures, others = _part(files)
    ids = [each.media.attachment_id for each in list_media(message)]
    pairs = zip([*pictures, *others], ids, strict=False)
    return tuple(replace(file, id=id_) for file, id_ in pairs if id_)


def read_texts(message: Laid) -> list[str]:
    """The texts of a message's components, from top to bottom."""
    parts = _walk(message.components)
    return [part.content for part in parts if isinstance(part, discord.TextDisplay)]


@dataclass(frozen=True, slots=True)
class ShownMedia:
    """A file that a component shows; `size` is 0 if unknown."""

    media: discord.UnfurledMediaItem
    alt: str = ""
    hidden: bool = False
    size: int = 0


def list_media(message: Laid) -> list[ShownMedia]:
    """The files that components show. Discord leaves them out of the message's attachments."""
    shown: list[ShownMedia] = []
    for part in _walk(message.components):
        if isinstance(part, discord.MediaGalleryComponent):
            shown += [ShownMedia(i.media, i.description or "", i.spoiler) for i in part.items]
        elif isinstance(part, discord.ThumbnailComponent):
            shown.append(ShownMedia(part.media, part.description or "", part.spoiler))
        elif isinstance(part, discord.FileComponent):
            shown.append(ShownMedia(part.media, "", part.spoiler, part.size or 0))
    return shown


def _part(files: Sequence[ShownFile]) -> tuple[list[ShownFile], list[ShownFile]]:
    """Those that a gallery shows, and the others."""
    pictures = [each for each in files if each.blob.media_type in _IN_GALLERIES]
    return pictures, [each for each in files if each not in pictures]


def _walk(parts: Iterable[discord.Component]) -> Iterator[discord.Component]:
    for part in parts:
        yield part
        if isinstance(part, discord.Container | discord.SectionComponent):
            yield from _walk(part.children)
        if isinstance(part, discord.SectionComponent):
            yield part.accessory
