"""What stands in the thread while a run is under way, and when it is over."""

import asyncio
from dataclasses import replace

import pytest

from adapters.chat.presenter import Rhythm
from adapters.slack.web_api.limits import EDITS_FOR_ANSWERS, SlackLimits, take_if_free
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    LocalizedText,
    TaskId,
)
from tests.adapters.slack.runs import MODEL, PLANNED, two_files, whole
from tests.adapters.slack.stage import BOT, QUICK, Stage, listening
from tests.fakes.events import Told, one_by_one
from tests.servers.slack import SlackServer
from tests.servers.slack.blocks import buttons
from tests.servers.slack.faults import Refused
from tests.servers.slack.workspace import ANNA, ANNAS_DM, BEN, BOT_USER, GENERAL, Channel, Message
from tests.words import english


def actions(message: Message) -> list[str]:
    return [button["action_id"] for button in buttons(message.body["blocks"])]


async def test_progress_is_one_message_that_becomes_the_answer(stage: Stage) -> None:
    stage.slack.streams.refusal = "unknown_method"
    run = await stage.mention("what is this?")
    message, _ = stage.listener.received[0]
    root, told = message.thread.root, Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, run, aiter(told)))
        told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.said(GENERAL, root))
        (progress,) = stage.slack.said(GENERAL, root)
        before = (progress.text, actions(progress), progress.body["blocks"][-1]["elements"])
        told.tell(AnswerPart("It is a grey"))
        await stage.slack.until(lambda: "It is a grey" in progress.text)
        told.tell(*whole(run, "It is a grey **cat**.")[3:], None)

    (answer,) = stage.slack.said(GENERAL, root)
    assert MODEL.id in before[0]
    assert before[1] == ["troupe:stop"]
    assert before[2][0]["value"] == run
    assert answer.text == "It is a grey *cat*."
    assert actions(answer) == [
        "troupe:retry",
        "troupe:another",
        "troupe:details",
        "troupe:feedback",
        "troupe:feedback",
    ]
    assert answer.body["metadata"]["event_payload"]["run"] == run


async def test_files_stand_in_the_thread_in_order_with_what_is_in_them(stage: Stage) -> None:
    run = await stage.mention("draw a cat and say cat")
    message, _ = stage.listener.received[0]

    files = await two_files(stage)
    await stage.chat.follow(message, run, one_by_one(*whole(run, "Here.", files)))

    text, media = stage.slack.said(GENERAL, message.thread.root)
    assert text.text == "Here."
    assert [(f["name"], f["alt_txt"]) for f in media.body["files"]] == [
        ("cat.png", "a grey cat"),
        ("cat.wav", "a voice says cat"),
    ]
    assert "painters/cat" in repr(text.body["blocks"])


async def test_nobody_is_pinged_by_an_answer(stage: Stage) -> None:
    run = await stage.mention("ping all")
    message, _ = stage.listener.received[0]
    picture = await stage.keep(b"x", "<!channel>.png", "image/png")
    file = AnswerFile(
        attachment=picture,
        alt="<@U0ANNA001>",
        model="<!here>",
        kind="text-to-image",
        task=TaskId(1),
    )
    answer = Answer(
        run,
        "<!channel> <@U0ANNA001> @everyone",
        files=(file,),
        notices=(LocalizedText("fallback-planner", {"reason": "<!here>"}),),
    )

    await stage.chat.follow(
        message, run, one_by_one(*PLANNED, AnswerPart("<!everyone>"), Answered(answer))
    )

    assert stage.slack.space.pings == []


async def test_twenty_six_thousand_characters_arrive_whole(stage: Stage) -> None:
    run = await stage.mention("tell me everything")
    message, _ = stage.listener.received[0]
    words = [f"word{number}" for number in range(3000)]

    await stage.chat.follow(message, run, one_by_one(*whole(run, " ".join(words))))

    said = stage.slack.said(GENERAL, message.thread.root)
    assert " ".join(m.text for m in said).split() == words
    assert actions(said[-1])
    assert not any("actions" in repr(m.body["blocks"]) for m in said[:-1])


async def test_more_text_arrives_as_a_file_with_its_first_lines(stage: Stage) -> None:
    run = await stage.mention("tell me everything")
    message, _ = stage.listener.received[0]
    text = " ".join(f"word{number}" for number in range(9000))

    await stage.chat.follow(message, run, one_by_one(*whole(run, text)))

    first, *_ = stage.slack.said(GENERAL, message.thread.root)
    assert "word0 word1" in first.text
    assert text.encode() in [each.content for each in stage.slack.space.files.values()]


