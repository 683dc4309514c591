"""A plan that arrives in pieces comes to the same end as one that arrives at once."""

import random

from tests.pipeline.planning.generated import a_script, ending


async def test_generated_plans_end_alike_however_they_arrive() -> None:
    asked_again = 0

    for at in range(20):
        script = a_script(random.Random(at))
        whole = await ending(script, at, whole=True)
        piecewise = await ending(script, at)
        assert (piecewise.tasks, piecewise.files, piecewise.told, piecewise.apology) == (
            whole.tasks,
            whole.files,
            whole.told,
            whole.apology,
        ), script
        asked_again += whole.calls > 1

    assert asked_again > 2
