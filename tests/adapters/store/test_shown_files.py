"""Who was shown which file."""

from dataclasses import replace
from pathlib import Path

from adapters.store import open_persistence
from pipeline.codec import dump
from pipeline.domain import Link, NamedFile, Outcome, RunId
from tests.contracts.runs import done, run
from tests.contracts.talk import ABROAD, THREAD, file, message, turn


async def test_a_file_belongs_to_the_workspace_where_it_was_sent_or_made(tmp_path: Path) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        store = kept.store
        await store.log(THREAD, turn("1", NamedFile("image 1", file("a"))))
        await store.keep(run("run1", done(letter="b")), THREAD)
        await store.log(ABROAD, turn("2", thread=ABROAD))

        shown = [
            [await store.is_shown_file(workspace, file(letter).hash) for letter in "abc"]
            for workspace in ("slack:T1", "slack:T2")
        ]

        assert shown == [[True, True, False], [False, False, False]]
        assert await store.is_known("slack:T2")
        assert not await store.is_known("slack:T3")


async def test_a_file_belongs_to_the_workspace_as_soon_as_its_message_is_taken(
    tmp_path: Path,
) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        sent, made = file("a"), file("b")
        asked = replace(message("1"), files=(Link(f"file:{sent.hash}", "a.png"),))
        await kept.inbox.accept(asked, RunId("run1"))
        await kept.journal.record(RunId("run1"), "1", dump(done(letter="b"), Outcome))

        assert await kept.store.is_shown_file("slack:T1", sent.hash)
        assert await kept.store.is_shown_file("slack:T1", made.hash)
        assert not await kept.store.is_shown_file("slack:T2", sent.hash)
