"""Models and files that an answer names: models that took no part, and labels given to the wrong file."""

import re
from collections.abc import Mapping

from pipeline.domain import Boxes, Done, Labels, Masks, Media, Outcomes, Plan, Request
from pipeline.response.edits import Edits
from pipeline.response.record import Record
from pipeline.response.vocabulary import NEGATED, forms

_MANY = 2
_MODEL = re.compile(r"(?<![\w/.:@])[A-Za-z][\w.-]*/[A-Za-z][\w.-]*(?![\w/])")
_MODEL_LIKE = re.compile(r"[\d_-]")
_MODELS = re.compile(
    r"\b(?:Chat)?GPT(?:-?\d(?:[\w.]*\w)?)?(?:-\w+)?|\bDALL[-·.]?E(?: ?[23])?\b|\bMidjourney\b|\bStable Diffusion(?: XL| ?\d[\d.]*)?\b"
    r"|\b(?:Gemini|Claude|Llama|LLaMA|Mistral|Qwen)[- ]?(?:\d[\w.]*|Pro|Ultra|Opus|Sonnet)\b|\bWhisper\b(?:[- ](?:tiny|base|small|medium|large|turbo)\b)?(?:[- ]?v\d\b)?|\bBLIP-?2?\b"
)
_USED = re.compile(
    r"\b(?:used|using|asked|model|by|with|via|mit|modell|von|avec|modèle|con|modelo)(?: the| das| dem| le| el)? (?P<model>[A-Z][A-Za-z]{2,}[-_]v?\d[\w.]*\b)"
)
"""What is called with a version as models are ("Florence-2")."""
_SENTENCE = re.compile(r"[^.!?\n。！？]+(?:[.!?](?!\s|$)[^.!?\n。！？]*)*")  # noqa: RUF001 - ends of sentences
_IN = re.compile(r"\s*(?:is |are )?(?:in|on|im|auf|dans|sur|en)\s+(?:the )?\W*\Z", re.IGNORECASE)


def look_at_models(edits: Edits, known: Record) -> None:
    """Marks models that took no part: by their ids, and well-known ones by what they are called."""
    for found in edits.open(_MODEL):
        name = found.group().rstrip(".")
        if _MODEL_LIKE.search(name) and not known.holds(name):
            edits.mark(found.start(), found.start() + len(name))
    for found in edits.open(_USED):
        if _joined(found["model"]) not in _joined(" ".join(known.texts)):
            edits.mark(*found.span("model"))
    joined = _joined(" ".join(known.texts))
    for found in edits.open(_MODELS):
        if _joined(found.group()) not in joined:
            edits.mark(*found.span())


def look_at_files(edits: Edits, request: Request, plan: Plan, outcomes: Outcomes) -> None:
    """Marks a label that is said of one file and was found in another only."""
    found = _found_in(request, plan, outcomes)
    if len(found) < _MANY:
        return
    every = {label for labels in found.values() for label in labels}
    names = re.compile(
        "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in found), re.IGNORECASE
    )
    for sentence in _SENTENCE.finditer(edits.text):
        places = [
            (sentence.start() + one.start(), one.group().casefold())
            for one in names.finditer(sentence.group())
        ]
        for label in every if places else ():
            pattern = re.compile(rf"(?:\ba )?\b(?:{forms(label)})\b", re.IGNORECASE)
            for one in pattern.finditer(sentence.group()):
                at, end = sentence.start() + one.start(), sentence.start() + one.end()
                file = _spoken_of(edits.text, at, end, places)
                negated = NEGATED.search(edits.text[max(0, at - 20) : at])
                if file and label not in found[file] and not negated:
                    edits.mark(at, end)


def _spoken_of(text: str, at: int, end: int, places: list[tuple[int, str]]) -> str:
    """The file that a word speaks of: "a cat in image 1", else the last one named before it."""
    after = next((place for place in places if place[0] > at), None)
    if after and _IN.fullmatch(text[end : after[0]]):
        return after[1]
    return next((name for place, name in reversed(places) if place < at), "")


def _found_in(request: Request, plan: Plan, outcomes: Outcomes) -> Mapping[str, frozenset[str]]:
    """What was found in each file, by the file's name in the thread; only where every task on it looked for labels."""
    found: dict[str, set[str]] = {}
    names = {file.attachment.hash: file.name for file in (*request.context.files, *request.files)}
    for task in plan.tasks:
        media = [arg for args in task.args.values() for arg in args if isinstance(arg, Media)]
        outcome = outcomes.get(task.id)
        name = names.get(media[0].attachment.hash, "") if len(media) == 1 else ""
        if not name or not isinstance(outcome, Done):
            continue
        labels = found.setdefault(name.casefold(), set())
        for value in outcome.output.slots.values():
            if isinstance(value, Labels | Boxes | Masks):
                labels.update(item.label.casefold() for item in value.items)
            elif not isinstance(value, Media):
                labels.update(_every_label(plan, outcomes))
    return {name: frozenset(labels) for name, labels in found.items()}


def _every_label(plan: Plan, outcomes: Outcomes) -> set[str]:
    """What was said in words of a file may be any of them."""
    values = [
        value
        for task in plan.tasks
        if isinstance(one := outcomes.get(task.id), Done)
        for value in one.output.slots.values()
    ]
    found = [value for value in values if isinstance(value, Labels | Boxes | Masks)]
    return {item.label.casefold() for value in found for item in value.items}


def _joined(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.casefold())
