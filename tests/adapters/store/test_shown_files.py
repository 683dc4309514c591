"""Who was shown which file."""

from dataclasses import replace
from pathlib import Path

from adapters.store import open_persistence
from pipeline.codec import dump
from pipeline.domain import Link, Outcome, RunId
from tests.contracts.messages import file, message
from tests.contracts.runs import done


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
