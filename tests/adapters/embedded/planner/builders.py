"""Requests as people make them, for the tests of the embedded planner."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import (
    Attachment,
    Channel,
    Context,
    FileHash,
    LocalizedText,
    Media,
    NamedFile,
    Person,
    Request,
    RunId,
    Task,
    Thread,
    Turn,
)
from pipeline.words import say

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
        attachment = Attachment(
            hash=FileHash(f"{prefix}{at}"), media_type=MEDIA[kind], name=f"{prefix}{at}.bin", size=9
        )
        named.append(NamedFile(f"{kind} {count}", attachment))
    return tuple(named)


Said = str | LocalizedText
"""Words of a turn; the bot's own sentences are stored with their ids."""


def turn(key: str, person: Person, said: Said, sent: tuple[NamedFile, ...] = ()) -> Turn:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    if isinstance(said, str):
        return Turn(key=key, person=person, text=said, files=sent, at=now)
    return Turn(key=key, person=person, text=say("en", said), files=sent, at=now, sentence=said.id)


def request(
    text: str, *sent: str, before: Sequence[str] = (), said: Said = "", locale: str = "en"
) -> Request:
    turns = []
    if before:
        turns.append(turn("1", ANN, "", files(before, "old")))
    if said:
        turns.append(turn("2", BOT, said))
    return Request(
        run=RunId("r"),
        thread=Thread(Channel("test", "w", "c"), "1"),
        person=Person("U", "ann", locale=locale),
        text=text,
        files=files(sent),
        context=Context(tuple(turns)),
    )


ENDINGS = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "ogg": "audio/ogg",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "csv": "text/csv",
}


def scene(
    text: str, sent: str = "", *turns: tuple[Person, Said, str], locale: str = "en"
) -> Request:
    """A request with files by their own names, after turns of who said what with which files."""
    count = Counter[str]()

    def named(names: str) -> tuple[NamedFile, ...]:
        found = []
        for name in names.split():
            file = Attachment(
                hash=FileHash(name),
                media_type=ENDINGS[name.rpartition(".")[2].lower()],
                name=name,
                size=9,
            )
            count[file.type] += 1
            found.append(NamedFile(f"{file.type.value} {count[file.type]}", file))
        return tuple(found)

    before = tuple(
        turn(str(at), person, said, named(names)) for at, (person, said, names) in enumerate(turns)
    )
    person = Person("U", "ann", locale=locale)
    thread = Thread(Channel("test", "w", "c"), "1")
    return Request(
        run=RunId("r"),
        thread=thread,
        person=person,
        text=text,
        files=named(sent),
        context=Context(before),
    )


def taken(made: Sequence[Task] | LocalizedText) -> list[str]:
    """The files that tasks take, by their own names."""
    assert not isinstance(made, LocalizedText), made
    args = (arg for task in made for args in task.args.values() for arg in args)
    return [arg.attachment.name for arg in args if isinstance(arg, Media)]


def planned(text: str, *sent: str, before: Sequence[str] = (), said: Said = "") -> list[Task]:
    made = tasks(view(request(text, *sent, before=before, said=said)))
    assert not isinstance(made, LocalizedText), made
    return list(made)


def kinds(text: str, *sent: str, before: Sequence[str] = (), said: Said = "") -> list[str]:
    return [task.kind.name for task in planned(text, *sent, before=before, said=said)]


def told(text: str, *sent: str, before: Sequence[str] = ()) -> LocalizedText:
    made = tasks(view(request(text, *sent, before=before)))
    assert isinstance(made, LocalizedText), made
    return made
