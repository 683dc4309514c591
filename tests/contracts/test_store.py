"""What every store does with talk and settings. Erasure has a suite of its own."""

from dataclasses import replace

from pipeline.domain import (
    Channel,
    ChannelSettings,
    Link,
    NamedFile,
    RunId,
    RunState,
    Thread,
)
from tests.contracts.homes import Home
from tests.contracts.messages import (
    ABROAD,
    BEN,
    BOT,
    CHANNEL,
    ELSEWHERE,
    NOON,
    OTHER,
    THREAD,
    file,
    message,
    turn,
)
from tests.contracts.runs import done, run


async def test_a_thread_is_remembered_in_order_with_its_files(home: Home) -> None:
    said = (turn("1", NamedFile("image 1", file("a"))), turn("2", person=BOT, text="ü \ud800"))
    async with home.open() as kept:
        for each in said:
            await kept.store.log(THREAD, each)

    async with home.open() as kept:
        context = await kept.store.context(THREAD, turns=10, tail=10)
        assert context.turns == said
        assert context.files == (NamedFile("image 1", file("a")),)


async def test_files_that_were_not_fetched_are_remembered_as_links(home: Home) -> None:
    link = Link("https://chat/cat", "cat.png", media_type="image/png", size=9, id="F1")
    heard = replace(turn("1"), links=(link,))
    async with home.open() as kept:
        await kept.store.log(THREAD, heard)

    async with home.open() as kept:
        context = await kept.store.context(THREAD, turns=10, tail=0)
        assert context.turns == (heard,)
        assert context.files == ()


async def test_only_the_last_turns_are_given_oldest_first(home: Home) -> None:
    said = [turn(str(number)) for number in range(5)]
    async with home.open() as kept:
        for each in said:
            await kept.store.log(THREAD, each)

        assert (await kept.store.context(THREAD, turns=2, tail=0)).turns == (said[3], said[4])
        assert (await kept.store.context(THREAD, turns=0, tail=0)).turns == ()


async def test_turns_up_to_a_message_leave_out_what_came_after_it(home: Home) -> None:
    said = [turn("1"), turn("2", thread=OTHER), turn("3"), turn("4", thread=OTHER)]
    async with home.open() as kept:
        for each in said:
            await kept.store.log(THREAD if each in (said[0], said[2]) else OTHER, each)

        context = await kept.store.context(THREAD, before=said[2].key, turns=9, tail=9)
        unknown = await kept.store.context(THREAD, before="nowhere", turns=9, tail=9)

        assert (context.turns, context.channel) == ((said[0],), (said[1],))
        assert (unknown.turns, unknown.channel) == ((said[0], said[2]), (said[1], said[3]))


async def test_nothing_of_another_channel_or_workspace_is_ever_shown(home: Home) -> None:
    async with home.open() as kept:
        for number, thread in enumerate((THREAD, OTHER, ELSEWHERE, ABROAD)):
            await kept.store.log(thread, turn(str(number), thread=thread))

        for number, thread in enumerate((THREAD, OTHER, ELSEWHERE, ABROAD)):
            context = await kept.store.context(thread, turns=9, tail=9)
            assert [each.text for each in context.turns] == [f"turn {number}"]
            around = {0: ["turn 1"], 1: ["turn 0"]}.get(number, [])
            assert [each.text for each in context.channel] == around


async def test_what_is_said_in_a_closed_thread_is_not_shown_in_the_rest_of_its_channel(
    home: Home,
) -> None:
    inside = Thread(THREAD.channel, "0009", closed=True)
    async with home.open() as kept:
        await kept.store.log(inside, turn("1", thread=inside))
        await kept.store.log(Thread(inside.channel, inside.root), turn("2", thread=inside))
        await kept.store.log(OTHER, turn("3", thread=OTHER))

        for thread, here, around in (
            (THREAD, [], ["turn 3"]),
            (inside, ["turn 1", "turn 2"], ["turn 3"]),
        ):
            context = await kept.store.context(thread, turns=9, tail=9)
            assert [each.text for each in context.turns] == here
            assert [each.text for each in context.channel] == around


