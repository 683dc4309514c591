"""What Discord accepts in a message: every limit that its documentation names."""

import re
from collections.abc import Iterable, Iterator

from tests.servers.discord.layouts import check_flag, check_layout, walk
from tests.servers.discord.values import (
    EPHEMERAL,
    LAYOUT,
    Account,
    Channel,
    Json,
    Message,
    Refusal,
)

CONTENT, NONCE, CUSTOM_ID, LABEL, ALT = 2000, 25, 100, 80, 1024
SELECT, OPTIONS, OPTION, PLACEHOLDER = 3, 25, 100, 150
FILES, EMBEDS, ROWS, PER_ROW = 10, 10, 5, 5
THREAD_NAME = 100
ARCHIVE_AFTER = {60, 1440, 4320, 10080}
BUTTON_KEYS = {"type", "id", "custom_id", "style", "label", "emoji", "url", "sku_id", "disabled"}
SELECT_KEYS = {
    "type",
    "id",
    "custom_id",
    "placeholder",
    "options",
    "min_values",
    "max_values",
    "disabled",
    "required",
}
MESSAGE_KEYS = {
    "content",
    "nonce",
    "enforce_nonce",
    "tts",
    "embeds",
    "allowed_mentions",
    "message_reference",
    "components",
    "sticker_ids",
    "attachments",
    "flags",
    "poll",
}
WEBHOOK_KEYS = MESSAGE_KEYS - {"nonce", "enforce_nonce", "message_reference", "sticker_ids"}
EDIT_KEYS = WEBHOOK_KEYS - {"poll"}
ATTACHMENT_KEYS = {
    "id",
    "filename",
    "description",
    "duration_secs",
    "waveform",
    "title",
    "is_spoiler",
}
FLAGS = (1 << 2) | (1 << 12) | LAYOUT
EMBED_TEXT = {"title": 256, "description": 4096}


def invalid(where: str, why: str) -> Refusal:
    errors = {where: {"_errors": [{"code": "INVALID", "message": why}]}}
    return Refusal(400, 50035, f"Invalid Form Body: {where}: {why}", fault=True, errors=errors)


def check_message(body: Json, *, edit: Message | None = None, interaction: bool = False) -> None:
    """Refuse a message body as Discord refuses it; `edit`: the message that it changes."""
    old = edit or Message(0, Channel(0, 0, ""), Account(0, ""), "")
    known = EDIT_KEYS if edit else WEBHOOK_KEYS if interaction else MESSAGE_KEYS
    if unknown := set(body) - known:
        raise invalid(min(unknown), "unknown key")
    if body.get("tts"):
        raise invalid("tts", "nobody asked to be read to")
    _check_content(body)
    _check_nonce(body)
    _check_embeds(body.get("embeds") or ())
    flagged, embeds = old.has_layout, old.embeds
    is_layout = check_flag(body, flagged=flagged, content=old.content, embeds=embeds)
    components = body.get("components") or ()
    if is_layout and (components or "components" in body or not flagged):
        check_layout(components)
    rows = [part for part in walk(components) if part.get("type") == 1]
    check_components(rows if is_layout else components)
    _check_attachments(body.get("attachments") or ())
    _check_mentions(body, demanded="content" in body or is_layout)
    if body.get("flags", 0) & ~(FLAGS | (EPHEMERAL if interaction else 0)):
        raise invalid("flags", "flags that a bot may not set")


def _check_content(body: Json) -> None:
    content = body.get("content")
    if content is None:
        return
    if not isinstance(content, str):
        raise invalid("content", "must be text")
    if len(content) > CONTENT:
        raise invalid("content", f"Must be {CONTENT} or fewer in length.")


def _check_nonce(body: Json) -> None:
    nonce = body.get("nonce")
    if nonce is not None and not (isinstance(nonce, str | int) and 0 < len(str(nonce)) <= NONCE):
        raise invalid("nonce", f"Must be {NONCE} or fewer in length.")
    if body.get("enforce_nonce") and nonce is None:
        raise invalid("enforce_nonce", "nothing to enforce")


def _check_mentions(body: Json, *, demanded: bool) -> None:
    """The project's own rule: what a model wrote never pings anyone; a call names one person."""
    mentions = body.get("allowed_mentions")
    if mentions is None:
        if demanded:
            raise invalid("allowed_mentions", "must be there whenever there is text")
        return
    if set(mentions) - {"parse", "users", "roles", "replied_user"}:
        raise invalid("allowed_mentions", "unknown key")
    is_safe = mentions.get("parse") == [] and not mentions.get("roles")
    called = [f"<@{id_}>" for id_ in mentions.get("users") or ()]
    is_call = called == (body.get("content") or "").split()[:1]
    if not is_safe or mentions.get("replied_user") or (called and not is_call):
        raise invalid("allowed_mentions", "lets the text ping people")


def _check_embeds(embeds: Iterable[Json]) -> None:
    parts = list(embeds)
    if len(parts) > EMBEDS:
        raise invalid("embeds", f"Must be {EMBEDS} or fewer.")
    if sum(len(text) for embed in parts for text in _embed_texts(embed)) > 6000:
        raise invalid("embeds", "more than 6,000 characters together")


