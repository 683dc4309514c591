"""Tasks that start while the plan is still being written come to the same end as those that wait for all of it."""

import random

from tests.pipeline.planning.generated import a_script, ending


async def test_sixty_generated_plans_end_alike_with_streamed_planning_and_without() -> None:
    asked_again = corrected = 0

    for at in range(60):
        script = a_script(random.Random(at))
        whole = await ending(script, at, streamed=False)
        early = await ending(script, at, streamed=True)
        assert (early.tasks, early.files, early.told, early.apology) == (
            whole.tasks,
            whole.files,
            whole.told,
            whole.apology,
        ), script
        asked_again += whole.calls > 1
        corrected += early.corrected

    assert asked_again > 5
    assert corrected > 0
