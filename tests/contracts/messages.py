"""Small builders of messages, files and turns, for the suites of what lasts."""

from datetime import UTC, datetime, timedelta

from pipeline.domain import (
    Addressing,
    Attachment,
    Channel,
    FileHash,
    Incoming,
    NamedFile,
    Person,
    Thread,
    Turn,
)

CHANNEL = Channel("slack", "T1", "C1")
THREAD = Thread(CHANNEL, "0001")
OTHER = Thread(CHANNEL, "0002")
ELSEWHERE = Thread(Channel("slack", "T1", "C2"), "0001")
ABROAD = Thread(Channel("slack", "T2", "C1"), "0001")
ANN = Person("U-ann", "Ann")
BEN = Person("U-ben", "Ben")
BOT = Person("troupe", "Troupe", is_bot=True)
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def message(id: str, thread: Thread = THREAD, person: Person = ANN, text: str = "hi") -> Incoming:  # noqa: A002
    return Incoming(
        id=id,
        thread=thread,
        person=person,
        text=text,
        files=(),
        at=NOON,
        addressing=Addressing(mentioned=True),
    )


def file(letter: str, media_type: str = "image/png") -> Attachment:
    """A file whose hash is this letter, from a to f."""
    return Attachment(
        hash=FileHash(letter * 64),
        media_type=media_type,
        name=f"{letter}.png",
        size=10,
        description="photo, 4x4",
    )


def turn(
    id: str,  # noqa: A002
    *files: NamedFile,
    thread: Thread = THREAD,
    person: Person = ANN,
    text: str = "",
    minutes: int = 0,
) -> Turn:
    key = f"{thread.channel.key}:{id}"
    return Turn(
        key=key,
        person=person,
        text=text or f"turn {id}",
        files=files,
        at=NOON + timedelta(minutes=minutes),
    )
