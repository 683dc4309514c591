"""Which models may be chosen."""

import pytest

from pipeline.domain import Model
from pipeline.selection.policy import (
    Rules,
    explain_refusal,
    filter_models,
    is_commercial,
    read_channel_rules,
)
from tests.fakes.places import HOSTED, LLM, LOCAL


def model(id_: str = "org/one", **more: object) -> Model:
    return Model(id_, "text-to-image", more.pop("places", (HOSTED,)), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("apache-2.0", True),
        ("MIT", True),
        ("BSD-3-Clause", True),
        ("openrail++", True),
        ("GPL-3.0", True),
        ("cc-by-4.0", True),
        ("cc-by-sa-4.0", True),
        ("llama3.1", True),
        ("cc-by-nc-4.0", False),
        ("cc-by-nc-sa-4.0", False),
        ("flux-1-dev-non-commercial-license", False),
        ("apple-amlr-research", False),
        ("other", False),
        ("other (mit-for-academia)", False),
        ("apache-2.0, mit", True),
        ("apache-2.0, cc-by-nc-4.0", False),
        ("apache-2.0, other (own terms)", False),
        ("unknown", False),
        ("", False),
    ],
)
def test_commercial_use_wants_a_licence_that_is_known_to_allow_it(
    licence: str, *, allowed: bool
) -> None:
    assert is_commercial(model(licence=licence)) is allowed


def test_providers_are_meant_however_they_are_written() -> None:
    one = model(licence="mit", providers=("fal-ai:x",))

    assert filter_models([one], Rules(providers=("Fal-AI",))) == [one]


def test_the_controller_is_used_under_its_own_contract() -> None:
    assert is_commercial(model(places=(LLM,)))
    assert not is_commercial(model(places=(LLM, LOCAL)))


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Rules(allow=("other/*",)), "policy-not-allowed"),
        (Rules(deny=("ORG/*",)), "policy-denied"),
        (Rules(commercial=True), "policy-licence"),
        (Rules(languages=("de",)), "policy-language"),
        (Rules(providers=("nscale",)), "policy-provider"),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_reason(rules: Rules, told: str) -> None:
    one = model(licence="cc-by-nc-4.0", languages=("en",), providers=("fal-ai:x",))

    reason = explain_refusal(one, Rules(), rules)

    assert reason is not None
    assert reason.id == told
    assert filter_models([one], Rules(), rules) == []


def test_what_fits_all_rules_is_allowed() -> None:
    one = model(licence="mit", languages=("en", "de"), providers=("fal-ai:x", "nscale:y"))
    rules = Rules(
        allow=("org/*",),
        deny=("org/two",),
        commercial=True,
        providers=("nscale",),
        languages=("de", "fr"),
    )

    (kept,) = filter_models([one], rules)

    assert kept.providers == ("nscale:y",)


def test_without_an_allowed_provider_a_model_runs_elsewhere() -> None:
    one = model(places=(HOSTED, LOCAL), providers=("fal-ai:x",))

    (kept,) = filter_models([one], Rules(providers=("nscale",)))

    assert kept.places == (LOCAL,)


def test_a_channel_can_only_be_stricter_than_the_house() -> None:
    house = Rules(deny=("org/one",))
    channel = read_channel_rules({"allow": "org/one, org/two", "licence": "commercial"})

    assert channel == Rules(allow=("org/one", "org/two"), commercial=True)
    assert filter_models([model("org/one", licence="mit")], house, channel) == []
    assert filter_models([model("org/two", licence="mit")], house, channel) != []
