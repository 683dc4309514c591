"""The commands `models`, `model` and `tasks`."""

from dataclasses import replace

import pytest

from bot.access import ListGate
from pipeline.domain import INSTALLER, OWNER, ChannelSettings, Invocation, Model, Price
from pipeline.errors import NotAllowed
from pipeline.task_kinds import KINDS
from pipeline.words import title
from tests.bot.scenes import GENERAL, Scene, message
from tests.fakes.experts import FakeExpert
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import ANN, Bench
from tests.words import english

FLUX = Model(
    "black-forest-labs/FLUX.1-dev",
    "text-to-image",
    (LOCAL, HOSTED),
    description="makes good pictures",
    licence="flux-1-dev-non-commercial-license",
    downloads=1_000_000,
    likes=9_000,
    gated=True,
    size=24_000_000_000,
    providers=("fal-ai:fal-ai/flux/dev", "nscale:flux"),
    prices={"nscale": Price(0.25, 1.0), "fal-ai": Price(0.125, 0.5)},
)
SDXL = Model("stabilityai/sdxl", "text-to-image", (LOCAL,), licence="openrail++")
BARK = Model("suno/bark", "text-to-speech", (), licence="mit")


@pytest.fixture
def scene() -> Scene:
    return Scene(
        Bench(experts=[FakeExpert(LOCAL)], models=[FLUX, SDXL, BARK]),
        gate=ListGate(admins=frozenset({ANN.id})),
    )


async def said(scene: Scene, command: str, **args: str) -> str:
    asked = Invocation(
        id=f"{command}-{args}", command=command, args=args, person=ANN, thread=message().thread
    )
    return (await scene.conversation().on_command(asked)).text


async def test_models_are_listed_with_those_who_host_them(scene: Scene) -> None:
    told = await said(scene, "models", kind="text-to-image")

    licence = "flux-1-dev-non-commercial-license"
    assert f"- `black-forest-labs/FLUX.1-dev` · {licence} · local, hosted (fal-ai, nscale)" in told
    assert "stabilityai/sdxl" in told
    assert "text-to-image" not in told


async def test_a_search_and_a_kind_narrow_the_list(scene: Scene) -> None:
    assert "FLUX" not in await said(scene, "models", kind="text-to-image", search="sdxl")
    assert "FLUX" in await said(scene, "models", kind="good", search="pictures")
    assert 'fits "elephants"' in await said(scene, "models", search="elephants")


async def test_everything_about_one_model_is_told(scene: Scene) -> None:
    told = await said(scene, "model", id="flux.1-dev")

    for fact in ("makes good pictures", "1,000,000", "9,000", "24,000 MB", "accepted on the Hub"):
        assert fact in told
    assert "$0.125 in, $0.5 out for a million tokens (fal-ai); $0.25 in" in told
    assert "Here so far, making a picture from words: not used yet" in told


async def test_only_the_places_set_in_the_channel_count_for_models(scene: Scene) -> None:
    await scene.store.set(GENERAL, ChannelSettings(places=("hosted",)))

    listed = await said(scene, "models", kind="text-to-image")
    told = await said(scene, "model", id="stabilityai/sdxl")

    assert "· hosted (fal-ai, nscale)" in listed
    assert "local" not in listed
    assert "stabilityai/sdxl" not in listed
    assert english("named-nowhere", name="stabilityai/sdxl") in told


async def test_a_model_that_nobody_serves_is_told_so(scene: Scene) -> None:
    assert "nowhere here" in await said(scene, "model", id="suno/bark")


async def test_the_channels_rules_hold_for_lists_too(scene: Scene) -> None:
    await scene.store.set(GENERAL, ChannelSettings(policy={"licence": "commercial"}))

    assert "FLUX" not in await said(scene, "models", kind="text-to-image")
    assert "`stabilityai/sdxl`" in await said(scene, "models")
    assert english("model-rules") in await said(scene, "model", id="flux.1-dev")


async def test_people_are_told_what_works_and_admins_how_to_have_the_rest(scene: Scene) -> None:
    for_admin = await said(scene, "tasks")
    scene.gate = ListGate()
    for_others = await said(scene, "tasks")

    works = [english("tasks-works"), "- **Pictures**: Making a picture from words"]
    assert for_admin.splitlines()[:2] == for_others.splitlines()[:2] == works
    assert "Translating" in for_admin
    assert english("tasks-enabled-by", what="HF_TOKEN=… / TROUPE_EXPERTS_URL=…") not in for_others
    for name in (*KINDS, "HF_TOKEN", "OPENAI_API_KEY", ".env"):
        assert name not in for_others
    assert "HF_TOKEN=…" in for_admin
    assert len(for_others) < 2000


async def test_all_of_one_medium_are_listed_when_they_are_chosen(scene: Scene) -> None:
    reply = await scene.conversation().on_command(_use("tasks"))

    assert reply.more
    assert [(each.value, each.label) for each in reply.more.options] == [("image", "Pictures")]
    assert await said(scene, "tasks", about="image") == (
        "**Pictures**\n- Making a picture from words"
    )


async def test_models_are_shown_by_what_they_are_for_the_rest_in_a_select(scene: Scene) -> None:
    scene.gate = ListGate()
    reply = await scene.conversation().on_command(_use("models"))

    row = f"- Making a picture from words: `{FLUX.id}` · {FLUX.licence}"
    assert reply.text.splitlines()[2:4] == ["**Pictures**", row]
    assert reply.more
    assert [each.value for each in reply.more.options] == ["text-to-image"]
    asked = await said(scene, "models", kind="Making", search="a picture from words")
    assert "stabilityai/sdxl" in asked