async def test_small_talk_has_no_buttons(stage: Stage) -> None:
    run = await stage.mention("thanks!")
    message, _ = stage.listener.received[0]

    await stage.chat.follow(message, run, one_by_one(Answered(Answer(run, "You're welcome."))))

    (said,) = stage.slack.said(GENERAL, message.thread.root)
    assert said.text == "You're welcome."
    assert actions(said) == []


async def test_an_apology_has_a_way_on_and_no_trace_of_the_log(stage: Stage) -> None:
    run = await stage.mention("break")
    message, _ = stage.listener.received[0]

    await stage.chat.follow(
        message,
        run,
        one_by_one(
            *PLANNED, Apologised(LocalizedText("apology-out-of-time", {"seconds": 9}), "R-1")
        ),
    )

    (apology,) = stage.slack.said(GENERAL, message.thread.root)
    assert "9 s" in apology.text
    assert "R-1" not in repr(apology.body["blocks"])
    assert actions(apology) == ["troupe:retry", "troupe:details"]


async def test_edits_are_merged_and_the_last_one_is_never_lost(stage: Stage) -> None:
    run = await stage.mention("count")
    message, _ = stage.listener.received[0]
    parts = [AnswerPart(f"{number} ") for number in range(2000)]

    await stage.chat.follow(
        message,
        run,
        one_by_one(*PLANNED, *parts, Answered(Answer(run, "the last word"))),
    )

    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    assert answer.text == "the last word"
    assert stage.slack.calls.count("chat.update") < 10


async def test_a_file_too_large_is_made_smaller_or_given_as_a_link(stage: Stage) -> None:
    stage.max_upload = 4
    small = Stage(
        stage.slack,
        stage.listener,
        stage.ledger,
        stage.files,
        max_upload=4,
        links={"long.mp4": "https://troupe.example/files/1"},
    )
    run = await stage.mention("make a film")
    message, _ = stage.listener.received[0]
    fits = await stage.keep(b"a film too long", "fits.mp4", "video/mp4")
    file = AnswerFile(
        attachment=fits, alt="a film", model="films/x", kind="text-to-video", task=TaskId(1)
    )

    await small.chat.follow(message, run, one_by_one(*whole(run, "Here.", (file,))))

    (shared,) = stage.slack.said(GENERAL, message.thread.root)[-1].body["files"]
    assert shared["size"] == 4


async def test_a_file_that_the_workspace_finds_too_large_is_made_smaller(stage: Stage) -> None:
    stage.slack.faults.once("files.getUploadURLExternal", Refused("file_upload_size_restricted"))
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    kept = await stage.keep(b"a picture", "cat.png", "image/png")
    file = AnswerFile(
        attachment=kept, alt="a cat", model="painters/cat", kind="text-to-image", task=TaskId(1)
    )

    await stage.chat.follow(message, run, one_by_one(*whole(run, "Here.", (file,))))

    (shared,) = stage.slack.said(GENERAL, message.thread.root)[-1].body["files"]
    assert shared["size"] == len(b"a picture") // 2


async def test_where_files_may_not_be_uploaded_the_person_gets_links(stage: Stage) -> None:
    stage.slack.faults.withheld_scopes.add("files:write")
    stage.links["cat.png"] = "https://troupe.example/files/1?sig=2"
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]

    files = await two_files(stage)
    await stage.chat.follow(message, run, one_by_one(*whole(run, "Here.", files)))

    last = stage.slack.said(GENERAL, message.thread.root)[-1].text
    assert "files:write" in last
    assert "<https://troupe.example/files/1?sig=2|cat.png>" in last
    assert "cat.wav was left out" in last


