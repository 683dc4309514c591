"""From words and files to kinds and links, in either vocabulary: everyday requests or TaskBench's tools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files as resources
from io import BytesIO
from typing import Any

import numpy as np

from adapters.embedded.planner import choosing, linking, orders
from adapters.embedded.planner.choosing import Chosen, Likely, Rules
from adapters.embedded.planner.concepts import lexicon
from adapters.embedded.planner.linking import Linking
from adapters.embedded.planner.model import Floats, Model, Scores, load
from adapters.embedded.planner.orders import Order
from adapters.embedded.planner.reading import PASTE, Reading, read
from adapters.embedded.planner.shapes import TALK, Bits, available, shapes
from adapters.embedded.planner.view import View, tags
from pipeline.domain import Plan, Slot, TaskKind, Type
from pipeline.planning.names import TASKBENCH
from pipeline.table import KINDS

WEIGHTS = "weights.npz"
EVERYDAY, BENCH = "everyday", "taskbench"
_FREE = ("text-to-image", "image-text-to-image")
"""Pictures from words that no control image guides."""
_READS = "document-to-text"
_OF_WORDS = frozenset(
    {
        "question-answering",
        "summarization",
        "text-classification",
        "text-to-speech",
        "text2text-generation",
        "token-classification",
        "translation",
        "zero-shot-classification",
    }
)
"""Kinds that work on words, which come out of a file where a message brings none."""
_ON_TEXT = {"document-question-answering": "question-answering"}
_CHAT, _FORMAL, _NAMED = 12, 8, 15
"""Words up to which a request is chat; how many more make it one like TaskBench's; and for how many a file's name counts."""
_LESS, _MORE = 6.0, 5.0
"""How much less the one and more the other model counts in a long request (log-odds; tried on the development rows)."""
_MASKS = {"fimg": Type.IMAGE, "faud": Type.AUDIO, "fvid": Type.VIDEO}
_SPOKEN = {
    Type.IMAGE: {"image", "images", "photo", "photos", "picture", "pictures"},
    Type.AUDIO: {"audio", "recording", "voice", "speech", "sound"},
    Type.VIDEO: set[str](),
}


@dataclass(frozen=True, slots=True)
class Mind:
    """A model with the rules it decides by."""

    model: Model
    rules: Rules
    linking: Linking | Order
    doubt: float
    """Confidence below which it is better to ask."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Kinds in the order of the text, links between them (places in `kinds`), and how sure this is, from 0 to 1."""

    reading: Reading
    scores: Scores
    chosen: Chosen
    kinds: tuple[str, ...]
    links: tuple[tuple[int, int], ...]

    @property
    def confidence(self) -> float:
        return self.chosen.confidence


def kinds_of(name: str) -> Mapping[str, TaskKind]:
    """The table of a vocabulary. TaskBench's tables are pictures."""
    if name == EVERYDAY:
        return KINDS
    return {kind: _pictured(KINDS[kind]) for kind in TASKBENCH}


@cache
def mind(name: str) -> Mind:
    """The mind for a vocabulary, loaded once, with all that its first request needs."""
    lexicon()
    data = resources("adapters.embedded.planner").joinpath(WEIGHTS).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        return awaken(load(stored, name), name)


def awaken(model: Model, name: str) -> Mind:
    """A model with its rules."""
    learned: Mapping[str, Any] = model.rules
    return Mind(
        model,
        choosing.rules(model.kinds, shapes(model.kinds, kinds_of(name)), learned),
        orders.order(learned["order"]) if "order" in learned else linking.linking(learned),
        float(learned["doubt"]),
    )


def decide(view: View, mind_: Mind, *, paste: int = PASTE) -> Decision:
    """What an everyday request needs."""
    reading = read(view.text, paste=paste)
    scores = mind_.model.score(reading, tags(view.sent, tuple(file.type for file in view.before)))
    given = available(view.types)
    likely = choosing.likely(scores, mind_.rules, given, available(view.sent))
    of_files = bool(view.sent or (view.before and not view.said)) and not reading.quotes
    return _decided(mind_, reading, scores, likely, given, of_files=of_files)


def recalled(view: View, mind_: Mind, plan: Plan) -> Decision | None:
    """What a plan of before needed, read with the words of now; None where it holds a kind that is not known."""
    kinds = tuple(dict.fromkeys(task.kind.name for task in plan.tasks))
    if not set(kinds) <= set(mind_.model.kinds):
        return None
    place = {task.id: kinds.index(task.kind.name) for task in plan.tasks}
    links = {(place[ref.task], place[task.id]) for task in plan.tasks for ref in task.refs}
    reading = read(view.text)
    scores = mind_.model.score(reading, tags(view.sent, tuple(file.type for file in view.before)))
    apart = sorted(link for link in links if link[0] != link[1])
    return Decision(reading, scores, Chosen(kinds, 1.0), kinds, tuple(apart))


