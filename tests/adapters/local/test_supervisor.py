"""The expert server that the program runs itself: begun, begun again, gone with the program."""

import asyncio
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from adapters.huggingface import open_wire_expert
from adapters.local.catalogue import open_served_catalogue
from adapters.local.options import ExpertServerOptions, decode_options, encode_options
from adapters.local.supervisor import SupervisedExpert, Supervisor, supervise_server
from bot.settings import child_environment
from pipeline.domain import Place, Text
from pipeline.errors import ExpertUnavailable
from pipeline.task_kinds import KINDS
from pipeline.words import say
from tests.adapters.local.conftest import PLAYED, environment_of, model_on_disk
from tests.fakes.jobs import job
from tests.house.source import ROOT

_PARENT = """
import asyncio, sys
from pathlib import Path
from adapters.local.supervisor import supervise_server
from adapters.local.options import ExpertServerOptions
from bot.settings import child_environment

async def main():
    folder, table = sys.argv[1:]
    environment = child_environment()
    options = ExpertServerOptions((Path(folder),), table=table, environment=environment)
    async with supervise_server(options) as supervisor:
        assert await supervisor.wait_until_ready(30)
        print(supervisor.process.pid, file=sys.stderr, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def options(tmp_path: Path) -> ExpertServerOptions:
    model_on_disk(tmp_path, "org/writer", 1000, "T5ForConditionalGeneration")
    return ExpertServerOptions(
        (tmp_path,), table=PLAYED, workers=1, environment=child_environment()
    )


async def _gone(pid: int) -> None:
    """There is nothing to await of a process that is not ours."""
    async with asyncio.timeout(20):
        while _is_there(pid):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)


def _is_there(pid: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return False


def _command(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


async def _begun_again(supervisor: Supervisor, times: int) -> None:
    async with asyncio.timeout(30):
        while supervisor.starts < times or supervisor.trouble:  # noqa: ASYNC110 - another process brings it
            await asyncio.sleep(0.01)


def test_options_survive_the_way_to_the_child(options: ExpertServerOptions) -> None:
    assert decode_options(encode_options(options)) == options


async def test_it_is_begun_and_its_models_are_offered_and_run(options: ExpertServerOptions) -> None:
    async with supervise_server(options) as supervisor:
        base, token = supervisor.base, supervisor.options.token

        async def ready() -> bool:
            return await supervisor.wait_until_ready(30)

        async with (
            open_served_catalogue(base, token=token, is_ready=ready) as catalogue,
            open_wire_expert(base, place=Place.LOCAL, token=token) as wire,
        ):
            (model,) = await catalogue.candidates(KINDS["text2text-generation"], limit=3)
            one = job("text2text-generation", text="hello", model=model.id)
            made = await SupervisedExpert(wire, supervisor).run(one)

    assert model.id == "org/writer"
    assert isinstance(made.slots["text"], Text)


async def test_what_is_printed_in_it_is_in_nobodys_way(options: ExpertServerOptions) -> None:
    talkative = replace(options, table="tests.adapters.local.talkative:TABLE")

    async with supervise_server(talkative) as supervisor, aiohttp.ClientSession() as session:
        assert await supervisor.wait_until_ready(30)

        headers = {"Authorization": f"Bearer {supervisor.options.token}"}
        async with session.get(f"{supervisor.base}/models", headers=headers) as response:
            assert response.status == 200


async def test_nobody_else_on_the_machine_can_ask_it(options: ExpertServerOptions) -> None:
    async with supervise_server(options) as supervisor, aiohttp.ClientSession() as session:
        assert await supervisor.wait_until_ready(30)

        async with session.get(f"{supervisor.base}/models") as response:
            assert response.status == 401

        assert supervisor.process is not None
        assert supervisor.options.token.encode() not in _command(supervisor.process.pid)


async def test_a_server_that_dies_is_begun_again_at_the_same_address(
    options: ExpertServerOptions,
) -> None:
    async with (
        supervise_server(options, pause=0.01) as supervisor,
        aiohttp.ClientSession() as session,
    ):
        assert await supervisor.wait_until_ready(30)
        assert supervisor.process is not None
        supervisor.process.kill()

        await _begun_again(supervisor, 2)

        headers = {"Authorization": f"Bearer {supervisor.options.token}"}
        async with session.get(f"{supervisor.base}/models", headers=headers) as response:
            assert response.status == 200


async def test_nobody_can_take_its_port_while_it_does_not_run(options: ExpertServerOptions) -> None:
    async with supervise_server(options, pause=0.5) as supervisor:
        assert await supervisor.wait_until_ready(30)
        assert supervisor.process is not None
        supervisor.process.kill()
        await supervisor.process.wait()

        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", int(supervisor.base.rpartition(":")[2])))
        await _begun_again(supervisor, 2)


async def test_it_sees_nothing_of_our_settings(
    options: ExpertServerOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_TOKEN", "OPENAI_API_KEY", "SLACK_BOT_TOKEN", "TROUPE_WEB_TOKEN"):
        monkeypatch.setenv(name, "hidden")

    async with supervise_server(replace(options, environment=child_environment())) as supervisor:
        assert await supervisor.wait_until_ready(30)
        assert supervisor.process is not None
        seen = environment_of(supervisor.process.pid)

    assert b"PATH=" in seen
    assert b"hidden" not in seen


async def test_while_it_does_not_run_that_is_what_is_told(options: ExpertServerOptions) -> None:
    wrong = replace(options, table="no.such:TABLE")

    async with (
        supervise_server(wrong, pause=60) as supervisor,
        open_wire_expert(supervisor.base, place=Place.LOCAL) as wire,
    ):
        assert not await supervisor.wait_until_ready(30)
        with pytest.raises(ExpertUnavailable) as caught:
            await SupervisedExpert(wire, supervisor).run(job("summarization", text="long"))

    assert "ended (status 1) and is begun again in 60 s" in say("en", caught.value.sentence)
    assert caught.value.retry_after == 60


async def test_it_is_gone_when_it_is_no_longer_needed(options: ExpertServerOptions) -> None:
    async with supervise_server(options) as supervisor:
        assert await supervisor.wait_until_ready(30)
        assert supervisor.process is not None
        pid = supervisor.process.pid

    assert not _is_there(pid)


async def test_it_goes_when_the_program_is_killed(options: ExpertServerOptions) -> None:
    parent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PARENT, str(options.folders[0]), PLAYED),
        cwd=ROOT,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert parent.stderr is not None
        pid = int(await parent.stderr.readline())
    finally:
        parent.send_signal(signal.SIGKILL)
        await parent.wait()

    await _gone(pid)
