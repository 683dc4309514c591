"""A scripted language model for the requests of `troupe evaluate --suite paper`.

It plans each of them correctly, looks first where that is asked for, answers and judges.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evaluation.trials import read_paper_suite
from tests.servers.openai import Asked

Arguments = Mapping[str, str | Sequence[str]]
Scripted = tuple[str, Arguments]
"""A kind and its arguments; "<GENERATED>-0" is the result of the first task."""

ARTICLE, MOOD = (
    read_paper_suite().requests[number].turns[0].text.partition("\n\n")[2] for number in (16, 17)
)
_FIRST, _SECOND, _THIRD = ("<GENERATED>-0", "<GENERATED>-1", "<GENERATED>-2")


def _image(number: int = 1) -> Arguments:
    return {"image": f"image {number}"}


def _ask(question: str, number: int = 1) -> Scripted:
    return "visual-question-answering", {"image": f"image {number}", "question": question}


def _describe(image: str) -> Scripted:
    return "image-to-text", {"image": image}


def _speak(text: str) -> Scripted:
    return "text-to-speech", {"text": text}


def _guided(name: str, text: str) -> Sequence[Scripted]:
    control = (f"{name}-control", _image())
    return control, (f"{name}-text-to-image", {"text": text, "image": _FIRST})


PLANS: Mapping[tuple[str, int], Sequence[Scripted]] = {
    ("1", 1): [("object-detection", _image())],
    ("2", 1): [_describe("image 1"), ("object-detection", _image())],
    ("3", 1): [
        *(_describe("image 1"), ("image-classification", _image())),
        *(("object-detection", _image()), ("image-segmentation", _image())),
    ],
    ("4", 1): [_describe("image 1"), ("image-classification", _image())],
    ("5", 1): [_ask("How many zebras are there?", number) for number in (1, 2, 3)],
    ("6", 1): [
        *(_describe(f"image {number}") for number in (1, 2, 3)),
        ("sentence-similarity", {"sentences": [_SECOND, _FIRST, _THIRD]}),
    ],
    ("7", 1): _guided("canny", "a girl reading a book"),
    ("8", 1): [  # nothing finds poses: the next best
        ("image-text-to-image", {**_image(), "text": "a girl in this pose who reads a book"}),
        *(_describe(_FIRST), _speak(_SECOND)),
    ],
    ("9", 1): [("image-text-to-image", {**_image(), "text": "replace the cat with a dog"})],
    ("10", 1): [*_guided("scribble", "a bird"), _describe(_SECOND)],
    ("11", 1): [
        ("text-to-video", {"text": "a dog runs across the grass"}),
        _speak("A dog runs across the grass."),
    ],
    ("12", 1): [
        ("conversational", {"text": "Tell me a joke."}),
        ("text-to-image", {"text": "a cat"}),
    ],
    ("13", 1): [
        ("text-to-video", {"text": "an astronaut walks in space"}),
        ("text-generation", {"text": "A line about an astronaut who walks in space."}),
        _speak(_SECOND),
    ],
    ("14", 1): [
        ("automatic-speech-recognition", {"audio": "audio 1"}),
        ("translation", {"text": _FIRST, "language": "German"}),
        ("text-to-speech", {"text": _SECOND, "language": "German"}),
    ],
    ("15", 1): [
        ("document-to-text", {"document": "document 1"}),
        ("question-answering", {"question": "What is the total?", "context": _FIRST}),
        ("question-answering", {"question": "Who is the seller?", "context": _FIRST}),
    ],
    ("16", 1): [
        ("optical-character-recognition", _image()),
        ("text-classification", {"text": _FIRST}),
    ],
    ("17", 1): [("summarization", {"text": ARTICLE}), ("text-to-image", {"text": _FIRST})],
    ("18", 1): [("token-classification", {"text": MOOD}), ("text-classification", {"text": MOOD})],
    ("19", 1): [("image-segmentation", _image()), ("depth-estimation", _image())],
    ("20", 1): [("video-classification", {"video": "video 1"})],
    ("21", 1): [
        ("audio-to-audio", {"audio": "audio 1", "text": "remove the noise"}),
        ("automatic-speech-recognition", {"audio": _FIRST}),
    ],
    ("22", 1): [("tabular-classification", {"table": "table 1", "target": "survived"})],
    ("23", 1): [_describe("image 1")],
    ("23", 2): [("image-text-to-image", {**_image(), "text": "the same scene at night"})],
    ("23", 3): [_describe("image 1"), _describe("image 2")],
    ("24", 1): [("image-classification", _image())],
}
"""Request and message → the right plan, or its first round."""
LATER: Mapping[tuple[str, int], Sequence[Scripted]] = {
    ("24", 1): [("image-text-to-image", {**_image(), "text": "draw a dog beside the cat"})],
}
"""The second round of the plans that look first."""


@dataclass
class PaperController:
    """Its replies. `planned` counts the planning calls of each message."""

    planned: Counter[tuple[str, int]] = field(default_factory=Counter)
    answered: int = 0
    judged: int = 0

    def reply(self, asked: Asked) -> str:
        """A `Reply`."""
        if "You judge how" in asked.text:
            self.judged += 1
            return json.dumps(_JUDGED_PLAN)
        if "You judge whether" in asked.text:
            return json.dumps(_JUDGED_ANSWER)
        if '"tasks"' in json.dumps(asked.body.get("response_format", {})):
            return self._plan(asked)
        self.answered += 1
        return "Here is what the models made of it."

    def _plan(self, asked: Asked) -> str:
        """The plan for the message whose words stand last in the prompt."""
        text = asked.text
        message = max(_MESSAGES, key=lambda each: text.rfind(_fence(_MESSAGES[each])))
        self.planned[message] += 1
        is_later = self.planned[message] > 1 and message in LATER
        first = len(PLANS[message]) if is_later else 0
        tasks = (LATER if is_later else PLANS)[message]
        return write_plan(tasks, first=first, looks_first=message in LATER and not is_later)


_MESSAGES = {
    (request.id, number): turn.text
    for request in read_paper_suite().requests
    for number, turn in enumerate(request.turns, 1)
}
_SAME = "Scripted: the same for every request."
_JUDGED_PLAN = {
    "reason": _SAME,
    "planning_rational": True,
    "selection_rational": True,
    "score": 100,
}
_JUDGED_ANSWER = {"reason": _SAME, "succeeds": True}


def _fence(text: str) -> str:
    return f"<<<\n{text}\n>>>"


def write_plan(tasks: Sequence[Scripted], *, first: int = 0, looks_first: bool = False) -> str:
    """A plan as a language model writes it; `first` is the id of its first task."""
    rows = [_write_task(number, *task) for number, task in enumerate(tasks, first)]
    plan = {"thought": "", "action": "tasks", "say": "", "tasks": rows, "continue": looks_first}
    return json.dumps(plan)


def _write_task(number: int, kind: str, arguments: Arguments) -> dict[str, Any]:
    args = [
        {"name": name, "value": value}
        for name, given in arguments.items()
        for value in ([given] if isinstance(given, str) else given)
    ]
    needs = [need for need in range(number) if any(f"-{need}" in str(each) for each in args)]
    return {"id": number, "task": kind, "dep": needs, "args": args, "model": ""}
