"""The cost of model selection, and how often ranking alone is right.

python -m benchmarks.choosing [cards.jsonl]
"""

import argparse
import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from adapters.embedded.experts.expert import embedded_models
from bot.places import HOSTED, LOCAL, PLACES
from pipeline.domain import Model, Person, Proposed
from pipeline.model_mentions import explain_unused, find_mentioned, find_mentions
from pipeline.ports import TrackRecord
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.selection.choice import select
from pipeline.selection.curated import load_known_models
from pipeline.selection.policy import Rules
from pipeline.task_kinds import KINDS
from tests.fakes.stages import request, task

_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")
"""Rows with code or a call instead of a model id are skipped."""

_ANY = "multilingual"
_NAMES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch",  # noqa: E501
    "ru": "russian", "zh": "chinese|mandarin", "ja": "japanese", "ko": "korean", "ar": "arabic", "hi": "hindi", "tr": "turkish",  # noqa: E501
    "pl": "polish", "uk": "ukrainian", "vi": "vietnamese", "th": "thai", "sv": "swedish", "fi": "finnish", "da": "danish",  # noqa: E501
    "cs": "czech", "hu": "hungarian", "el": "greek", "fa": "persian|farsi", "he": "hebrew", "id": "indonesian", "ca": "catalan",  # noqa: E501
    "ro": "romanian", "bg": "bulgarian", _ANY: "multi-?lingual|cross-?lingual",
}  # fmt: skip
_LANGUAGES = {
    code: re.compile(rf"(?<![a-z])({names})(?![a-z])", re.IGNORECASE)
    for code, names in _NAMES.items()
}
_ALSO = {
    "text-to-speech": ("texttospeech", "tts", "text2speech"),
    "automatic-speech-recognition": ("speechrecognition", "transcri"),
    "conversational": ("conversation", "dialogue", "chat"),
    "image-to-text": ("caption",),
    "feature-extraction": ("embedding", "features", "automodel"),
    "token-classification": ("ner", "entit", "tagging", "punctuation"),
    "text-classification": ("sentiment", "classif", "sequenceclassification"),
    "object-detection": ("detect",),
    "fill-mask": ("maskedlm", "maskedlanguage", "mask"),
    "audio-to-audio": ("separation", "enhancement", "audiosource", "speechtospeech"),
    "depth-estimation": ("depth",),
}
"""Synonyms of kinds in the cards' descriptions."""

EIGHT = (
    "text-to-image",
    "image-to-text",
    "translation",
    "text-to-speech",
    "object-detection",
    "summarization",
    "automatic-speech-recognition",
    "image-text-to-image",
)


async def cost(rounds: int = 300) -> None:
    """Selection for a plan of eight tasks with all data in memory: no model or database calls."""
    listed = (*load_known_models([HOSTED, LOCAL]), *embedded_models().values())
    catalogue = JoinedCatalogue([ListedCatalogue(listed)], places=PLACES)
    records = {
        (model.id, model.kind): TrackRecord(
            attempts=9, failures=1, median_took=2.0, ups=3, downs=1, liking=2.0
        )
        for model in listed
    }
    shelf = Candidates(catalogue, Rules(commercial=True, deny=("evil/*",)), records)
    asked = request("do it all, with whisper-large and flux.1, please")
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        names = find_mentions(asked)
        for number, kind in enumerate(EIGHT):
            mentioned = await find_mentioned(names, KINDS[kind], asked, shelf)
            await select(Proposed(task(number, kind)), asked, shelf, mentioned)
        await explain_unused(names, [KINDS[kind] for kind in EIGHT], asked, shelf)
        took.append(time.perf_counter() - began)
    took.sort()
    print(
        f"choosing for 8 tasks: p50 {median(took) * 1e3:.2f} ms, p99 {took[-rounds // 100] * 1e3:.2f} ms"  # noqa: E501
    )


def cards(path: Path) -> Iterator[Model]:
    """The model cards of the Gorilla paper, each with the kind named in its heading."""
    for line in path.read_text("utf-8").splitlines():
        card = json.loads(line)
        if (kind := _kind(card["domain"])) and _ID.fullmatch(card["api_name"]):
            yield Model(
                card["api_name"], kind, (LOCAL,), description=str(card.get("description", ""))
            )


def _kind(domain: str) -> str:
    told = domain.lower().replace("-", " ")
    names = sorted(KINDS, key=len, reverse=True)
    return next((name for name in names if told.endswith(name.replace("-", " "))), "")


