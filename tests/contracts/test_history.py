"""How every store lists conversations, and finds them by their words."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pipeline.domain import Channel, Link, NamedFile, RunId, Thread
from pipeline.ports import ListedThread, Scope
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import ANN, BOT, NOON, file, message, turn

MINE, OTHERS = "web:ann", "web:ben"


def thread(name: str, person: str = "ann") -> Thread:
    return Thread(Channel("web", person, name), name)


async def say(kept: Kept, name: str, *texts: str, person: str = "ann", minutes: int = 0) -> Thread:
    """A conversation in which each text is a message of its own."""
    where = thread(name, person)
    for number, text in enumerate(texts):
        said = turn(str(number), thread=where, text=text, minutes=minutes + number)
        await kept.store.log(where, said)
    return where


async def find(kept: Kept, query: str = "", workspace: str = MINE) -> list[str]:
    listed = await kept.store.list_threads(workspace, query=query, limit=50)
    return [each.thread.root for each in listed]


async def only(kept: Kept, query: str = "") -> ListedThread:
    (listed,) = await kept.store.list_threads(MINE, query=query, limit=50)
    return listed


async def test_pinned_conversations_come_first_and_then_the_latest(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "first", "one", minutes=1)
        await say(kept, "second", "two", minutes=20)
        await say(kept, "third", "three", minutes=10)
        await say(kept, "other", "four", person="ben")

        await kept.store.change_thread(first, pinned=True)

        assert await find(kept) == ["first", "second", "third"]
        assert [each.pinned for each in await kept.store.list_threads(MINE, limit=9)] == [
            True,
            False,
            False,
        ]

    async with home.open() as kept:
        await kept.store.change_thread(first, pinned=False)

        assert await find(kept) == ["second", "third", "first"]


async def test_pages_of_a_list_leave_nothing_out(home: Home) -> None:
    async with home.open() as kept:
        for number in range(7):
            where = await say(kept, f"t{number}", "hi", minutes=number // 2)
            if number in (1, 5):
                await kept.store.change_thread(where, pinned=True)
        whole = await kept.store.list_threads(MINE, limit=50)

        paged: list[ListedThread] = []
        while page := await kept.store.list_threads(
            MINE, before=paged[-1].position if paged else None, limit=2
        ):
            paged += page

        assert paged == list(whole)
        assert len(paged) == 7


async def test_a_title_is_the_first_message_unless_somebody_chose_one(home: Home) -> None:
    async with home.open() as kept:
        where = await say(kept, "a", "\n Draw   a cat\nwith a hat", "and a dog")

        assert (await only(kept)).title == "Draw a cat"

        await kept.store.change_thread(where, title="Pets")
        await say(kept, "a", "Draw a cat", "and a dog", "and a bird")

        assert (await only(kept)).title == "Pets"
        assert await kept.store.find_thread(where) == await only(kept)
        assert await find(kept, "pets") == ["a"]

        await kept.store.change_thread(where, title="")

        assert (await only(kept)).title == "Draw a cat"
        assert await find(kept, "pets") == []


async def test_without_words_files_give_the_title(home: Home) -> None:
    async with home.open() as kept:
        where = thread("a")
        sent = replace(turn("1", thread=where), text="", links=(Link("u", "plan.pdf"),))
        await kept.store.log(where, sent, (file("a"),))

        assert (await only(kept)).title == "a.png, plan.pdf"


async def test_a_message_that_waits_is_listed_with_its_run(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("1", thread("a"), text="Draw a cat"), RunId("r1"))

        listed = await only(kept)
        assert (listed.title, listed.waiting, listed.at) == ("Draw a cat", ("r1",), NOON)

        await kept.inbox.finish(RunId("r1"))

        assert (await only(kept)).waiting == ()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tower", ["tower"]),
        ("TOWER eiffel", ["tower"]),
        ("tow", ["tower"]),
        ("tow eiffel", []),
        ("creme", ["menu"]),
        ("CRÈME brulee", ["menu"]),
        ('"brulee creme"', []),
        ('"creme brulee"', ["menu"]),
        ('"creme brul"', []),
        ('"creme brul', ["menu"]),
        ("東京", ["tokyo"]),
        ("京東", []),
        ("タワー", ["tokyo"]),
        ("re-run", ["run"]),
        ("rerun", []),
        ("invoice-2026.pdf", ["files"]),
        ("हिन्दी", ["hindi"]),
        ("tower menu", []),
        ("!!!", []),
        ('"', []),
        ('" OR "', []),
        ("tower OR menu", []),
        ("tower*", ["tower"]),
        ("workspace:ben", []),
        ("NEAR(tower", []),
        ("- tower ^ (", ["tower"]),
        ("'; drop table words --", []),
        ("tower\0", ["tower"]),
        ("\ud800", []),
        ("x" * 5000, []),
    ],
)
async def test_conversations_are_found_by_their_words(
    home: Home, query: str, found: list[str]
) -> None:
    async with home.open() as kept:
        await say(kept, "tower", "Draw the Eiffel Tower")
        await say(kept, "menu", "hi", "Crème brûlée, please")
        await say(kept, "tokyo", "東京タワーを描いて")
        await say(kept, "run", "Please re-run it, don't run again")
        await say(kept, "hindi", "मुझे हिन्दी आती है")
        await say(kept, "theirs", "Draw the Eiffel Tower", person="ben")
        where = thread("files")
        sent = Link("u", "Invoice-2026.pdf")
        await kept.store.log(where, replace(turn("1", thread=where), links=(sent,)))

        assert await find(kept, query) == found


async def test_every_word_has_to_be_in_one_place_and_the_newest_is_shown(home: Home) -> None:
    async with home.open() as kept:
        await say(kept, "a", "a red cat", "a blue dog", "the red dog " + "and so on " * 40)

        assert await find(kept, "cat blue") == []
        excerpt = (await only(kept, "red")).excerpt
        assert excerpt.startswith("the red dog and so on")
        assert excerpt.endswith("…")
        assert (await only(kept, "blue")).excerpt == "a blue dog"


async def test_what_an_edit_took_away_is_found_no_more(home: Home) -> None:
    async with home.open() as kept:
        await say(kept, "a", "a secret cat")

        await say(kept, "a", "a public dog")

        assert await find(kept, "secret") == []
        assert await find(kept, "public") == ["a"]


async def test_what_was_forgotten_is_found_no_more(home: Home) -> None:
    async with home.open() as kept:
        where = await say(kept, "a", "a secret cat")
        await say(kept, "b", "a secret dog")
        await kept.store.change_thread(where, title="hidden")

        await kept.store.forget(Scope.THREAD, thread=where, person=ANN.id)

        assert await find(kept) == await find(kept, "secret") == ["b"]
        assert await find(kept, "hidden") == []
        assert await kept.store.find_thread(where) is None


async def test_what_was_deleted_or_became_too_old_is_found_no_more(home: Home) -> None:
    async with home.open() as kept:
        where = await say(kept, "a", "a secret cat", "a secret dog")
        await say(kept, "b", "a secret bird", minutes=60 * 24 * 9)

        await kept.store.unlog(turn("0", thread=where).key)

        assert await find(kept, "cat") == []
        assert await find(kept, "dog") == ["a"]

        await kept.store.prune(older_than=NOON + timedelta(days=8))

        assert await find(kept, "secret") == await find(kept) == ["b"]


async def test_our_own_sentences_are_not_searched(home: Home) -> None:
    async with home.open() as kept:
        where = await say(kept, "a", "draw a cat")
        told = replace(turn("r1", thread=where), text="An apology", sentence="apology", person=BOT)
        await kept.store.log(where, told)

        assert await find(kept, "apology") == []


async def test_other_platforms_are_searched_by_themselves(home: Home) -> None:
    async with home.open() as kept:
        slack = Thread(Channel("slack", "T1", "C1"), "1")
        await kept.store.log(slack, turn("1", NamedFile("image 1", file("a")), text="a cat"))

        assert await find(kept, "cat", workspace="slack:T1") == []


async def test_nothing_is_changed_of_a_conversation_that_is_gone(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.change_thread(thread("a"), title="Ghost", pinned=True)

        assert await find(kept) == await find(kept, "ghost") == []
