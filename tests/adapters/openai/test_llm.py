"""The language model over real HTTP: how it is asked, what is repeated, what each refusal means."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import httpx2
import openai
import pytest

from adapters.openai.context_sizes import CAREFUL_SIZE
from adapters.openai.errors import CAUGHT, classify
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from pipeline.domain import Blob, ModelCall, SentPrompt
from pipeline.errors import LlmCutShort, LlmError, LlmGarbled, LlmRefused, LlmUnavailable
from pipeline.metering import keep_prompts, meter_calls
from pipeline.ports import Llm, Message, Prompt, Usage, stream_text
from pipeline.selection.health import REFUSED_SECONDS, PlaceHealth
from tests.adapters.openai.conftest import open_llm
from tests.servers.openai import Fault, OpenAiServer
from tests.servers.openai.server import written

SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False, "required": []}


def prompt(text: str = "Hi", **options: Any) -> Prompt:
    return Prompt((Message("system", "Be kind."), Message("user", text)), **options)


async def said(llm: Llm, asked: Prompt | None = None) -> str:
    pieces = [piece async for piece in llm.stream(asked or prompt())]
    return "".join(piece for piece in pieces if isinstance(piece, str))


async def test_pieces_come_as_they_are_written_and_then_the_usage(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.pace = 10_000

    pieces = [piece async for piece in llm.stream(prompt())]

    assert pieces[:-1] == ["Hello", "!"]
    assert isinstance(pieces[-1], Usage)
    assert pieces[-1].prompt_tokens > 0
    assert server.asked[0].key == "sk-secret"
    assert server.asked[0].texts == ["Be kind.", "Hi"]


async def test_calls_one_after_the_other_share_a_connection(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    for _ in range(3):
        assert await said(llm) == "Hello!"

    assert len({asked.port for asked in server.asked}) == 1


async def test_a_stream_that_stays_open_after_its_end_is_not_waited_for(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.goes_wrong(Fault.LINGERS)

    assert await said(llm) == "Hello!"
    assert await said(llm) == "Hello!"


async def test_a_server_that_does_not_stream_is_understood(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.streams = False

    assert await said(llm) == "Hello!"


@pytest.mark.parametrize(
    "delta",
    [
        lambda piece: {"role": "assistant", "content": piece, "refusal": None, "tool_calls": None},
        lambda piece: {"content": [{"type": "text", "text": piece}, {"type": "thinking"}]},
        lambda piece: {"content": None, "tool_calls": [{"function": {"arguments": piece}}]},
    ],
)
async def test_a_text_is_read_in_each_of_its_forms(
    llm: OpenAiLlm, server: OpenAiServer, delta: Callable[[str], dict[str, Any]]
) -> None:
    server.delta = delta

    assert await said(llm) == "Hello!"


async def test_the_schema_is_sent_strictly(llm: OpenAiLlm, server: OpenAiServer) -> None:
    await said(llm, prompt(schema=SCHEMA))

    sent = server.asked[0].body["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"]["strict"] is True
    assert sent["json_schema"]["schema"] == SCHEMA


@pytest.mark.parametrize(
    ("refuses", "calls", "kept"),
    [
        ({"json_schema"}, 2, "json_object"),
        ({"json_schema", "json_object"}, 3, ""),
        ({"stream_options"}, 2, "json_schema"),
        ({"max_completion_tokens"}, 2, "json_schema"),
        ({"max_completion_tokens", "max_tokens"}, 3, "json_schema"),
        ({"json_schema", "json_object", "stream_options", "max_completion_tokens"}, 5, ""),
    ],
)
async def test_what_an_endpoint_refuses_is_given_up_step_by_step_and_remembered(
    llm: OpenAiLlm, server: OpenAiServer, refuses: set[str], calls: int, kept: str
) -> None:
    server.refuses = refuses

    first = await said(llm, prompt(schema=SCHEMA))
    second = await said(llm, prompt(schema=SCHEMA))

    assert first == second == "Hello!"
    assert len(server.asked) == calls + 1
    assert server.asked[-1].body.get("response_format", {}).get("type", "") == kept


@pytest.mark.parametrize(
    ("reply", "heard"),
    [
        ("<think>Perhaps {}?</think>\n\nHello!", "Hello!"),
        ("\n<thinking>\nHm.</thinking>Hello!", "Hello!"),
        ("<thin ice> <think>no</think>", "<thin ice> <think>no</think>"),
        ("Hello!", "Hello!"),
        (" <thi", "<thi"),
    ],
)
@pytest.mark.parametrize("pace", [0.0, 1_000_000.0])
async def test_what_a_model_only_thinks_is_not_said(
    llm: OpenAiLlm, server: OpenAiServer, reply: str, heard: str, pace: float
) -> None:
    server.replies, server.pace = [reply], pace

    assert await said(llm) == heard


async def test_a_thought_without_an_end_is_no_answer(llm: OpenAiLlm, server: OpenAiServer) -> None:
    server.replies = ["<think>Perhaps "]

    with pytest.raises(LlmGarbled):
        await said(llm)


@pytest.mark.parametrize("pace", [0.0, 1_000_000.0])
@pytest.mark.parametrize(
    "thought", ["Perhaps {}?\n</think>\n\n", "The line\n</thin\n</think>", "\n</think>\n"]
)
async def test_a_thought_that_begins_in_the_prompt_is_not_said_once_one_was_seen(
    llm: OpenAiLlm, server: OpenAiServer, thought: str, pace: float
) -> None:
    server.replies, server.pace = [f"{thought}Hello!", f"{thought}Hello!", "Hello!"], pace

    await said(llm, prompt(schema=SCHEMA))

    assert [await said(llm), await said(llm), await said(llm)] == ["Hello!"] * 3


async def test_a_text_about_thoughts_is_whole(llm: OpenAiLlm, server: OpenAiServer) -> None:
    text = "A thought ends with </think>, and then comes the answer:\n\n`</think>`"
    server.replies = [text, text]

    assert await said(llm) == text
    assert await said(llm) == text


async def test_an_answer_is_streamed_again_after_one_without_thoughts(
    server: OpenAiServer,
) -> None:
    server.replies, server.pace = ["Hello! Hello! Hello!"], 1_000_000.0
    async with open_llm(server, model="Qwen3-30B-A3B-Thinking-2507", sees_images=False) as llm:
        first = [piece async for piece in llm.stream(prompt())]
        second = [piece async for piece in llm.stream(prompt())]

    assert [piece for piece in first if isinstance(piece, str)] == ["Hello! Hello! Hello!"]
    assert len(second) > len(first)


async def test_an_answer_is_streamed_after_thoughts_in_a_field_of_their_own(
    server: OpenAiServer,
) -> None:
    server.replies, server.pace, server.thinks = ["Hello! Hello!"], 1_000_000.0, 1
    async with open_llm(server, model="deepseek-r1:14b", sees_images=False) as llm:
        pieces = [piece async for piece in llm.stream(prompt())]

    assert [piece for piece in pieces if isinstance(piece, str)] == written("Hello! Hello!")


@pytest.mark.parametrize("end", ["length", "error", "insufficient_system_resource"])
async def test_a_reply_that_ended_too_early_is_told_as_such(
    llm: OpenAiLlm, server: OpenAiServer, end: str
) -> None:
    server.end, heard = end, list[str]()

    async def listen() -> None:
        async for piece in stream_text(llm, prompt()):
            heard.append(piece)

    with pytest.raises(LlmCutShort):
        await listen()

    assert "".join(heard) == "Hello!"


async def test_a_model_that_only_thinks_is_asked_not_to_and_that_is_remembered(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.only_thinks = True

    first, second = await said(llm), await said(llm)

    assert (first, second) == ("Hello!", "Hello!")
    assert ["reasoning_effort" in chat.body for chat in server.chats] == [False, True, True]


async def test_a_model_that_thinks_all_the_same_has_said_nothing(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.only_thinks, server.refuses = True, {"reasoning_effort", "chat_template_kwargs"}

    with pytest.raises(LlmGarbled):
        await said(llm)


async def test_white_space_without_end_is_not_waited_for(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.replies = ["Hello!" + " \n" * 300_000, " " * 600_000]

    with pytest.raises(LlmCutShort):
        await said(llm)
    with pytest.raises(LlmGarbled):
        await said(llm)


async def test_images_go_along_as_data(llm: OpenAiLlm, server: OpenAiServer) -> None:
    message = Message("user", "What is it?", (Blob(b"abc", "image/png"),))

    await said(llm, Prompt((message,)))

    (sent,) = server.asked[0].body["messages"]
    assert sent["content"][1]["image_url"]["url"] == "data:image/png;base64,YWJj"


@pytest.mark.parametrize(
    "counted", [pytest.param(10**400, id="endless"), 10**12, -5, True, 1.5, "many", None]
)
async def test_counts_that_cannot_be_are_not_believed(
    llm: OpenAiLlm, server: OpenAiServer, counted: Any
) -> None:
    server.counts = lambda _text: counted
    asked = prompt("What do you say of this? " * 50)

    *_, used = [piece async for piece in llm.stream(asked)]

    assert isinstance(used, Usage)
    assert used.prompt_tokens == -1


@pytest.mark.parametrize(
    "fault",
    [
        Fault.BUSY,
        Fault.BROKEN,
        Fault.LOADING,
        Fault.CONFLICT,
        Fault.DROPS,
    ],
)
async def test_what_may_pass_is_tried_again(
    llm: OpenAiLlm, server: OpenAiServer, fault: Fault
) -> None:
    server.goes_wrong(fault)

    assert await said(llm) == "Hello!"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("fault", "error", "sentence"),
    [
        (Fault.KEY, LlmRefused, "llm-key-refused"),
        (Fault.CREDIT, LlmRefused, "llm-credit-used-up"),
        (Fault.QUOTA, LlmRefused, "llm-credit-used-up"),
        (Fault.FORBIDDEN, LlmRefused, "llm-access-refused"),
        (Fault.GONE, LlmRefused, "llm-model-gone"),
        (Fault.TOO_LONG, LlmRefused, "llm-too-long"),
        (Fault.FILTERED, LlmRefused, "llm-filtered"),
        (Fault.FILTERED_LATE, LlmRefused, "llm-filtered"),
        (Fault.PAGE, LlmGarbled, "llm-garbled"),
        (Fault.NONSENSE, LlmGarbled, "llm-garbled"),
        (Fault.ODD_CHOICES, LlmGarbled, "llm-garbled"),
        (Fault.ODD_CHOICE, LlmGarbled, "llm-garbled"),
        (Fault.ODD_PART, LlmGarbled, "llm-garbled"),
        (Fault.ENDLESS, LlmGarbled, "llm-garbled"),
        (Fault.BOMB, LlmGarbled, "llm-garbled"),
        (Fault.NO_NEWLINE, LlmGarbled, "llm-garbled"),
        (Fault.NESTED, LlmGarbled, "llm-garbled"),
        (Fault.SILENT, LlmGarbled, "llm-garbled"),
        (Fault.BUSY_LONG, LlmUnavailable, "llm-busy"),
        (Fault.ERROR_INSIDE, LlmUnavailable, "llm-broken"),
        (Fault.BUSY_INSIDE, LlmUnavailable, "llm-busy"),
        (Fault.QUOTA_INSIDE, LlmRefused, "llm-credit-used-up"),
        (Fault.ELSEWHERE, LlmUnavailable, "llm-broken"),
        (Fault.NO_HTTP, LlmUnavailable, "llm-unreachable"),
    ],
)
async def test_what_will_not_pass_is_told_at_once(
    llm: OpenAiLlm, server: OpenAiServer, fault: Fault, error: type[LlmError], sentence: str
) -> None:
    server.goes_wrong(fault)

    with pytest.raises(error) as raised:
        await said(llm)

    assert raised.value.sentence.id == sentence
    assert len(server.asked) == 1


@pytest.mark.parametrize("fault", [Fault.KEY, Fault.CREDIT])
async def test_an_account_that_is_refused_is_not_asked_again_for_some_minutes(
    server: OpenAiServer, fault: Fault
) -> None:
    now = 0.0
    async with open_server(Endpoint("played", server.base, key="sk-secret", seconds=5)) as opened:
        llm = OpenAiLlm(opened, health=PlaceHealth(lambda: now))
        server.goes_wrong(fault)
        told = []
        for _ in range(2):
            with pytest.raises(LlmRefused) as raised:
                await said(llm)
            told.append(raised.value.sentence)
        now += REFUSED_SECONDS

        assert await said(llm) == "Hello!"

    assert told[0] == told[1]
    assert len(server.asked) == 2


@pytest.mark.program
async def test_what_does_not_pass_is_told_after_some_tries(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.goes_wrong(Fault.BROKEN, times=9)

    with pytest.raises(LlmUnavailable):
        await said(llm)

    assert len(server.asked) == 4


async def test_nothing_is_said_twice_after_a_drop_in_the_middle(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.goes_wrong(Fault.DROPS_LATE)
    stream = llm.stream(prompt())

    heard = await anext(stream)
    with pytest.raises(LlmUnavailable):
        await anext(stream)

    assert heard == "Hel"
    assert len(server.asked) == 1


async def test_a_stream_that_ends_without_the_usual_reason_was_cut_off(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    whole = await said(llm)
    server.goes_wrong(Fault.ENDS_EARLY)

    with pytest.raises(LlmUnavailable):
        await said(llm)
    assert await said(llm) == whole


async def test_a_stream_that_has_its_last_line_is_whole_without_a_reason(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    whole = await said(llm)
    server.goes_wrong(Fault.LINGERS)

    assert await said(llm) == whole


async def test_an_answer_that_is_not_streamed_is_whole_without_a_reason(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    whole = await said(llm)
    server.goes_wrong(Fault.UNSTREAMED)

    assert await said(llm) == whole


async def test_a_stream_without_a_word_is_not_called_cut_off(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    await said(llm)
    server.goes_wrong(Fault.SILENT)

    with pytest.raises(LlmGarbled):
        await said(llm)


async def test_a_server_that_never_says_why_it_ends_is_believed(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.goes_wrong(Fault.ENDS_EARLY, times=2)

    assert [await said(llm), await said(llm)] == ["Hel", "Hel"]


async def test_a_server_that_hangs_is_given_up_at_the_deadline(server: OpenAiServer) -> None:
    server.goes_wrong(Fault.HANGS)

    async with open_llm(server, seconds=0.1) as llm:
        with pytest.raises(LlmUnavailable) as raised:
            await said(llm)

    assert raised.value.sentence.id == "llm-too-slow"


async def test_an_answer_that_stops_in_the_middle_is_given_up_at_the_deadline(
    server: OpenAiServer,
) -> None:
    server.goes_wrong(Fault.HANGS_LATE)

    async with open_llm(server, seconds=0.3) as llm:
        stream = llm.stream(prompt())
        first = await anext(stream)
        with pytest.raises(LlmUnavailable) as raised:
            await anext(stream)

    assert first == "Hel"
    assert raised.value.sentence.id == "llm-too-slow"
    assert len(server.asked) == 1


async def test_a_stream_that_is_closed_early_ends_the_call(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.goes_wrong(Fault.HANGS_LATE)

    stream = llm.stream(prompt())
    await anext(stream)
    await stream.aclose()

    assert await said(llm) == "Hello!"


async def test_each_call_that_the_sdk_makes_again_is_counted(
    llm: OpenAiLlm, server: OpenAiServer
) -> None:
    server.goes_wrong(Fault.BUSY)
    calls: list[ModelCall] = []

    with meter_calls(calls.append):
        assert await said(llm) == "Hello!"

    assert [call.error for call in calls] == ["retried", ""]


async def test_what_was_asked_is_given_to_whoever_keeps_it(llm: OpenAiLlm) -> None:
    kept: list[SentPrompt] = []
    picture = Message("user", "and this?", (Blob(b"123", "image/png", "a.png"),))

    with keep_prompts(kept.append):
        await said(llm)
        async with aclosing(llm.stream(Prompt((Message("system", "Be brief."), picture)))) as all_:
            [piece async for piece in all_]

    (first, second) = kept
    assert (first.model, first.reply) == (llm.name, "Hello!")
    assert second.text == (
        "--- system ---\nBe brief.\n\n--- user ---\nand this?\n(3 bytes of image/png)"
    )


async def test_a_server_that_is_not_there_is_told() -> None:
    async with open_server(Endpoint("played", "http://127.0.0.1:9/v1")) as opened:
        with pytest.raises(LlmUnavailable) as raised:
            await said(OpenAiLlm(opened, retries=0))

    assert raised.value.sentence.id == "llm-unreachable"


@pytest.mark.parametrize(
    ("row", "size"),
    [
        ({"max_model_len": 4096}, 4096),
        ({"max_model_len": True}, CAREFUL_SIZE),
        ({"context_length": 8000}, 8000),
        ({"context_length": 8000, "top_provider": {"context_length": 6000}}, 6000),
        ({"meta": {"n_ctx": 1024, "n_ctx_train": 2048}}, 1024),
        ({"meta": {"n_ctx_train": 2048}}, 2048),
        ({}, 16_384),
    ],
)
async def test_the_size_of_the_context_is_asked_from_the_endpoint(
    server: OpenAiServer, row: dict[str, Any], size: int
) -> None:
    server.models = [{"id": "other", "max_model_len": 1}, {"id": "played", **row}]

    async with open_llm(server) as llm:
        room = await llm.room()

    assert room == size


@pytest.mark.parametrize(
    ("listed", "may_use", "chosen"),
    [
        (["nomic-embed-text", "llama3.3", "qwen3"], True, "llama3.3"),
        (["llama3.3", "played"], True, "played"),
        (["nomic-embed-text"], True, "played"),
        ([], True, "played"),
        (["llama3.3"], False, "played"),
    ],
)
async def test_a_server_without_the_default_model_is_asked_for_the_first_that_it_lists(
    server: OpenAiServer, listed: list[str], chosen: str, *, may_use: bool
) -> None:
    server.models = [{"id": name} for name in listed]

    async with open_llm(server, sees_images=False, may_use=lambda _model: may_use) as llm:
        assert llm.name == chosen


@pytest.mark.parametrize(
    ("size", "words", "limit"),
    [
        (4096, 10, (3800, 3891)),
        (4096, 2000, (1400, 2600)),
        (4096, 9000, (256, 256)),
        (32_000, 2000, (4096, 4096)),
        (0, 9000, (4096, 4096)),
    ],
)
async def test_no_longer_reply_is_asked_for_than_the_context_has_left(
    server: OpenAiServer, size: int, words: int, limit: tuple[int, int]
) -> None:
    server.models = [{"id": "played", **({"max_model_len": size} if size else {})}]

    async with open_llm(server, sees_images=False) as llm:
        await said(llm, prompt("word " * words, max_tokens=4096))

    assert limit[0] <= server.asked[-1].limit <= limit[1]


async def test_a_size_that_is_set_is_not_asked_for(server: OpenAiServer) -> None:
    server.models = [{"id": "played", "max_model_len": 4096}]

    async with open_llm(server, context=1000) as llm:
        room = await llm.room()

    assert room == 1000


@pytest.mark.parametrize(
    ("path", "page", "size"),
    [
        ("/props", {"default_generation_settings": {"n_ctx": 3000}}, 3000),
        ("/api/v0/models", {"data": [{"id": "played", "loaded_context_length": 5000}]}, 5000),
        ("/props", {"default_generation_settings": "none"}, 8192),
        ("/props", [], 8192),
    ],
)
async def test_a_model_loaded_with_less_than_it_could_hold_is_asked_about_where_its_server_tells(
    server: OpenAiServer, path: str, page: Any, size: int
) -> None:
    server.models = [{"id": "played", "meta": {"n_ctx_train": 8192}}]
    server.pages = {path: page}

    async with open_llm(server) as llm:
        assert await llm.room() == size
        assert await llm.room() == size

    assert server.listed == 1


async def test_an_endpoint_that_could_not_be_asked_is_asked_again(server: OpenAiServer) -> None:
    server.models = [{"id": "played", "max_model_len": 4096}]
    server.down = True
    async with open_llm(server) as llm:
        before = await llm.room()
        server.down = False

        assert before == CAREFUL_SIZE
        assert await llm.room() == 4096


async def test_ollama_s_default_counts_until_it_has_loaded_the_model_and_says_with_what(
    server: OpenAiServer,
) -> None:
    sizes = []
    running = [{"name": "other:latest", "context_length": 9}]
    server.pages = {"/api/ps": {"models": running}}
    async with open_llm(server) as llm:
        for more in ([], [{"name": "played:latest", "context_length": 32_768}], []):
            server.pages = {"/api/ps": {"models": [*running, *more]}}
            sizes.append(await llm.room())

    assert sizes == [4096, 32_768, 32_768]


def test_a_server_that_was_busy_until_the_deadline_is_not_called_broken() -> None:
    response = httpx2.Response(429, request=httpx2.Request("POST", "http://127.0.0.1"))
    waiting, late = asyncio.CancelledError(), TimeoutError()
    waiting.__context__ = httpx2.HTTPStatusError("", request=response.request, response=response)
    late.__cause__ = waiting

    assert classify(late) == (LlmUnavailable, "llm-busy")


def test_every_error_of_the_client_means_something_to_us() -> None:
    errors = {
        cls
        for name, cls in vars(openai).items()
        if issubclass(type(cls), type) and issubclass(cls, openai.OpenAIError) and name[0] != "_"
    }

    assert len(errors) > 12
    assert all(issubclass(error, CAUGHT) for error in errors)


@pytest.mark.parametrize("is_listed", [True, False])
async def test_a_model_that_nobody_chose_is_named_only_where_the_server_lists_it(
    server: OpenAiServer, *, is_listed: bool
) -> None:
    server.models = [{"id": "gpt-4.1-mini"}] if is_listed else []
    server.goes_wrong(Fault.KEY, times=9)
    guess = Endpoint("gpt-4.1-mini", server.base, key="sk-ann", is_guess=True)

    async with open_server(guess) as opened:
        with pytest.raises(LlmRefused) as refused:
            await said(OpenAiLlm(opened))

    known = "gpt-4.1-mini" if is_listed else httpx2.URL(server.base).netloc.decode()
    assert refused.value.sentence.args["model"] == known