def told(words: str) -> tuple[str, ...]:
    """The languages that a card or a model id names: codes, or "multilingual"."""
    found = {code for code, pattern in _LANGUAGES.items() if pattern.search(words)}
    return tuple(sorted(found))


def speaking(path: Path) -> Iterator[tuple[Model, str]]:
    """The cards with their languages, each with what it says the model is for."""
    for line in path.read_text("utf-8").splitlines():
        card = json.loads(line)
        if (kind := _kind(card["domain"])) and _ID.fullmatch(card["api_name"]):
            data = (card.get("performance") or {}).get("dataset") or ""
            languages = told(f"{card['api_name']} {card.get('description', '')} {data}")
            said = f"{card.get('functionality', '')} {card.get('api_call', '')}"
            yield Model(card["api_name"], kind, (LOCAL,), languages=languages), said


async def kinds_and_languages(path: Path) -> None:
    """Check for every kind and language whether the top-ranked model supports both."""
    pairs = list(speaking(path))
    known = [model for model, _ in pairs]
    words = {(model.id, model.kind): said for model, said in pairs}
    shelf = Candidates(ListedCatalogue(known))
    kinds = sorted({model.kind for model in known})
    right = 0
    outcomes: Counter[str] = Counter()
    for kind in kinds:
        languages = sorted(
            {one for model in known if model.kind == kind for one in model.languages}
        )
        first = await _picked(shelf, kind, "")
        fits = _is_for(words[first.id, kind], kind)
        right += fits
        if not fits:
            print(f"  not said to be for {kind}: {first.id} ({words[first.id, kind]})")
        for language in languages if speaks_words(kind) else ():
            if language != _ANY:
                outcomes[_fits(await _picked(shelf, kind, language), language)] += 1
    telling = sum(bool(model.languages) for model in known)
    print(f"{len(known)} cards, {telling} tell a language ({telling / len(known):.1%})")
    print(f"of the right kind by the card's own words: {right} of {len(kinds)} kinds")
    total = sum(outcomes.values())
    for fit, count in outcomes.most_common():
        print(f"asked in a language that a card of the kind tells: {fit} {count} of {total}")


async def _picked(shelf: Candidates, kind: str, language: str) -> Model:
    asked = replace(request("please"), person=Person("ann", "Ann", locale=language))
    mentioned = await find_mentioned(find_mentions(asked), KINDS[kind], asked, shelf)
    step = await select(Proposed(task(0, kind)), asked, shelf, mentioned)
    assert step.choice is not None
    return step.choice.model


def _fits(model: Model, language: str) -> str:
    if not model.languages:
        return "the model tells none"
    return "right" if {language, _ANY} & set(model.languages) else "another language"


def _is_for(said: str, kind: str) -> bool:
    plain = re.sub(r"[^a-z]", "", said.casefold())
    names = {kind, *_ALSO.get(kind, ())}
    return any(re.sub(r"[^a-z]", "", name) in plain for name in names)


def speaks_words(kind: str) -> bool:
    """Whether the request's language matters for this kind."""
    wanted = ("text", "question", "audio", "sentences")
    return kind != "translation" and any(slot.name in wanted for slot in KINDS[kind].takes)


async def named_models(path: Path) -> None:
    """Request every model of the file by its id and by its short name."""
    models = tuple(cards(path))
    shelf = Candidates(ListedCatalogue(models))
    short = Counter(model.id.rpartition("/")[2].casefold() for model in models)
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for model in models:
        part = model.id.rpartition("/")[2]
        words = {"id": model.id, **({"short name": part} if short[part.casefold()] == 1 else {})}
        for way, name in words.items():
            wanted = request(f"please do this with {name}")
            mentioned = await find_mentioned(
                find_mentions(wanted), KINDS[model.kind], wanted, shelf
            )
            step = await select(Proposed(task(0, model.kind)), wanted, shelf, mentioned)
            asked[way] += 1
            honoured = bool(step.choice and step.choice.model.id == model.id)
            right[way] += honoured
            if not honoured:
                print(f"  not honoured: {name} ({model.kind})")
    for way, count in asked.items():
        print(f"asked for by {way}: {right[way]} of {count} honoured ({right[way] / count:.1%})")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("cards", type=Path, nargs="*")
    given = options.parse_args().cards
    asyncio.run(cost())
    for cards in given:
        asyncio.run(named_models(cards))
        asyncio.run(kinds_and_languages(cards))