@pytest.mark.parametrize("is_late", [False, True])
async def test_where_the_channel_is_closed_the_answer_comes_in_a_direct_message(
    stage: Stage, *, is_late: bool
) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    sound = await stage.keep(b"RIFF", "cat.wav", "audio/wav")
    file = AnswerFile(
        attachment=sound, alt="a cat", model="m", kind="text-to-speech", task=TaskId(1)
    )
    told, general = Told(), stage.slack.space.channels[GENERAL]
    general.archived = not is_late

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, run, aiter(told)))
        told.tell(*PLANNED)
        if is_late:
            await stage.slack.until(lambda: stage.slack.said(GENERAL, message.thread.root))
            general.archived = True
        told.tell(Answered(Answer(run, "Hi.", files=(file,))), None)
    await stage.again().chat.follow(message, run, one_by_one(*whole(run, "Hi.", (file,))))

    direct = [m for m in stage.slack.space.channels[ANNAS_DM].messages.values() if m.by_bot]
    texts = [m.text for m in direct]
    assert "is archived" in texts[0]
    assert [text.startswith("Hi.") for text in texts].count(True) == 1
    assert [f["name"] for m in direct for f in m.body.get("files", ())] == ["cat.wav"]


async def test_a_missing_scope_is_named_where_a_file_is_left_out(stage: Stage) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    sound = await stage.keep(b"RIFF", "cat.wav", "audio/wav")
    file = AnswerFile(
        attachment=sound, alt="a cat", model="m", kind="text-to-speech", task=TaskId(1)
    )
    stage.slack.faults.withheld_scopes.add("files:write")

    await stage.chat.follow(message, run, one_by_one(*whole(run, "Hi.", (file,))))

    note = stage.slack.said(GENERAL, message.thread.root)[-1]
    assert "files:write" in note.text
    assert "getUploadURLExternal" not in note.text


async def test_the_answer_to_a_locked_thread_comes_in_its_channel(stage: Stage) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    sound = await stage.keep(b"RIFF", "cat.wav", "audio/wav")
    file = AnswerFile(
        attachment=sound, alt="a cat", model="m", kind="text-to-speech", task=TaskId(1)
    )
    stage.slack.space.locked.add(message.thread.root)

    await stage.chat.follow(message, run, one_by_one(*whole(run, "Hi.", (file,))))
    await stage.again().chat.follow(message, run, one_by_one(*whole(run, "Hi.", (file,))))

    said = [m for m in stage.slack.space.channels[GENERAL].messages.values() if m.by_bot]
    reason, answer, upload = said
    assert f"p{message.thread.root.replace('.', '')}" in reason.text
    assert "is locked" in reason.text
    assert answer.text.startswith("Hi.")
    assert [m.thread for m in said] == [reason.ts, answer.ts, answer.ts]
    assert [f["name"] for f in upload.body["files"]] == ["cat.wav"]
    assert not stage.slack.space.channels[ANNAS_DM].messages


async def test_a_private_reply_that_its_thread_does_not_take_says_where_it_belongs(
    stage: Stage,
) -> None:
    root = stage.slack.people.say("hello")
    await stage.listener.next()
    run = await stage.mention("help", thread=root)
    message, _ = stage.listener.received[1]
    stage.slack.space.locked.add(root)
    command = replace(message, beside=True)

    await stage.chat.follow(command, run, one_by_one(Answered(Answer(run, "All commands."))))

    (direct,) = stage.slack.space.channels[ANNAS_DM].messages.values()
    assert f"/p{root.replace('.', '')}>" in direct.text
    assert "All commands." in direct.text


async def test_where_its_channel_takes_no_posts_either_it_is_a_direct_message(
    stage: Stage,
) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    codes = ("restricted_action_thread_locked", "restricted_action_thread_only_channel")
    stage.slack.faults.once("chat.postMessage", *map(Refused, codes))

    await stage.chat.follow(message, run, one_by_one(*whole(run, "Hi.")))

    direct = [m.text for m in stage.slack.space.channels[ANNAS_DM].messages.values()]
    assert [text.startswith("Hi.") for text in direct].count(True) == 1


@pytest.mark.parametrize("code", ["invalid_blocks", "invalid_arguments", "msg_blocks_too_many"])
async def test_blocks_that_slack_refuses_for_good_are_left_out(stage: Stage, code: str) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    stage.slack.faults.once("chat.postMessage", Refused(code))

    await stage.chat.follow(message, run, one_by_one(*whole(run, "Hi.")))

    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    assert answer.text == "Hi."