def _embed_texts(embed: Json) -> Iterator[str]:
    for key, limit in EMBED_TEXT.items():
        yield _within(embed.get(key) or "", limit, f"embeds.{key}")
    yield _within((embed.get("footer") or {}).get("text", ""), 2048, "embeds.footer")
    yield _within((embed.get("author") or {}).get("name", ""), 256, "embeds.author")
    fields = embed.get("fields") or []
    if len(fields) > 25:
        raise invalid("embeds.fields", "Must be 25 or fewer.")
    for entry in fields:
        yield _within(entry["name"], 256, "embeds.fields.name")
        yield _within(entry["value"], 1024, "embeds.fields.value")


def _within(text: str, limit: int, where: str) -> str:
    if len(text) > limit:
        raise invalid(where, f"Must be {limit} or fewer in length.")
    return text


def check_components(components: Iterable[Json]) -> None:
    rows = list(components)
    if len(rows) > ROWS:
        raise invalid("components", f"Must be {ROWS} or fewer.")
    seen: set[str] = set()
    for row in rows:
        if row.get("type") != 1 or not 1 <= len(row.get("components", ())) <= PER_ROW:
            raise invalid("components", f"a row holds 1 to {PER_ROW} components")
        for part in row["components"]:
            if part.get("type") == SELECT and len(row["components"]) == 1:
                _check_select(part, seen)
            else:
                _check_button(part, seen)


def check_options(part: Json) -> None:
    options = part.get("options", [])
    if not 1 <= len(options) <= OPTIONS or len({each["value"] for each in options}) < len(options):
        raise invalid("components.options", f"1 to {OPTIONS}, each with its own value")
    for option in options:
        for name in ("label", "value", "description"):
            _within(option.get(name, ""), OPTION, f"components.options.{name}")
        if not option["label"] or not option["value"]:
            raise invalid("components.options", "an option needs a label and a value")
    _within(part.get("placeholder", ""), PLACEHOLDER, "components.placeholder")


def check_range(part: Json, most: int) -> tuple[int, int]:
    """How many values may be chosen; null stands for the default."""
    low, high = (part.get(name) for name in ("min_values", "max_values"))
    low, high = 1 if low is None else low, 1 if high is None else high
    if not 0 <= low <= most or not max(1, low) <= high <= most:
        raise invalid("min_values", f"{low} to {high} is not within 0 to {most}")
    if part.get("type") == SELECT and high > len(part["options"]):
        raise invalid("max_values", "more than there are options")
    return low, high


def _check_select(part: Json, seen: set[str]) -> None:
    _check_keys(part, SELECT_KEYS)
    check_options(part)
    check_range(part, OPTIONS)
    if not 1 <= len(part.get("custom_id", "")) <= CUSTOM_ID:
        raise invalid("components.custom_id", f"1 to {CUSTOM_ID} characters")
    if part["custom_id"] in seen:
        raise invalid("components.custom_id", "Component custom id cannot be duplicated")
    seen.add(part["custom_id"])


def _check_keys(part: Json, known: set[str]) -> None:
    if unknown := set(part) - known:
        raise invalid("components", f"unknown key {min(unknown)}")


def _check_button(part: Json, seen: set[str]) -> None:
    _check_keys(part, BUTTON_KEYS)
    if part.get("type") != 2:
        raise invalid("components", "only buttons and string selects are played here")
    if not (part.get("label") or part.get("emoji")):
        raise invalid("components.label", "a button needs a label or an emoji")
    _within(part.get("label") or "", LABEL, "components.label")
    if part.get("style") == 5:
        if not re.match(r"https?://\S{1,500}$", part.get("url", "")):
            raise invalid("components.url", "a link needs an address")
        return
    name = part.get("custom_id", "")
    if not 1 <= len(name) <= CUSTOM_ID or part.get("style") not in (1, 2, 3, 4):
        raise invalid("components.custom_id", f"1 to {CUSTOM_ID} characters and a style")
    if name in seen:
        raise invalid("components.custom_id", "Component custom id cannot be duplicated")
    seen.add(name)


def _check_attachments(attachments: Iterable[Json]) -> None:
    parts = list(attachments)
    if len(parts) > FILES:
        raise invalid("attachments", f"Must be {FILES} or fewer.")
    for part in parts:
        if "id" not in part or set(part) - ATTACHMENT_KEYS:
            raise invalid("attachments", f"an id, and nothing that Discord does not know: {part}")
        if not _within(part.get("filename", "x"), ALT, "attachments.filename"):
            raise invalid("attachments.filename", "a name is not empty")
        _within(part.get("description") or "", ALT, "attachments.description")


def check_thread(body: Json) -> None:
    if set(body) - {"name", "auto_archive_duration", "rate_limit_per_user", "type", "invitable"}:
        raise invalid("thread", "unknown key")
    if not 1 <= len(str(body.get("name", "")).strip()) <= THREAD_NAME or len(body["name"]) > 100:
        raise invalid("name", f"Must be between 1 and {THREAD_NAME} in length.")
    if body.get("auto_archive_duration", 1440) not in ARCHIVE_AFTER:
        raise invalid("auto_archive_duration", f"Value must be one of {ARCHIVE_AFTER}.")
