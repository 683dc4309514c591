"""The parts of the Hub's client library that are not public: all there in the locked version."""

from adapters.huggingface.provider_calls import HELPERS, MAPS, can_call, find_helper
from adapters.huggingface.tags import TAGS, find_task


def test_every_provider_of_every_task_is_told_its_mapping_and_asks_nobody() -> None:
    wanted = set(map(find_task, TAGS.values()))
    offered = [(name, task) for name, tasks in HELPERS.items() for task in tasks if task in wanted]

    assert len(offered) > 30
    for provider, task in offered:
        assert callable(getattr(HELPERS[provider][task], MAPS))
        helper = find_helper(provider, task, "known/as", "org/model")
        assert getattr(helper, MAPS)("org/model").provider_id == "known/as"


def test_a_task_that_a_provider_does_not_do_cannot_be_called() -> None:
    assert not can_call("nscale", "text-to-video")
    assert not can_call("nobody", "text-to-image")
