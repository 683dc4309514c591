"""Which messages of a thread are for the bot where nobody says so."""

from functools import cache
from pathlib import Path

import numpy as np

from adapters.embedded.planner.decision import WEIGHTS, FileTypes
from adapters.embedded.planner.extraction import is_question
from adapters.embedded.planner.model import (
    Hashes,
    KindModel,
    document_features,
    hash_names,
    load,
)
from adapters.embedded.planner.reading import LONGEST
from adapters.embedded.planner.tagging import is_spaceless, tag
from adapters.embedded.planner.view import RequestView
from pipeline.domain import Request

MANNERS, WISH = "manners", "wish"
"""The model's name in the file of weights, and the one thing that it knows."""
_NOT_YOU = ("you", "denial", "address", "idle", "little", "the", "no", "correction")
_MOST_WORDS = 8
"""Words of a message that sends the bot away; twice as many characters where none are spaces."""


def is_sent_away(request: Request) -> bool:
    """Whether the message says that the answer right before it was not asked for ("not you")."""
    turns = request.context.turns
    if not request.has_listeners or not (turns and turns[-1].person.is_bot):
        return False
    tagged = tag(request.text[:LONGEST])
    is_short = len(tagged.words) <= _MOST_WORDS * (2 if is_spaceless(request.text) else 1)
    said = is_short and tagged.has("denial") and tagged.has("you")
    others = {*tagged.find_uncovered(*_NOT_YOU)} - _name_others(request)
    return said and not others and not is_question(request.text)


def is_meant(request: Request, seen: RequestView) -> bool:
    """Whether a message without a mention calls the bot by its name, or is clearly a wish."""
    if seen.called:
        return True
    words = document_features(seen.reading, list_tags(request, seen))
    model = _model()
    return weigh(model, words, find_circumstances(request)) > float(model.rules["least"])


def weigh(model: KindModel, words: Hashes, circumstances: Hashes) -> float:
    """The log-odds that a message is for the bot."""
    odds = model.request.score(words) + model.clause.score(circumstances) + model.bias
    return float(odds[0])


def list_tags(request: Request, seen: RequestView) -> list[str]:
    """What changes the meaning of the words: who spoke last, and the files."""
    turns = request.context.turns
    last = "after-bot" if turns and turns[-1].person.is_bot else "after-people"
    brings = ["brings"] if request.files else []
    return [last, *FileTypes(before=seen.types.before).tags, *brings]


def find_circumstances(request: Request) -> Hashes:
    """Who writes, and whether the message names somebody else.

    It may be the one whom the bot answered last, and the one who wrote last.
    """
    turns, person = request.context.turns, request.person.id
    answers = [at for at, turn in enumerate(turns) if turn.person.is_bot]
    before = [turn.person for turn in turns[: answers[-1]]] if answers else []
    asked = [one.id for one in before if not one.is_bot]
    names = ["asker" if person == asked[-1] else "other"] if asked else []
    if turns and not turns[-1].person.is_bot:
        names.append("self" if turns[-1].person.id == person else "people")
    if _names_another(request):
        names.append("names")
    return hash_names(names)


@cache
def _model() -> KindModel:
    """Trained by `benchmarks.planning.manners`."""
    with np.load(Path(__file__).with_name(WEIGHTS), allow_pickle=False) as stored:
        return load(stored, MANNERS)


def _names_another(request: Request) -> bool:
    """Whether the message has the name of somebody else in the thread.

    "Anna's" is none: it says whose.
    """
    text, others = request.text[:LONGEST].casefold(), _name_others(request)
    if is_spaceless(text):
        return any(name in text for name in others)
    return not others.isdisjoint(word.strip(",.:;!?") for word in text.split())


def _name_others(request: Request) -> set[str]:
    """The words of the names of the other people in the thread, in small letters."""
    people = (turn.person for turn in request.context.turns if not turn.person.is_bot)
    names = {person.name for person in people if person.id != request.person.id}
    return {word for name in names for word in name.casefold().split()}
