"""What Discord accepts as Components V2, and what it makes of the files they show.

After the component reference of Discord's documentation and its OpenAPI file.
"""

import mimetypes
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from tests.servers.discord.values import (
    CONTAINER,
    GALLERY,
    LAYOUT,
    TEXT_DISPLAY,
    Json,
    Refusal,
    Upload,
)

ROW, FILE, SEPARATOR = 1, 13, 14
NEW_TYPES = {TEXT_DISPLAY, GALLERY, FILE, SEPARATOR, CONTAINER}
MOST_COMPONENTS, MOST_CHARACTERS, MOST_ITEMS = 40, 4000, 10
LONGEST_ALT, LONGEST_ADDRESS, HIGHEST_ID = 1024, 2048, 2**31 - 1
LEGACY = ("content", "embeds", "sticker_ids", "poll")
KEYS = {
    ROW: {"components"},
    TEXT_DISPLAY: {"content"},
    GALLERY: {"items"},
    FILE: {"file", "spoiler"},
    SEPARATOR: {"divider", "spacing"},
    CONTAINER: {"components", "accent_color", "spoiler"},
}
SCHEME = "attachment://"


def refuse(where: str, code: str, why: str) -> Refusal:
    errors = {where: {"_errors": [{"code": code, "message": why}]}}
    return Refusal(400, 50035, f"Invalid Form Body: {where}: {code}", fault=True, errors=errors)


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """The components and those inside them, in the order in which they are shown."""
    for part in components:
        yield part
        yield from walk(part.get("components") or ())


def list_media(components: Iterable[Json]) -> Iterator[tuple[Json, Json]]:
    """Each gallery item or file component, and the media item in it."""
    for part in walk(components):
        if part.get("type") == GALLERY:
            yield from ((item, item["media"]) for item in part["items"])
        elif part.get("type") == FILE:
            yield part, part["file"]


def check_flag(body: Json, *, flagged: bool, content: str = "", embeds: object = ()) -> bool:
    """Whether the message is one of Components V2 now; `flagged`: it was one before."""
    asked = body.get("flags")
    if flagged and asked is not None and not asked & LAYOUT:
        raise refuse("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", "it stays")
    if not flagged and not (asked or 0) & LAYOUT:
        if any(part.get("type") in NEW_TYPES for part in walk(body.get("components") or ())):
            raise refuse("components", "UNION_TYPE_CHOICES", "must be one of (1,)")
        return False
    kept = {"content": content, "embeds": embeds}
    for key in LEGACY:
        if body.get(key, kept.get(key)):
            code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
            raise refuse(key, code, f"The '{key}' field cannot be used with IS_COMPONENTS_V2")
    return True