async def test_a_turn_logged_again_is_replaced_in_its_place(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1", NamedFile("image 1", file("a"))))
        await kept.store.log(THREAD, turn("2"))
        await kept.store.log(THREAD, turn("1", NamedFile("image 1", file("b")), text="edited"))

        turns = (await kept.store.context(THREAD, turns=9, tail=0)).turns

        assert [each.text for each in turns] == ["edited", "turn 2"]
        assert await kept.store.file_hashes() == {file("b").hash}


async def test_files_are_numbered_by_type_within_their_thread(home: Home) -> None:
    async with home.open() as kept:
        sent = (file("a"), file("b", "audio/wav"), file("c"))
        first = await kept.store.log(THREAD, turn("1"), sent)
        second = await kept.store.log(THREAD, turn("2"), (file("a"), file("d", "text/csv")))
        other = await kept.store.log(OTHER, turn("3", thread=OTHER), (file("a"),))

        assert [named.name for named in first.files] == ["image 1", "audio 1", "image 2"]
        assert [named.name for named in second.files] == ["image 3", "table 1"]
        assert [named.name for named in other.files] == ["image 1"]


async def test_a_preview_of_the_names_of_files_uses_up_no_number(home: Home) -> None:
    async with home.open() as kept:
        preview = await kept.store.name_files(THREAD, "k1", (file("a"), file("b")))
        logged = await kept.store.log(THREAD, turn("2"), (file("c"),))
        later = await kept.store.name_files(THREAD, "k3", (file("d"),))

        assert [named.name for named in preview] == ["image 1", "image 2"]
        assert [named.name for named in logged.files] == ["image 1"]
        assert [named.name for named in later] == ["image 2"]
        assert await kept.store.name_files(THREAD, "k4", ()) == ()


async def test_the_same_files_under_the_same_key_have_the_same_names(home: Home) -> None:
    async with home.open() as kept:
        first = await kept.store.log(THREAD, turn("1"), (file("a"), file("b")))
        await kept.store.log(THREAD, turn("2"), (file("c"),))

    async with home.open() as kept:
        assert await kept.store.log(THREAD, turn("1"), (file("a"), file("b"))) == first
        edited = await kept.store.log(THREAD, turn("1"), (file("b"), file("d")))
        assert [named.name for named in edited.files] == ["image 2", "image 4"]
        twice = await kept.store.log(THREAD, turn("5"), (file("e"), file("e")))
        assert [named.name for named in twice.files] == ["image 5", "image 5"]


async def test_attachments_of_a_turn_are_stored_under_their_names(home: Home) -> None:
    async with home.open() as kept:
        logged = await kept.store.log(THREAD, turn("1"), (file("b"),))
        edited = await kept.store.log(THREAD, turn("1", text="edited"), (file("b"),))
        await kept.store.keep(run("run1"), THREAD, turn("2"), attachments=(file("c"),))

        assert logged.files == edited.files == (NamedFile("image 1", file("b")),)
        turns = (await kept.store.context(THREAD, turns=9, tail=0)).turns
        assert [each.files for each in turns] == [
            logged.files,
            (NamedFile("image 2", file("c")),),
        ]
        assert await kept.store.file_hashes() == {file("b").hash, file("c").hash}


async def test_a_channel_sets_things_for_itself_only(home: Home) -> None:
    chosen = ChannelSettings(
        models={"text-to-image": "org/good"}, places=("local",), mention="threads", language="de"
    )
    async with home.open() as kept:
        await kept.store.set(CHANNEL, ChannelSettings(language="fr"))
        await kept.store.set(CHANNEL, chosen)

    async with home.open() as kept:
        assert await kept.store.settings(CHANNEL) == chosen
        assert await kept.store.settings(ABROAD.channel) == ChannelSettings()


async def test_threads_active_since_a_moment_are_told_with_their_last_message(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("05", minutes=5))
        await kept.store.log(THREAD, turn("06", person=BEN, minutes=6))
        await kept.store.log(THREAD, turn("answer", person=BOT, minutes=7))
        await kept.store.log(OTHER, turn("01", thread=OTHER, minutes=-60))
        web = Thread(type(CHANNEL)("web", "", "C1"), "0001")
        await kept.store.log(web, turn("09", thread=web))

        assert list(await kept.store.active_threads("slack", since=NOON)) == [(THREAD, "06")]
        elsewhere = await kept.store.active_threads("slack", since=NOON, workspace="T9")
        here = await kept.store.active_threads("slack", since=NOON, workspace="T1")
        assert (list(elsewhere), list(here)) == ([], [(THREAD, "06")])


async def test_a_message_that_is_only_noted_makes_its_thread_active_and_not_listed(
    home: Home,
) -> None:
    async with home.open() as kept:
        await kept.store.note(THREAD, "05", NOON)

        assert list(await kept.store.active_threads("slack", since=NOON)) == [(THREAD, "05")]
        assert not await kept.store.active_threads("slack", since=NOON, noted=False)
        assert list(await kept.store.threads("slack", "T1", limit=9)) == []
        assert (await kept.store.context(OTHER, turns=9, tail=9)).channel == ()


async def test_a_message_accepted_is_seen_before_it_is_logged(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("05"))
        await kept.inbox.accept(message("06"), RunId("run1"))
        await kept.store.log(THREAD, turn("06"))

        assert list(await kept.store.active_threads("slack", since=NOON)) == [(THREAD, "06")]


async def test_a_file_is_shown_to_the_workspace_that_it_is_in(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1", NamedFile("image 1", file("a"))))
        await kept.store.keep(run("run1", done(letter="b")), THREAD)

        for letter, workspace, shown in (
            ("a", "slack:T1", True),
            ("b", "slack:T1", True),
            ("a", "slack:T2", False),
            ("c", "slack:T1", False),
        ):
            assert await kept.store.is_shown_file(workspace, file(letter).hash) is shown
        assert await kept.store.is_known("slack:T1")
        assert not await kept.store.is_known("slack:T2")


async def test_a_hash_that_somebody_pasted_is_no_reference(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1", NamedFile("image 1", file("a"))))
        await kept.store.log(THREAD, turn("2", text=f"see /files/{file('a').hash}"))

        assert list(await kept.store.unlog(turn("1").key)) == [file("a").hash]


async def test_the_latest_threads_are_listed_with_their_first_and_last_turn(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1"))
        await kept.store.log(THREAD, turn("2", minutes=1))
        await kept.store.log(ELSEWHERE, turn("3", thread=ELSEWHERE, minutes=2))
        await kept.store.log(OTHER, turn("4", thread=OTHER, minutes=3))
        await kept.store.log(ABROAD, turn("5", thread=ABROAD, minutes=4))
        await kept.store.keep(run("run1"), THREAD)

        latest = await kept.store.threads("slack", "T1", limit=2)
        *_, last = await kept.store.threads("slack", "T1", limit=9)

        assert [each.thread for each in latest] == [OTHER, ELSEWHERE]
        assert (last.thread, last.first, last.last) == (THREAD, turn("1"), turn("2", minutes=1))
        assert last.state is RunState.ANSWERED


async def test_channels_are_listed_that_have_threads_or_settings(home: Home) -> None:
    talk = Channel("web", "someone", "talk")
    set_up = Channel("slack", "T1", "C9")
    async with home.open() as kept:
        for thread in (THREAD, ELSEWHERE, Thread(talk, "talk")):
            await kept.store.log(thread, turn("1", thread=thread))
        await kept.store.set(set_up, ChannelSettings(mention="always"))
        await kept.store.set(Channel("slack", "T1", "C8"), ChannelSettings())

        listed = await kept.store.list_channels(limit=9, without=("web",))
        everything = await kept.store.list_channels(limit=9)
        found = await kept.store.list_channels(query="c9", limit=9)
        rest = await kept.store.list_channels(after=CHANNEL.key, limit=1, without=("web",))

    assert [each.channel for each in listed] == [CHANNEL, ELSEWHERE.channel, set_up]
    assert [bool(each.at) for each in listed] == [True, True, False]
    assert talk in [each.channel for each in everything]
    assert [each.settings.mention for each in found] == ["always"]
    assert [each.channel for each in rest] == [ELSEWHERE.channel]
