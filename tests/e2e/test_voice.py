"""A voice message is answered by the whole program as if it had been typed."""

import json
from pathlib import Path

from adapters.embedded.experts.speech import speak
from adapters.media.bounds import Bounds
from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.sandboxed_ffmpeg import Ffmpeg
from pipeline.domain import Blob, Text
from tests.e2e.forked import forked
from tests.e2e.visitor import planned, program, programs_stage
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.values import Channel
from tests.servers.openai import Asked, openai_at_work
from tests.words import english

WORDS = "Draw a lighthouse in a storm."
REPLY = json.dumps({"action": "reply", "say": "Certainly.", "reply": "Certainly.", "tasks": []})


def spoken() -> Blob:
    (voice,) = speak({"text": (Text(WORDS),)}, "en").slots.values()
    assert isinstance(voice, Blob)
    return voice


async def test_a_voice_message_is_answered_as_if_typed(tmp_path: Path) -> None:
    prompts: list[str] = []

    def reply(asked: Asked) -> str:
        if asked.path.endswith("/audio/transcriptions"):
            return WORDS
        prompts.append(asked.text)
        is_plan = "response_format" in asked.body
        return json.dumps([planned(0, "text-to-image", text="a lighthouse")]) if is_plan else "Ok."

    async with openai_at_work() as llm:
        llm.models += [{"id": name} for name in ("whisper-1", "gpt-image-1")]
        llm.reply = reply
        places = {"OPENAI_BASE_URL": llm.base, "TROUPE_PLACES": "llm"}
        async with program(tmp_path, **places) as visitor:
            answer = await visitor.ask("", spoken())
            asked, prompts[:] = prompts[:], []
            await visitor.ask("And now in winter.")

    assert answer["message"] == "Ok."
    assert [outcome["state"] for outcome in answer["outcomes"]] == ["done"]
    assert answer["notices"] == [english("voice-heard", words=WORDS)]
    assert len(asked) == len(prompts) == 2  # the plan and the answer
    assert all(WORDS in prompt for prompt in asked)
    assert WORDS in prompts[0]


async def test_a_voice_message_on_discord_is_answered(tmp_path: Path) -> None:
    voice = Ffmpeg(find_ffmpeg, Bounds())
    opus = await voice.convert(spoken(), ("-c:a", "libopus"), "audio/ogg")
    async with play_discord() as server, openai_at_work() as llm:
        llm.models += [{"id": "whisper-1"}]
        llm.reply = lambda asked: WORDS if "transcriptions" in asked.path else REPLY
        settings = {
            "DISCORD_TOKEN": server.world.token,
            "DISCORD_API_BASE_URL": server.api,
            "DISCORD_GATEWAY_URL": server.gateway.address,
            "DISCORD_CDN_HOSTS": "127.0.0.1",
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_PLACES": "llm",
        }
        async with forked(tmp_path, **settings):
            await server.world.until(lambda: server.gateway.identified, 40.0)
            ada = server.people.person("ada")
            direct = server.people.dm(ada)
            server.people.speak(ada, direct, opus)
            await server.world.until(lambda: find_answer(server, direct), 40.0)

        answer = find_answer(server, direct)
        assert "Certainly." in answer
        assert WORDS in answer
        assert server.violations == []


def find_answer(server: DiscordServer, place: Channel) -> str:
    """The text of the answer; "" until it is complete."""
    said = [m for m in server.transcript(place) if all(b["label"] != "Stop" for b in m.buttons)]
    return repr(said[0].text) + repr(said[0].components) if said else ""


async def test_without_a_transcriber_the_person_is_told(tmp_path: Path) -> None:
    async with programs_stage(tmp_path, TROUPE_PLACES="llm") as on:
        answer = await on.troupe.ask("", spoken(), anew=True)

    assert answer["status"] != 200
    assert "voice message" in answer["error"]
    assert not on.llm.chats
