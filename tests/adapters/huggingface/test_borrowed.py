"""The parts of the Hub's client library that it does not show: all there in the locked version, and
missed in plain words.
"""

import pytest

from adapters.huggingface.formats import TAGS
from adapters.huggingface.provider_calls import LIBRARY_PARTS, PROVIDERS, find_helper, find_part
from pipeline.errors import ExpertRefused
from pipeline.words import say


@pytest.mark.parametrize("name", LIBRARY_PARTS)
def test_every_part_is_in_the_locked_version(name: str) -> None:
    assert find_part(name) is not None


def test_every_provider_of_every_task_is_told_its_mapping_and_asks_nobody() -> None:
    wanted = {tag.task for tag in TAGS.values()}
    offered = [(name, task) for name, tasks in find_part(PROVIDERS).items() for task in tasks]

    prepared = [find_helper(*one, "known/as", "org/model") for one in offered if one[1] in wanted]

    assert len(prepared) > 30
    for one in prepared:
        assert one is not None
        assert one._prepare_mapping_info("org/model").provider_id == "known/as"  # noqa: SLF001


@pytest.mark.parametrize(
    "name", ["huggingface_hub.inference._providers:GONE", "huggingface_hub.gone:A"]
)
def test_a_part_that_is_gone_is_named_with_the_version(name: str) -> None:
    with pytest.raises(ExpertRefused) as caught:
        find_part(name)

    assert name.replace(":", ".") in say("en", caught.value.sentence)
    assert "install the version from the lock file" in say("en", caught.value.sentence)


def test_a_task_that_a_provider_does_not_do_is_nothing() -> None:
    assert find_helper("nscale", "text-to-video", "", "org/model") is None
    assert find_helper("nobody", "text-to-image", "", "org/model") is None
