"""What the program tells the language model that answers: pictures, and what was before."""

import json
from pathlib import Path

from tests.e2e.visitor import planned, program
from tests.fakes.jobs import picture
from tests.servers.openai import Asked, openai_at_work

SKETCH = planned(0, "image-to-image", image="image 1", text="pencil sketch")


async def test_a_model_that_takes_no_pictures_still_answers(tmp_path: Path) -> None:
    async with openai_at_work() as llm:
        llm.models, llm.refuses = [{"id": "gpt-4.1-mini"}], {"images"}
        llm.reply = lambda asked: json.dumps([SKETCH]) if is_planning(asked) else "A sketch."
        places = {"OPENAI_BASE_URL": llm.base, "TROUPE_PLACES": "embedded"}
        async with program(tmp_path, **places, TROUPE_LLM_CONTEXT="32000") as visitor:
            answer = await visitor.ask("sketch this", picture((200, 90, 20)))

    assert (answer["message"], answer["notices"]) == ("A sketch.", [])


async def test_the_answering_model_sees_the_pictures_and_the_results_before(tmp_path: Path) -> None:
    answering: list[Asked] = []

    def reply(asked: Asked) -> str:
        if is_planning(asked):
            return json.dumps([SKETCH])
        answering.append(asked)
        return "A sketch."

    async with openai_at_work() as llm:
        llm.reply = reply
        places = {"OPENAI_BASE_URL": llm.base, "TROUPE_PLACES": "embedded"}
        async with program(tmp_path, **places, TROUPE_LLM_CONTEXT="32000") as visitor:
            await visitor.ask("sketch this", picture((200, 90, 20)))
            await visitor.ask("again, please")

    first, second = answering
    assert first.images == 2
    assert "Pictures, in this order: made by task 0, image 1" in first.text
    assert "Results of the last request" not in first.text
    assert "Results of the last request" in second.text
    assert "You: A sketch. [image 2]" in second.text


def is_planning(asked: Asked) -> bool:
    return "response_format" in asked.body