def check_layout(components: Sequence[Json]) -> None:
    """Refuse a layout that breaks a limit or holds what does not belong there."""
    if not components:
        raise refuse("components", "BASE_TYPE_BAD_LENGTH", "Must be 1 or more in length.")
    every = list(walk(components))
    if len(every) > MOST_COMPONENTS:
        raise refuse("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "more than 40")
    texts = [part.get("content", "") for part in every if part.get("type") == TEXT_DISPLAY]
    if sum(len(text.encode("utf-16-le")) // 2 for text in texts) > MOST_CHARACTERS:
        raise refuse("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", "more than 4000")
    ids = [part["id"] for part in every if part.get("id")]
    if len(set(ids)) < len(ids):
        raise refuse("components", "COMPONENT_DUPLICATED_ID", "each id once")
    if not all(isinstance(id_, int) and 0 < id_ <= HIGHEST_ID for id_ in ids):
        raise refuse("components.id", "NUMBER_TYPE_MAX", "a number of 32 bits")
    for part in components:
        _check_part(part, inside=False)


def _check_part(part: Json, *, inside: bool) -> None:
    kind = part.get("type")
    if kind not in KEYS or (inside and kind == CONTAINER):
        raise refuse("components.type", "UNION_TYPE_CHOICES", f"{kind} does not belong here")
    if unknown := set(part) - KEYS[kind] - {"type", "id"}:
        raise refuse("components", "UNKNOWN_KEY", str(unknown))
    if kind == TEXT_DISPLAY and not (
        isinstance(part.get("content"), str) and part["content"].strip()
    ):
        raise refuse("components.content", "BASE_TYPE_REQUIRED", "This field is required")
    if kind == SEPARATOR and part.get("spacing", 1) not in (1, 2):
        raise refuse("components.spacing", "BASE_TYPE_CHOICES", "1 or 2")
    if kind == GALLERY:
        _check_gallery(part.get("items") or [])
    if kind == FILE and not _address(part.get("file")).startswith(SCHEME):
        raise refuse("components.file.url", "URL_TYPE_INVALID_SCHEME", "attachment:// only")
    if kind == CONTAINER:
        _check_container(part)


def _check_container(part: Json) -> None:
    colour = part.get("accent_color")
    if colour is not None and not (isinstance(colour, int) and 0 <= colour <= 0xFFFFFF):
        raise refuse("components.accent_color", "NUMBER_TYPE_MAX", "a colour")
    if not part.get("components"):
        raise refuse("components.components", "BASE_TYPE_BAD_LENGTH", "1 or more")
    for child in part["components"]:
        _check_part(child, inside=True)


def _check_gallery(items: Sequence[Json]) -> None:
    if not 1 <= len(items) <= MOST_ITEMS:
        raise refuse("components.items", "BASE_TYPE_BAD_LENGTH", f"1 to {MOST_ITEMS}")
    for item in items:
        if set(item) - {"media", "description", "spoiler"}:
            raise refuse("components.items", "UNKNOWN_KEY", str(set(item)))
        if not _address(item.get("media")).startswith((SCHEME, "https://", "http://")):
            raise refuse("components.items.media", "URL_TYPE_INVALID_SCHEME", "an address")
        alt = item.get("description")
        if alt is not None and not 1 <= len(alt) <= LONGEST_ALT:
            raise refuse("components.items.description", "BASE_TYPE_BAD_LENGTH", "1 to 1024")


def _address(media: Json | None) -> str:
    if not media or set(media) != {"url"}:
        raise refuse("components.media", "BASE_TYPE_REQUIRED", "an address and nothing else")
    if len(str(media["url"])) > LONGEST_ADDRESS:
        raise refuse("components.media.url", "BASE_TYPE_MAX_LENGTH", "too long")
    return str(media["url"])


def clean_name(name: str) -> str:
    """The name under which Discord keeps a file: letters and digits of ASCII, and "_-."."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_.-]", "", "_".join(plain.split())).strip("._") or "unknown"


def resolve_media(
    components: Iterable[Json],
    files: Sequence[Upload],
    known: Sequence[str],
    address: str,
) -> None:
    """Put the addresses of files in place of their names; `known`: names that may be used.

    A file that no component shows would be seen by nobody, so it is a fault here.
    """
    shown: list[Upload] = []
    for holder, media in list_media(components):
        name = media["url"].removeprefix(SCHEME)
        known_files = (each for each in files if each.filename == name and name in known)
        if not media["url"].startswith(SCHEME):
            continue
        if (file := next(known_files, None)) is None:
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            raise refuse("components.media.url", code, f"{media['url']} was not found")
        url = f"{address}/{file.id}/{file.filename}?ex=ffffffff&is=1&hm=cafe"
        media |= {"url": url, "proxy_url": url, "id": str(file.id), "attachment_id": str(file.id)}
        media["content_type"] = mimetypes.guess_type(name)[0]
        if holder.get("type") == FILE:
            holder |= {"name": file.filename, "size": file.size}
        else:
            file.description = holder.get("description")
        shown.append(file)
    if hidden := [each.filename for each in files if each not in shown]:
        raise refuse("attachments", "NOT_SHOWN", f"no component shows {hidden}")


def number(components: Iterable[Json]) -> None:
    """Give each component an id, as Discord does where the sender gave none."""
    every = list(walk(components))
    taken = {part["id"] for part in every if part.get("id")}
    free = (n for n in range(1, 1000) if n not in taken)
    for part in every:
        part["id"] = part.get("id") or next(free)