async def test_tasks_tell_when_it_is_the_rules_that_leave_nothing(scene: Scene) -> None:
    await scene.store.set(GENERAL, ChannelSettings(policy={"allow": "somebody/*"}))

    told = await said(scene, "tasks")

    assert english("tasks-rules") in told


async def test_tasks_are_named_as_in_answers_in_the_persons_language(scene: Scene) -> None:
    person = replace(ANN, locale="de-DE")

    told = await scene.conversation().on_command(replace(_use("tasks"), person=person))

    assert title("de", "text-to-image") in told.text.splitlines()[1]


async def test_ids_are_completed_from_the_catalogue(scene: Scene) -> None:
    edits = replace(FLUX, kind="image-to-image")
    scene.bench.models = [FLUX, edits, replace(FLUX, id="flux/" + "x" * 100)]
    conversation = scene.conversation()

    assert await conversation.completions("model", "id", "flu", "en") == [FLUX.id]


@pytest.mark.parametrize(
    ("typed", "locale"), [("to-im", "en"), ("picture from", "en"), ("aus Wo", "de")]
)
async def test_tasks_are_completed_in_words_and_taken_so(
    scene: Scene, typed: str, locale: str
) -> None:
    words = title(locale, "text-to-image")

    assert words in await scene.conversation().completions("models", "kind", typed, locale)
    person = replace(ANN, locale=locale)
    asked = Invocation(
        id="m", command="models", args={"kind": words}, person=person, thread=message().thread
    )
    assert FLUX.id in (await scene.conversation().on_command(asked)).text


async def test_rules_are_set_in_the_channel(scene: Scene) -> None:
    told = await said(scene, "settings", name="allow", value="stabilityai/*")

    assert "`allow`: `stabilityai/*`" in told
    assert (await scene.store.settings(GENERAL)).policy == {"allow": "stabilityai/*"}
    assert replace(FLUX).id not in await said(scene, "models", kind="text-to-image")


async def test_everybody_may_look_at_the_settings_and_admins_change_them(scene: Scene) -> None:
    assert "- `licence`: `default` (commercial)" in await said(scene, "settings")
    scene.gate = ListGate()

    told = await said(scene, "settings")
    assert f"- {english('setting-licence')}: any" in told
    assert "`" not in told
    with pytest.raises(NotAllowed, match="not-allowed-admins"):
        await said(scene, "settings", name="licence", value="commercial")
    assert await said(scene, "settings", name="licence") == told


async def test_a_form_shows_the_settings_of_few_words_and_changes_them_at_once(
    scene: Scene,
) -> None:
    await scene.store.set(GENERAL, ChannelSettings(places=("local",), mention="always"))
    form = await scene.conversation().form(_use("settings"))
    told = await said(scene, "settings", places="local,embedded", mention="", licence="commercial")

    assert form is not None
    assert {field.name: field.chosen for field in form.fields} == {
        "places": ("local",),
        "mention": ("always",),
        "listen": ("default",),
        "language": ("default",),
        "learn": ("default",),
        "licence": ("default",),
    }
    assert all({*field.chosen} <= {*field.choices} for field in form.fields)
    assert "- `places`: `local, embedded`" in told
    assert await scene.store.settings(GENERAL) == ChannelSettings(
        places=("local", "embedded"), policy={"licence": "commercial"}
    )


async def test_one_wrong_value_in_a_form_changes_nothing(scene: Scene) -> None:
    told = await said(scene, "settings", places="local", mention="sometimes")

    assert told == english("settings-bad", value="sometimes", choices="always, threads")
    assert await scene.store.settings(GENERAL) == ChannelSettings()


async def test_who_may_not_change_the_settings_gets_no_form_and_changes_nothing(
    scene: Scene,
) -> None:
    scene.gate = ListGate()

    assert await scene.conversation().form(_use("settings")) is None
    assert await scene.conversation().form(_use("ask")) is not None
    with pytest.raises(NotAllowed, match="not-allowed-admins"):
        await said(scene, "settings", mention="always")


def _use(command: str) -> Invocation:
    return Invocation(id="form", command=command, args={}, person=ANN, thread=message().thread)


async def test_help_tells_how_commands_are_written(scene: Scene) -> None:
    told = await said(scene, "help")

    assert "- `models [kind] [search]` - " in told
    assert "- `forget <me|thread|channel>` - " in told


async def test_the_overview_names_what_can_run_what_it_lacks_and_who_may_change_it(
    scene: Scene,
) -> None:
    conversation = scene.conversation()

    overview = await conversation.overview(ANN, message().thread)
    for_others = await conversation.overview(replace(ANN, id="other"), message().thread)

    problems = {each.kind.name: each.problem for each in overview.abilities}
    assert overview.kinds == {"text-to-image"}
    assert problems["text-to-image"] is None
    assert problems["text-to-speech"]
    assert (overview.is_admin, for_others.is_admin) == (True, False)


async def test_whoever_can_set_up_on_the_page_is_led_there_by_the_tasks(scene: Scene) -> None:
    person = replace(ANN, roles=frozenset({OWNER, INSTALLER}))

    told = await scene.conversation().on_command(replace(_use("tasks"), person=person))

    assert told.text.endswith(english("tasks-set-up"))
    assert english("tasks-set-up") not in await said(scene, "tasks")
