"""Requests as people make them, for the tests of the embedded planner."""

from collections.abc import Sequence
from datetime import UTC, datetime

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import (
    Attachment,
    Channel,
    Context,
    FileHash,
    NamedFile,
    Person,
    Request,
    RunId,
    Sentence,
    Task,
    Thread,
    Turn,
)

MEDIA = {
    "image": "image/png",
    "audio": "audio/wav",
    "video": "video/mp4",
    "document": "application/pdf",
    "table": "text/csv",
}
BOT = Person("B", "troupe", is_bot=True)
ANN = Person("U", "ann")


def files(kinds: Sequence[str], prefix: str = "new") -> tuple[NamedFile, ...]:
    named = []
    for at, kind in enumerate(kinds):
        count = list(kinds[: at + 1]).count(kind)
        attachment = Attachment(FileHash(f"{prefix}{at}"), MEDIA[kind], f"{prefix}{at}.bin", 9)
        named.append(NamedFile(f"{kind} {count}", attachment))
    return tuple(named)


def request(
    text: str, *sent: str, before: Sequence[str] = (), said: str = "", locale: str = "en"
) -> Request:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    turns = []
    if before:
        turns.append(Turn("1", ANN, "look", files(before, "old"), now))
    if said:
        turns.append(Turn("2", BOT, said, (), now))
    return Request(
        RunId("r"),
        Thread(Channel("test", "w", "c"), "1"),
        Person("U", "ann", locale),
        text,
        files(sent),
        context=Context(tuple(turns)),
    )


def planned(text: str, *sent: str, before: Sequence[str] = (), said: str = "") -> list[Task]:
    made = tasks(view(request(text, *sent, before=before, said=said)))
    assert not isinstance(made, Sentence), made
    return list(made)


def kinds(text: str, *sent: str, before: Sequence[str] = (), said: str = "") -> list[str]:
    return [task.kind.name for task in planned(text, *sent, before=before, said=said)]


def told(text: str, *sent: str, before: Sequence[str] = ()) -> Sentence:
    made = tasks(view(request(text, *sent, before=before)))
    assert isinstance(made, Sentence), made
    return made
