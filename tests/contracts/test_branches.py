"""What every store does with threads that have branches."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pipeline.domain import Attachment, Channel, Context, Exchange, RunId, RunState, Thread, Turn
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import ANN, BOT, NOON, THREAD, file, message, turn
from tests.contracts.runs import run

PAGE = Thread(Channel("web", "5f", "talk"), "talk")


def key(name: str, thread: Thread = PAGE) -> str:
    return f"{thread.channel.key}:{name}"


async def accept(
    kept: Kept, name: str, after: str | None = None, *, again: str = "", beside: bool = False
) -> RunId:
    """Ann says something; the run of "m1" is "run m1", that of a retry "run m1 again"."""
    id_ = RunId(f"run {name}{again}")
    said = replace(message(name, PAGE), after=after, beside=beside)
    assert await kept.inbox.accept(said, id_)
    return id_


async def log(kept: Kept, name: str, after: str | None, *files: Attachment) -> Turn:
    said = turn(name, thread=PAGE, text=name)
    return await kept.store.log(PAGE, said, files, run=RunId(f"run {name}"), after=after)


async def answer(
    kept: Kept,
    id_: RunId,
    *files: Attachment,
    thread: Thread = PAGE,
    state: RunState = RunState.ANSWERED,
) -> None:
    name = id_.split()[1]
    said = Turn(key=id_, person=BOT, text=f"to {id_[4:]}", files=(), at=NOON)
    record = replace(run(id_, thread=thread, state=state), message=key(name, thread))
    await kept.store.keep(record, thread, said, attachments=files)
    await kept.inbox.finish(id_)


async def say(
    kept: Kept, name: str, after: str | None = None, *, state: RunState = RunState.ANSWERED
) -> RunId:
    """Ann's message with its answer; returns the run."""
    id_ = await accept(kept, name, after)
    await log(kept, name, after)
    await answer(kept, id_, state=state)
    return id_


async def retry(kept: Kept, name: str, state: RunState = RunState.ANSWERED) -> RunId:
    await answer(kept, id_ := await accept(kept, name, again=" again"), state=state)
    return id_


async def context(kept: Kept, after: str | None, before: str = "", turns: int = 9) -> Context:
    return await kept.store.context(PAGE, before=before, after=after, turns=turns, tail=0)


def words(context: Context) -> Sequence[str]:
    return [each.text for each in context.turns]