@pytest.mark.parametrize("code", ["", "invalid_blocks", "msg_too_long"])
async def test_a_table_that_slack_refuses_is_shown_as_text(stage: Stage, code: str) -> None:
    run = await stage.mention("list them")
    message, _ = stage.listener.received[0]
    refusals = [Refused(code)] if code else []
    stage.slack.faults.once("chat.postMessage", *refusals)

    await stage.chat.follow(message, run, one_by_one(*whole(run, "|a|b|\n|-|-|\n|1|2|")))

    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    kinds = [block["type"] for block in answer.body["blocks"]]
    assert kinds[: 1 if code else 2] == (["section"] if code else ["plan", "table"])
    assert "a | b" in answer.text
    assert "troupe:retry" in actions(answer)


async def test_a_run_that_ends_silently_takes_its_progress_back(stage: Stage) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    told, root = Told(), message.thread.root

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, run, aiter(told)))
        told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.said(GENERAL, root))
        told.tell(Answered(Answer(run, "", is_silent=True)), None)

    assert stage.slack.said(GENERAL, root) == []


async def test_a_run_that_ends_silently_before_it_shows_anything_ends_its_status(
    stage: Stage,
) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    statuses = stage.slack.space.statuses
    await stage.slack.until(lambda: statuses)

    silent = Answered(Answer(run, "", is_silent=True))
    await stage.chat.follow(message, run, one_by_one(silent))

    assert statuses[-1]["status"] == ""


async def test_the_end_of_a_long_run_calls_whoever_asked(slack: SlackServer) -> None:
    async with listening(Stage(slack, rhythm=replace(QUICK, ping=0.0))) as stage:
        run = await stage.mention("what is this?")
        message, _ = stage.listener.received[0]
        await stage.chat.follow(message, run, one_by_one(*whole(run, "A cat.")))

    answer, call = slack.said(GENERAL, message.thread.root)
    assert answer.text == "A cat."
    assert call.text == english("run-ended", who=f"<@{ANNA}>")
    assert set(slack.space.pings) == {f"<@{ANNA}>"}


async def test_ten_people_in_ten_channels_get_ten_answers(stage: Stage) -> None:
    space = stage.slack.space
    for number in range(10):
        channel = Channel(f"C0CHANNEL{number}", f"c{number}", members={ANNA, BEN, BOT_USER})
        space.channels[channel.id] = channel
        stage.slack.people.say(f"{BOT} question {number}", channel=channel.id)
    await stage.slack.settled()

    async with asyncio.TaskGroup() as tasks:
        for message, run in stage.listener.received:
            events = one_by_one(*whole(run, f"answer to {message.text}"))
            tasks.create_task(stage.chat.follow(message, run, events))

    for message, _ in stage.listener.received:
        (answer,) = stage.slack.said(message.thread.channel.id, message.thread.root)
        assert answer.text == f"answer to {message.text}"


async def test_in_a_rush_nothing_is_posted_before_the_plan(slack: SlackServer) -> None:
    hasty = Rhythm(gather=0.0, first=0.0, silent=0.0, between=0.0)
    async with listening(Stage(slack, rhythm=hasty, limits=SlackLimits(most_edits=20))) as stage:
        run = await stage.mention("what is this?")
        message, _ = stage.listener.received[0]
        told = Told()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(stage.chat.follow(message, run, aiter(told)))
            for _ in range(50):
                await asyncio.sleep(0)
            told.tell(*whole(run, "A cat."), None)

    (answer,) = slack.said(GENERAL, message.thread.root)
    assert slack.calls.count("chat.postMessage") == 1
    assert "Thinking" not in repr(answer.history)


async def test_whoever_was_shown_nothing_yet_is_shown_the_plan_whatever_else_is_edited(
    slack: SlackServer,
) -> None:
    limits = SlackLimits(most_edits=25)
    hasty = Rhythm(gather=0.0, first=0.0, silent=0.0, between=0.0)
    async with listening(Stage(slack, rhythm=hasty, limits=limits)) as stage:
        run = await stage.mention("what is this?")
        message, _ = stage.listener.received[0]
        told, root = Told(), message.thread.root
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(stage.chat.follow(message, run, aiter(told)))
            await slack.until(lambda: slack.said(GENERAL, root))
            while await take_if_free(limits.edits, EDITS_FOR_ANSWERS):
                pass
            told.tell(*PLANNED)
            await slack.until(lambda: MODEL.id in repr(slack.said(GENERAL, root)[0].body))
            told.tell(*whole(run, "A cat.")[3:], None)

    assert [said.text for said in slack.said(GENERAL, root)] == ["A cat."]
