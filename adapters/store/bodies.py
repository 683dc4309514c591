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


def uses(owner: str, *bodies: str) -> list[dict[str, str]]:
    """Rows that say which files a turn (by its key) or a run (`run_owner`) speaks of."""
    return [{"owner": owner, "hash": found} for found in hashes_in(*bodies)]


def run_owner(run: str) -> str:
    """A run as an owner of files: told apart from the bot's turn, which has the same key."""
    return f"run {run}"


def workspace_key(channel: Channel) -> str:
    return f"{channel.platform}:{channel.workspace}"


def seconds(moment: datetime) -> float:
    return moment.timestamp()


def now() -> datetime:
    return datetime.now(UTC)