async def test_a_message_follows_only_the_run_that_it_names(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        second = await say(kept, "m2", first)
        edit = await say(kept, "m3", first)

        assert words(await context(kept, second)) == ["m1", "to m1", "m2", "to m2"]
        assert words(await context(kept, edit)) == ["m1", "to m1", "m3", "to m3"]
        assert words(await context(kept, first, before=key("m9"))) == ["m1", "to m1"]
        assert words(await context(kept, edit, turns=3)) == ["to m1", "m3", "to m3"]
        assert words(await context(kept, "")) == []


async def test_a_message_read_again_follows_what_its_turn_says(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        await say(kept, "m2", "")
        await say(kept, "m3", first)
        await kept.store.relog(PAGE, turn("m3", thread=PAGE, text="changed"))

        assert words(await context(kept, None, before=key("m3"))) == ["m1", "to m1"]
        assert words(await context(kept, None, before=key("m2"))) == []


async def test_before_the_first_message_with_a_parent_all_turns_follow_each_other(
    home: Home,
) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1")
        second = await say(kept, "m2")
        third = await say(kept, "m3", second)
        edit = await say(kept, "m4", first)

        assert words(await context(kept, third)) == ["m1", "to m1", "m2", "to m2", "m3", "to m3"]
        assert words(await context(kept, third, turns=5)) == ["to m1", "m2", "to m2", "m3", "to m3"]
        assert words(await context(kept, edit)) == ["m1", "to m1", "m4", "to m4"]


async def test_the_newest_answer_stands_for_a_message_and_the_files_of_others_can_be_named(
    home: Home,
) -> None:
    async with home.open() as kept:
        first = await accept(kept, "m1")
        await log(kept, "m1", None)
        await answer(kept, first, file("a"))
        again = await accept(kept, "m1", again=" again")
        await answer(kept, again, file("b"))

        newest = await context(kept, None)
        named = await context(kept, first)

        assert words(newest) == ["m1", "to m1 again"]
        assert [each.name for each in newest.older] == ["image 1"]
        assert [each.name for each in newest.files] == ["image 1", "image 2"]
        assert words(named) == ["m1", "to m1"]
        assert [each.name for each in named.older] == ["image 2"]


async def test_a_failed_retry_supersedes_nothing(home: Home) -> None:
    async with home.open() as kept:
        await say(kept, "m1")
        failed = await retry(kept, "m1", state=RunState.APOLOGISED)
        await say(kept, "m2", state=RunState.APOLOGISED)
        await retry(kept, "m2", state=RunState.APOLOGISED)

        assert words(await context(kept, None)) == ["m1", "to m1", "m2", "to m2 again"]
        assert words(await context(kept, failed)) == ["m1", "to m1 again"]


async def test_an_answer_is_left_out_only_for_one_from_before_the_message(home: Home) -> None:
    async with home.open() as kept:
        await say(kept, "m1")
        await say(kept, "m2")
        await retry(kept, "m1")

        assert words(await context(kept, None, before=key("m2"))) == ["m1", "to m1"]
        assert words(await context(kept, None)) == ["m1", "m2", "to m2", "to m1 again"]


async def test_other_threads_of_the_channel_show_the_newest_answers(home: Home) -> None:
    other = Thread(THREAD.channel, "0009")
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("m1", text="m1"))
        await answer(kept, RunId("run m1"), thread=THREAD)
        await answer(kept, RunId("run m1 again"), thread=THREAD)

        around = (await kept.store.context(other, turns=9, tail=9)).channel

    assert [each.text for each in around] == ["m1", "to m1 again"]


async def test_files_of_other_branches_cannot_be_named(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        await log(kept, "m2", first, file("a"))
        await answer(kept, RunId("run m2"), file("b"))
        await log(kept, "m3", first, file("c"))
        await answer(kept, RunId("run m3"), file("d"))

        here = await context(kept, "run m3")
        short = await context(kept, "run m3", turns=1)

        assert [each.name for each in here.files] == ["image 3", "image 4"]
        assert [each.name for each in short.older] == ["image 3"]


async def test_a_file_that_an_edited_message_keeps_has_the_name_that_it_had(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        sent = await log(kept, "m2", first, file("a"), file("b"))
        names = await kept.store.name_files(PAGE, key("m3"), (file("b"),), after=first)
        edited = await log(kept, "m3", first, file("b"), file("c"))
        await kept.store.unlog(key("m2"))
        later = await log(kept, "m4", "run m3", file("b"))

        assert [each.name for each in sent.files] == ["image 1", "image 2"]
        assert [each.name for each in names] == ["image 2"]
        assert [each.name for each in edited.files] == ["image 2", "image 3"]
        assert [each.name for each in (await log(kept, "m3", first, file("b"))).files] == [
            "image 2"
        ]
        assert [each.name for each in later.files] == ["image 4"]


async def test_commands_and_refused_messages_stand_for_what_they_follow(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        command = await accept(kept, "m2", first, beside=True)
        await kept.inbox.finish(command)
        refused = await accept(kept, "m3", first)
        await answer(kept, refused, state=RunState.APOLOGISED)
        after_command = await say(kept, "m4", command)
        after_refusal = await say(kept, "m5", refused)

        assert words(await context(kept, after_command)) == ["m1", "to m1", "m4", "to m4"]
        assert words(await context(kept, after_refusal)) == [
            *("m1", "to m1", "to m3", "m5", "to m5"),
        ]


@pytest.mark.parametrize("gone", ["m2", "run m2"])
async def test_what_followed_a_deleted_message_follows_what_that_followed(
    home: Home, gone: str
) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        second = await say(kept, "m2", first)
        third = await say(kept, "m3", second)
        await say(kept, "m4", first)
        await kept.store.open_at(PAGE, second)

        await kept.store.unlog(key(gone) if gone == "m2" else second)

        left = ["m1", "to m1", "m2", "m3", "to m3"]
        left = [each for each in left if each != gone]
        assert words(await context(kept, third)) == left
        branches = await kept.store.branches(PAGE)
        assert [each.run for each in branches.find_path(third)] == [first, third]
        assert branches.leaf == ""


async def test_what_followed_a_deleted_message_without_a_parent_follows_what_stood_before_it(
    home: Home,
) -> None:
    async with home.open() as kept:
        await say(kept, "m1")
        second = await say(kept, "m2")
        await say(kept, "m3")
        fourth = await say(kept, "m4", second)

        await kept.store.unlog(key("m2"))
        assert words(await context(kept, fourth)) == ["m1", "to m1", "m4", "to m4"]

        await kept.store.unlog(key("m1"))
        assert words(await context(kept, fourth)) == ["m4", "to m4"]


async def summarise(kept: Kept, end: RunId | None, text: str) -> bool:
    found = await kept.store.find_pending(PAGE, end=end, most=3, keep=2)
    return found is not None and await kept.store.save_summary(PAGE, found, text)


async def test_a_summary_counts_only_where_all_its_turns_lie_on_the_way(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        second = await say(kept, "m2", first)
        edit = await say(kept, "m3", first)
        other = await say(kept, "m4", edit)
        assert await summarise(kept, second, "They began.")

        assert (await context(kept, second)).summary == "They began."
        assert (await context(kept, other)).summary == "They began."
        assert (await context(kept, "")).summary == ""

        pending = await kept.store.find_pending(PAGE, end=other, most=3, keep=2)
        assert pending is not None
        assert pending.summary == "They began."
        assert [each.text for each in pending.turns] == ["m3", "to m3"]
        assert await kept.store.save_summary(PAGE, pending, "They changed their mind.")

        assert (await context(kept, second)).summary == ""
        assert (await context(kept, other)).summary == "They changed their mind."
        again = await kept.store.find_pending(PAGE, end=second, most=3, keep=2)
        assert again is not None
        assert again.summary == ""
        assert [each.text for each in again.turns] == ["m1", "to m1"]


async def test_a_summary_goes_with_an_answer_that_is_given_again(home: Home) -> None:
    async with home.open() as kept:
        await say(kept, "m1")
        await say(kept, "m2")
        assert await summarise(kept, None, "They began.")

        await retry(kept, "m1")

        assert (await context(kept, None)).summary == ""


async def test_the_tree_of_a_thread_has_its_runs_with_what_each_follows(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        again = await retry(kept, "m1", state=RunState.STOPPED)
        command = await accept(kept, "m2", first, beside=True)
        begun = await accept(kept, "m3", again)
        await log(kept, "m3", again)
        waiting = await accept(kept, "m4", begun)
        await kept.store.open_at(PAGE, first)

        branches = await kept.store.branches(PAGE)

        assert branches.leaf == first
        assert list(branches.exchanges) == [
            Exchange(run=first, message=key("m1"), after="", is_answered=True),
            Exchange(run=again, message=key("m1"), after=""),
            Exchange(run=command, message=key("m2"), after=first, beside=True, is_open=True),
            Exchange(run=begun, message=key("m3"), after=again, is_open=True),
            Exchange(run=waiting, message=key("m4"), after=begun, is_open=True),
        ]


async def test_runs_of_which_the_inbox_knows_nothing_are_in_the_tree(home: Home) -> None:
    async with home.open() as kept:
        await log(kept, "m1", "")
        await answer(kept, RunId("run m1"))
        await kept.store.keep(run("old", thread=PAGE), PAGE)
        later = await say(kept, "m2")

        path = (await kept.store.branches(PAGE)).find_path()

        assert [each.run for each in path] == ["run m1", "old", later]


async def test_turns_and_runs_are_found_by_their_keys(home: Home) -> None:
    async with home.open() as kept:
        first = await say(kept, "m1", "")
        await say(kept, "m2", first)

        found = await kept.store.find_turns([key("m1"), key("m9")])
        runs = await kept.store.load_all([first, RunId("unknown")])

        assert [each.text for each in found] == ["m1"]
        assert found[0].person == ANN
        assert [each.id for each in runs] == [first]
