"""The models of a server as the program sees them."""

from adapters.local.client import ServedCatalogue
from pipeline.domain import LocalizedText, Model
from pipeline.selection.health import PlaceHealth
from pipeline.task_kinds import KINDS
from tests.adapters.local.conftest import Client
from tests.fakes.places import HOSTED, LOCAL
from tests.servers.experts.server import ExpertServer, experts_at_work


async def test_only_what_the_server_has_is_offered_for_every_kind_it_can_do(client: Client) -> None:
    client.add("org/echo", weight=1234)
    known = Model(
        "org/echo", "summarization", (HOSTED,), description="echoes", licence="mit", likes=3
    )

    catalogue = ServedCatalogue(client.base, known=[known])
    found = await catalogue.candidates(KINDS["text2text-generation"], limit=5)
    none = await catalogue.candidates(KINDS["fill-mask"], limit=5)

    wanted = Model(
        "org/echo",
        "text2text-generation",
        (LOCAL,),
        description="echoes",
        licence="mit",
        likes=3,
        size=1234,
    )
    assert list(found) == [wanted]
    assert none == []


async def test_loaded_models_come_first(client: Client) -> None:
    client.add("a")
    client.add("b")
    await client.ask("b")

    catalogue = ServedCatalogue(client.base)
    found = await catalogue.candidates(KINDS["text2text-generation"], limit=5)

    assert [model.id for model in found] == ["b", "a"]


async def test_a_server_that_is_gone_has_no_models_any_more() -> None:
    async with experts_at_work(ExpertServer(kinds={"org/a": "summarization"})) as server:
        catalogue = ServedCatalogue(server.base, fresh_seconds=0)
        listed = await catalogue.candidates(KINDS["summarization"], limit=5)

    assert [model.id for model in listed] == ["org/a"]
    assert await catalogue.candidates(KINDS["summarization"], limit=5) == []


async def test_a_server_that_is_not_there_has_no_models_at_the_moment() -> None:
    health = PlaceHealth()
    catalogue = ServedCatalogue("http://127.0.0.1:9", health=health)

    assert await catalogue.candidates(KINDS["summarization"], limit=5) == []
    assert health.unlisted[LOCAL] == LocalizedText("list-unreached-local")


async def test_a_list_without_end_is_not_read() -> None:
    endless = {f"org/{'a' * (9 << 20)}": "summarization"}
    async with experts_at_work(ExpertServer(kinds=endless)) as server:
        catalogue = ServedCatalogue(server.base)

        assert await catalogue.candidates(KINDS["summarization"], limit=5) == []
