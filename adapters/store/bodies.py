"""Domain values as the texts that are kept, and the files they speak of."""

import re
from datetime import UTC, datetime

from pipeline.codec import dump
from pipeline.domain import Channel

_HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def body(value: object, as_type: object = None) -> str:
    """JSON that every database takes: half a surrogate pair, which some clients send, is escaped."""
    return whole(dump(value, as_type))


def whole(json: str) -> str:
    return json if json.isascii() else json.encode("utf-8", "backslashreplace").decode("utf-8")


def hashes_in(*bodies: str) -> set[str]:
    """Hashes of the files that texts speak of. One that is no file's does no harm."""
    return {found for body in bodies for found in _HASH.findall(body)}


def workspace_key(channel: Channel) -> str:
    return f"{channel.platform}:{channel.workspace}"


def seconds(moment: datetime) -> float:
    return moment.timestamp()


def now() -> datetime:
    return datetime.now(UTC)
