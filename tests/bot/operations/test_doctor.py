"""`troupe doctor` reports what it has tested."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner

from adapters.workers.sandbox import find_missing
from bot.cli import app
from bot.operations.doctor import examine
from bot.setting_sources import read_settings
from pipeline.domain import LocalizedText
from pipeline.task_kinds import KINDS
from pipeline.words import say
from tests.adapters.local.conftest import model_on_disk
from tests.servers.hub import HubServer, hub_at_work, row
from tests.servers.openai import OpenAiServer, offer, openai_at_work, served
from tests.servers.proxy import ForwardProxy, authority, proxy_at_work

pytestmark = pytest.mark.program

DEAD = "http://127.0.0.1:9"
OTHERS = "hosted,local"
"""All but the built-in experts, whose libraries take seconds to import."""
Printed = Callable[..., Awaitable[tuple[int, str]]]
"""Settings → exit status and output of the doctor."""


@pytest.fixture
def printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Printed:
    own = {"TROUPE_HOME": str(tmp_path), "TROUPE_WORKERS": "1"}  # each loads the libraries
    own["TROUPE_LLM_NEARBY"] = DEAD

    async def examined(**given: str) -> tuple[int, str]:
        code = await examine(read_settings({**own, **given}))
        return code, capsys.readouterr().out

    return examined


def words(sentence: str, **args: str | float) -> str:
    return say("en", LocalizedText(sentence, args))


async def test_what_is_built_in_works_and_what_does_not_answer_is_to_be_mended(
    printed: Printed,
) -> None:
    bare_code, bare = await printed()
    async with hub_at_work() as hub:
        code, told = await printed(
            TROUPE_EXPERTS_URL=DEAD,
            HF_TOKEN="hf_refused",
            HF_ENDPOINT=hub.base,
            HF_ROUTER_URL=hub.base,
            OPENAI_BASE_URL=DEAD.replace("//", "//ann:hidden@"),
            TROUPE_LLM_SECONDS="0.2",
            TROUPE_PLACES=OTHERS + ",llm",
        )

    setting = "TROUPE_EXPERTS_URL"
    assert (bare_code, code) == (0, 1)
    assert "FIX" not in bare
    assert words("doctor-ffmpeg-good") in bare
    assert "troupe experts pull audio-classification" in bare
    assert "troupe experts pull" not in told  # its server is elsewhere
    assert words("doctor-done", wrong=0) in bare
    assert "FIX " + words("doctor-unreached", status=0, address=DEAD, setting=setting) in told
    assert "FIX " + words("doctor-hub-refused") in told
    assert "FIX " + words("doctor-llm-away", address=DEAD) in told
    assert "gpt-4.1-mini" not in told  # nobody chose it
    assert "FIX " + words("doctor-kinds", can=0, all=len(KINDS)) in told


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra was installed and the Hub's cache was empty."""
    for name in ("torch", "transformers"):
        (tmp_path / f"{name}.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("local")
async def test_a_known_hub_token_and_the_own_server_are_good(
    printed: Printed, tmp_path: Path
) -> None:
    model_on_disk(tmp_path / "models", "org/writer", 1000, "T5ForConditionalGeneration")

    async with hub_at_work() as hub:
        known = {"HF_TOKEN": "hf_ann", "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        code, told = await printed(**known, TROUPE_PLACES=OTHERS + ",llm")

    assert code == 0
    assert words("doctor-hub-good", name="ann") in told
    assert words("doctor-llm-good", model="openai/gpt-oss-120b:cerebras") in told
    assert words("doctor-experts-good", address="http://127.0.0.1:")[:-1] in told


async def test_the_password_in_an_address_is_not_shown(printed: Printed) -> None:
    secret = DEAD.replace("//", "//me:hidden@")

    hub = {"HF_TOKEN": "hf_ann", "HF_ENDPOINT": secret, "HF_ROUTER_URL": secret}
    _, told = await printed(TROUPE_EXPERTS_URL=secret, TROUPE_PLACES=OTHERS, **hub)

    assert told.count(DEAD) == 4
    assert "hidden" not in told


async def test_the_doctor_tells_where_the_data_really_is(printed: Printed, tmp_path: Path) -> None:
    database, files = tmp_path / "a.db", tmp_path / "b"

    _, told = await printed(
        TROUPE_DATABASE_URL=f"sqlite:///{database}",
        TROUPE_FILES_URL=f"file://{files}",
        TROUPE_PLACES=OTHERS,
    )

    assert words("doctor-data", where=f"{database}, {files}") in told


async def test_the_doctor_tells_what_others_can_read(printed: Printed, tmp_path: Path) -> None:
    await asyncio.to_thread(tmp_path.chmod, 0o1777)

    code, told = await printed(TROUPE_PLACES=OTHERS)

    assert code == 1
    assert "FIX " + words("doctor-readable", path=str(tmp_path)) in told
    assert f"chmod 700 {tmp_path}\n" in told


@pytest.mark.parametrize("setting", ["TROUPE_WEB_TOKEN", "TROUPE_OWNER_TOKEN"])
async def test_the_doctor_tells_when_a_token_can_be_guessed(setting: str, printed: Printed) -> None:
    _, short = await printed(TROUPE_PLACES=OTHERS, **{setting: "x" * 19})
    _, long = await printed(TROUPE_PLACES=OTHERS, **{setting: "x" * 20})

    told = words("doctor-token-short", setting=setting)
    assert "FIX " + told in short
    assert told not in long


@pytest.mark.usefixtures("local")
async def test_the_doctor_tells_when_models_are_missing(printed: Printed, tmp_path: Path) -> None:
    _, told = await printed(TROUPE_PLACES=OTHERS)

    assert str(tmp_path / "models") in told


async def test_the_doctor_tells_which_model_plans_which_sees_and_what_it_costs(
    printed: Printed,
) -> None:
    async with hub_at_work() as hub:
        hub.chat.reply = lambda asked: "Red." if asked.images else "ok"
        token = {"HF_TOKEN": "hf_ann", "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        _, told = await printed(**token, TROUPE_PLACES="hosted,llm")
        hub.chat.models = [served("openai/gpt-oss-20b", offer("groq", None))]
        _, other = await printed(**token, TROUPE_PLACES="hosted,llm")
        hub.chat.has_credit = False
        code, broke = await printed(**token, TROUPE_PLACES="hosted,llm")

    planning, seeing = "openai/gpt-oss-120b:cerebras", "google/gemma-4-31B-it:cerebras"
    assert words("doctor-llm-plans", model=planning) in told
    assert words("doctor-llm-sees", model=seeing, reply="blue, red") in told
    assert words("doctor-llm-cost", cost="0.0019") in told
    assert words("doctor-llm-blind") in other
    assert words("doctor-llm-cost-unknown", model="openai/gpt-oss-20b:groq") in other
    assert code == 1
    bad = words("doctor-llm-bad", model="openai/gpt-oss-20b:groq", address=f"{hub.base}/v1/")
    assert f"FIX {bad}" in broke
    assert words("doctor-llm-plans", model="openai/gpt-oss-20b:groq") not in broke


async def test_the_doctor_tells_that_a_model_refuses_pictures_although_it_is_said_to_see(
    printed: Printed,
) -> None:
    async with openai_at_work(OpenAiServer(refuses={"images"})) as server:
        code, told = await printed(OPENAI_BASE_URL=server.base, TROUPE_PLACES="llm")

    assert code == 1
    assert words("doctor-llm-sees-bad", model="gpt-4.1-mini") in told


async def test_the_doctor_tells_that_the_controller_is_off(printed: Printed) -> None:
    async with openai_at_work() as server:
        _, told = await printed(
            OPENAI_BASE_URL=server.base, TROUPE_CONTROLLER="off", TROUPE_PLACES="llm"
        )

    assert words("doctor-llm-good", model="gpt-4.1-mini") in told
    assert words("doctor-llm-off") in told
    assert words("doctor-llm-plans", model="gpt-4.1-mini") not in told


def test_a_misspelt_setting_is_reported_once(tmp_path: Path) -> None:
    given = {"TROUPE_HOME": str(tmp_path), "TROUPE_PLACES": "llm", "TROUPE_MODELL": "x"}
    before = structlog.get_config()

    result = CliRunner().invoke(app, ["doctor"], env=given)

    structlog.configure(**before)
    assert result.exit_code == 1
    assert result.output.count("There is no setting TROUPE_MODELL") == 1


async def test_the_doctor_tells_which_way_each_client_takes(
    printed: Printed, tmp_path: Path
) -> None:
    company = tmp_path / "company.pem"
    authority().cert_pem.write_to_path(str(company))

    _, direct = await printed(TROUPE_PLACES="local")
    _, told = await printed(
        HTTPS_PROXY="http://ann:hidden@127.0.0.1:9",
        NO_PROXY="experts.test,10.0.0.0/8,10.*",
        SSL_CERT_FILE=str(company),
        HF_TOKEN="hf_ann",
        HF_ENDPOINT=DEAD,
        HF_ROUTER_URL="https://router.test",
        TROUPE_PLACES="local",
    )

    proxy = {"scheme": "https", "proxy": DEAD, "setting": "HTTPS_PROXY"}
    entries = "experts.test, 10.0.0.0/8, 10.*"
    assert "ok  " + words("network-no-proxy") in direct
    for line in (
        "ok  " + words("network-proxy", **proxy),
        "ok  " + words("network-exceptions", entries=entries),
        "FIX " + words("network-exception-odd", entry="10.*"),
        "ok  " + words("network-through", clients="Hugging Face (router.test), links (*)"),
        "ok  " + words("network-past", clients="Hugging Face (127.0.0.1)"),
        "ok  " + words("network-certificates", files=str(company)),
    ):
        assert line in told
    assert "hidden" not in told


@pytest.mark.parametrize("scheme", ["https", "http"])
async def test_the_doctor_tells_when_a_proxy_refuses_and_how_to_mend_it(
    printed: Printed, scheme: str
) -> None:
    reached = {
        "TROUPE_EXPERTS_URL": f"{scheme}://experts.test",
        "HF_TOKEN": "hf_ann",
        "HF_ENDPOINT": f"{scheme}://hub.test",
        "HF_ROUTER_URL": f"{scheme}://router.test",
        "OPENAI_BASE_URL": f"{scheme}://llm.test",
        "DISCORD_TOKEN": "token",
        "DISCORD_API_BASE_URL": f"{scheme}://discord.test/api",
        "TROUPE_PLACES": "llm",
    }
    async with proxy_at_work(ForwardProxy(login="Basic other")) as proxy:
        given = {f"{scheme}_proxy": proxy.address}
        code, told = await printed(**reached, **given)
        address = proxy.address

    login = words("network-proxy-login", proxy=address, setting=f"{scheme}_proxy".upper())
    assert code == 1
    assert told.count(login) == (4 if scheme == "https" else 3)  # Discord is never asked by http


@pytest.mark.skipif(bool(find_missing()), reason="this kernel lacks a part of the sandbox")
async def test_the_doctor_tells_that_workers_reach_data_among_programs(
    printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))

    code, told = await printed(TROUPE_PLACES=OTHERS)
    confined = words("doctor-sandbox-good")
    monkeypatch.delenv("LD_LIBRARY_PATH")
    _, other = await printed(TROUPE_PLACES=OTHERS)

    assert code == 1
    assert "FIX " + words("doctor-sandbox-bad", reached="files", lacking="nothing") in told
    assert confined in other


async def test_a_wrong_model_is_told_first_with_the_server_s_words(printed: Printed) -> None:
    server = OpenAiServer(refuses={"model"}, models=[{"id": "qwen3:8b"}, {"id": "qwen3-embed"}])
    async with openai_at_work(server):
        given = {"OPENAI_BASE_URL": server.base, "TROUPE_MODEL": "qwen3:80b"}
        code, told = await printed(**given, TROUPE_PLACES="llm")

    assert code == 1
    assert words("doctor-llm-unlisted", model="qwen3:80b", models="qwen3:8b") in told
    assert words("doctor-says", words="Unsupported parameter: model") in told
    assert "      TROUPE_MODEL=qwen3:8b\n" in told
    assert len([asked for asked in server.chats if asked.text == "Say ok."]) == 1


@pytest.mark.parametrize(
    ("page", "fix"),
    [
        ("/props", "llama-server --ctx-size 16384 …"),
        ("/api/v0/models", "lms load played --context-length 16384"),
    ],
)
async def test_a_context_too_small_for_planning_is_to_be_mended(
    printed: Printed, page: str, fix: str
) -> None:
    row = {"id": "played", "loaded_context_length": 2048}
    server = OpenAiServer(pages={page: {"data": [row], "n_ctx": 2048}})
    async with openai_at_work(server):
        code, told = await printed(OPENAI_BASE_URL=server.base, TROUPE_MODEL="played")

    assert code == 1
    assert "played holds only 2,048 tokens" in told.replace("\u2068", "").replace("\u2069", "")
    assert f"      {fix}\n" in told


async def test_a_context_of_unknown_size_is_tried(printed: Printed) -> None:
    async with openai_at_work(OpenAiServer()) as server:
        _, fits = await printed(OPENAI_BASE_URL=server.base, TROUPE_PLACES="llm")
        longest = max(asked.tokens for asked in server.chats)
        server.holds = 2048
        code, told = await printed(OPENAI_BASE_URL=server.base, TROUPE_PLACES="llm")

    assert longest > 1000
    assert "ok  gpt-4.1-mini takes prompts as long as planning needs" in fits
    assert code == 1
    assert "FIX gpt-4.1-mini doesn't take a prompt as long as planning needs" in told


async def test_an_address_without_its_end_is_told_with_the_right_one(printed: Printed) -> None:
    async with openai_at_work(OpenAiServer()) as server:
        _, told = await printed(OPENAI_BASE_URL=server.base.removesuffix("/v1"))

    assert f"      OPENAI_BASE_URL={server.base}\n" in told


async def test_a_model_that_confuses_the_colours_is_told_with_its_words(printed: Printed) -> None:
    server = OpenAiServer(sees=False, reply=lambda asked: "Green, red." if asked.images else "ok")
    async with openai_at_work(server):
        code, told = await printed(OPENAI_BASE_URL=server.base, TROUPE_PLACES="llm")

    assert code == 1
    assert "FIX " + words("doctor-llm-sees-bad", model="gpt-4.1-mini") in told
    assert words("doctor-llm-sees-wrong", reply="Green, red.") in told
    assert "      TROUPE_LLM_SEES_IMAGES=false\n" in told


async def test_the_doctor_counts_the_rows_of_the_hub_s_list_that_it_cannot_read(
    printed: Printed,
) -> None:
    good = row("a/one", "text-to-image", "fal-ai", safetensors={"parameters": {"F32": "many"}})
    odd = row("a/two", "text-to-image", "fal-ai", inferenceProviderMapping="none")
    async with hub_at_work(HubServer([good, odd])) as hub:
        given = {"HF_TOKEN": "hf_ann", "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        _, told = await printed(**given, TROUPE_PLACES=OTHERS)
        hub.rows[:] = [odd, odd]
        code, none = await printed(**given, TROUPE_PLACES=OTHERS)

    listed = words("doctor-hub-list", task="text-to-image", count=1, dropped=1)
    assert f"ok  {listed}" in told
    problem = "none of the list's 2 rows can be read"
    assert code == 1
    assert "FIX " + words("doctor-hub-list-bad", problem=problem) in none


async def test_the_doctor_quotes_why_the_hub_refuses_a_token(printed: Printed) -> None:
    async with hub_at_work() as hub:
        given = {"HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}
        _, told = await printed(HF_TOKEN="hf_refused", **given, TROUPE_PLACES=OTHERS)

    assert words("doctor-says", words="Invalid credentials in Authorization header") in told
    assert "      HF_TOKEN=hf_…" in told