def on_text(decision: Decision) -> Decision:
    """The same for a text in place of a document: nothing need be read out of it."""
    kept = [at for at, kind in enumerate(decision.kinds) if kind != _READS]
    links = [(kept.index(a), kept.index(b)) for a, b in decision.links if a in kept and b in kept]
    kinds = tuple(_ON_TEXT.get(kind, kind) for kind in map(decision.kinds.__getitem__, kept))
    return replace(decision, kinds=kinds, links=tuple(links))


def decide_bench(text: str, mind_: Mind) -> Decision:
    """What one of TaskBench's requests needs: its files are only named."""
    reading = read(text, pastes=False)
    scores = mind_.model.score(reading)
    meant, named = spoken_of(reading)
    given = available(meant)
    likely = choosing.likely(scores, mind_.rules, given, available(named))
    return _decided(mind_, reading, scores, likely, given)


def spoken_of(reading: Reading) -> tuple[list[Type], list[Type]]:
    """The types of the files that a text may mean, and of those that it names."""
    words = {word.text for clause in reading.clauses for word in clause}
    named = [kind for mask, kind in _MASKS.items() if mask in words]
    meant = [kind for kind in _SPOKEN if kind in named or words & _SPOKEN[kind]]
    return meant, named


def _decided(
    mind_: Mind,
    reading: Reading,
    scores: Scores,
    likely: Likely,
    given: Bits,
    *,
    of_files: bool = False,
) -> Decision:
    """The likeliest kinds and their links. `of_files`: there are no words to work on but what files hold."""
    chosen = choosing.pick(scores, likely, mind_.rules)
    guided = any(kind.endswith("-text-to-image") for kind in chosen.kinds if kind not in _FREE)
    kinds_ = [kind for kind in chosen.kinds if not (guided and kind == "text-to-image")]
    places = [scores.kinds.index(kind) for kind in kinds_]
    places.sort(key=lambda at: float(scores.where[at]))
    kinds = tuple(scores.kinds[at] for at in places)
    chosen = replace(chosen, kinds=tuple(kinds_))
    found: list[tuple[int, int]] = []
    match mind_.linking:
        case _ if len(places) < 2:  # noqa: PLR2004 - nothing to link
            pass
        case Order() as order:
            text = orders.text(mind_.model, reading, scores)
            found = orders.links(text, likely, places, mind_.rules, order)
        case Linking() as learned:
            needy = linking.needy(places, mind_.rules, given)
            if of_files:
                needy += [at for at, kind in enumerate(kinds) if kind in _OF_WORDS]
            seen = linking.pairs(reading, scores, places, mind_.rules)
            found = linking.links(seen, places, mind_.rules, learned, needy)
    return Decision(reading, scores, chosen, kinds, tuple(sorted(found, key=lambda pair: pair[1])))


def ranked(scores: Scores, count: int) -> Sequence[str]:
    """The likeliest kinds, the best first, plain talk left out."""
    order = np.argsort(-scores.odds)
    return [scores.kinds[at] for at in order if scores.kinds[at] != TALK][:count]


def likeliest(decision: Decision, mind_: Mind, count: int) -> Sequence[str]:
    """The kinds that are most likely needed; long requests are looked at with what was learned of TaskBench's too."""
    formal = formality(decision.reading)
    other = None
    if formal > 0:
        other = mind(BENCH).model.score(read(decision.reading.text, pastes=False))
    return ranked(replace(decision.scores, odds=mixed(decision, mind_, formal, other)), count)


def formality(reading: Reading) -> float:
    """How much a request is like TaskBench's, from 0 to 1: those are long and name their files."""
    words = sum(len(clause) for clause in reading.clauses) + (_NAMED if reading.names else 0)
    return float(np.clip((words - _CHAT) / _FORMAL, 0, 1))


def mixed(decision: Decision, mind_: Mind, formal: float, other: Scores | None) -> Floats:
    """Log-odds of all kinds, each lifted by the likely ones it often goes with, and mixed with those of another model."""
    odds = decision.scores.odds.astype(np.float32)
    sure = 1 / (1 + np.exp(-odds))
    sure[decision.scores.kinds.index(TALK)] = 0
    lift = np.maximum(mind_.rules.together, 0)
    odds += (sure @ lift) / (2 * max(float(sure.sum()), 1.0))
    if other is not None:
        places = [decision.scores.kinds.index(kind) for kind in other.kinds]
        odds -= _LESS * formal
        odds[places] = np.logaddexp(odds[places], other.odds + _MORE * (2 * formal - 1))
    return odds


def _pictured(kind: TaskKind) -> TaskKind:
    takes = tuple(
        Slot(slot.name, (*slot.types, Type.IMAGE), slot.required, slot.many)
        if slot.type is Type.TABLE
        else slot
        for slot in kind.takes
    )
    return replace(kind, takes=takes)
