"""What a request needs, in either vocabulary: everyday requests or TaskBench's tools."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from adapters.embedded.planner import decoding
from adapters.embedded.planner.decoding import Bits, DecodingWeights, type_bits
from adapters.embedded.planner.lexicon import lexicon
from adapters.embedded.planner.model import KindModel, Scores, load
from adapters.embedded.planner.reading import Reading, read
from pipeline.domain import Plan, Type

WEIGHTS = "weights.npz"
EVERYDAY, BENCH = "everyday", "taskbench"
_READS = "document-to-text"
_ON_TEXT = {"document-question-answering": "question-answering"}
OWN_WORDS = frozenset({"text-generation", "conversational", "text-to-image", "text-to-video"})
"""Kinds that make something new of the person's own words."""
_FORMAL, _LESS = 16, 6.0
"""Words that make a request like TaskBench's, and how much less (log-odds) ours counts then."""
_MASKS = {"fimg": Type.IMAGE, "faud": Type.AUDIO, "fvid": Type.VIDEO}


@dataclass(frozen=True, slots=True)
class Predictor:
    """A model with the rules it decides by."""

    model: KindModel
    rules: DecodingWeights


@dataclass(frozen=True, slots=True)
class FileTypes:
    """The types of the files that came with a request, and of the thread's earlier ones."""

    sent: tuple[Type, ...] = ()
    before: tuple[Type, ...] = ()

    @property
    def tags(self) -> list[str]:
        """What the model knows of the files: this message's, else earlier ones, else none."""
        letters = [kind.value[0] for kind in self.sent]
        if letters:
            several = (f"2{one}" for one in sorted(set(letters)) if letters.count(one) > 1)
            return [*sorted(set(letters)), *several]
        earlier = sorted({f"o{kind.value[0]}" for kind in self.before})
        return [*earlier, "old"] if earlier else ["0"]


@dataclass(frozen=True, slots=True)
class Decision:
    """Kinds in the order of the text, links between them (places in `kinds`), and how sure."""

    reading: Reading
    scores: Scores
    kinds: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    confidence: float = 1.0
    talk: float = 0.0
    """How likely the words ask for nothing."""


@cache
def predictor(name: str) -> Predictor:
    """The predictor of a vocabulary, loaded once, with all that its first request needs."""
    lexicon()
    with np.load(Path(__file__).with_name(WEIGHTS), allow_pickle=False) as stored:
        model = load(stored, name)
    shapes = decoding.kind_shapes(model.kinds)
    return Predictor(model, decoding.load_rules(model.kinds, shapes, model.rules))


def decide(text: str, files: FileTypes) -> Decision:
    """What an everyday request needs."""
    reading, sent = read(text), type_bits(files.sent)
    given = type_bits((*files.sent, *files.before))
    return _decide(predictor(EVERYDAY), reading, files.tags, given, sent)


def decide_bench(text: str) -> Decision:
    """What one of TaskBench's requests needs: its files are only named."""
    reading = read(text, pastes=False)
    named = type_bits(find_named_types(reading))
    return _decide(predictor(BENCH), reading, (), type_bits(decoding.TYPES), named)


def _decide(
    by: Predictor, reading: Reading, tags: Sequence[str], given: Bits, sent: Bits
) -> Decision:
    scores = by.model.score(reading, tags)
    likely = decoding.find_likely_sets(scores, by.rules, given, sent)
    kinds = decoding.choose_kinds(scores, likely, by.rules)
    places = [scores.kinds.index(kind) for kind in kinds]
    sure = decoding.expected_links(scores, likely, by.rules)[np.ix_(places, places)]
    links = decoding.surest_links(sure, by.rules)
    talk = float(likely.share @ likely.sets[:, by.rules.talk]) if by.rules.talk >= 0 else 0.0
    return Decision(reading, scores, kinds, links, float(likely.share.max()), talk)


def find_named_types(reading: Reading) -> list[Type]:
    """The types of the files that a text names."""
    words = {word.text for clause in reading.clauses for word in clause}
    return [kind for mask, kind in _MASKS.items() if mask in words]


def recall(text: str, files: FileTypes, plan: Plan) -> Decision | None:
    """What a liked plan needed, read with the words of now; None where a kind is unknown."""
    model = predictor(EVERYDAY).model
    kinds = tuple(dict.fromkeys(task.kind.name for task in plan.tasks))
    if not set(kinds) <= set(model.kinds):
        return None
    place = {task.id: kinds.index(task.kind.name) for task in plan.tasks}
    links = {(place[ref.task], place[task.id]) for task in plan.tasks for ref in task.refs}
    reading = read(text)
    apart = tuple(sorted(link for link in links if link[0] != link[1]))
    return Decision(reading, model.score(reading, files.tags), kinds, apart)


def on_text(decision: Decision, *, is_named: bool) -> Decision:
    """The same for a text in place of a document: it needs no reading.

    Of the doubt about a text that is named, only plain talk is left: most of it was whether the
    document needs reading.
    """
    kept = [at for at, kind in enumerate(decision.kinds) if kind != _READS]
    links = [(kept.index(a), kept.index(b)) for a, b in decision.links if a in kept and b in kept]
    kinds = tuple(_ON_TEXT.get(decision.kinds[at], decision.kinds[at]) for at in kept)
    sure = max(decision.confidence, 1.0 - decision.talk) if is_named else decision.confidence
    return replace(decision, kinds=kinds, links=tuple(links), confidence=sure)


def rank_kinds(text: str, files: FileTypes, count: int) -> list[str]:
    """The kinds that a request most likely needs, the best first; a long one by both models."""
    scores = predictor(EVERYDAY).model.score(read(text), files.tags)
    reading = read(text, pastes=False)
    if sum(map(len, reading.clauses)) >= _FORMAL:
        other = predictor(BENCH).model.score(reading)
        places = [scores.kinds.index(kind) for kind in other.kinds]
        odds = scores.odds - _LESS
        odds[places] = np.logaddexp(odds[places], other.odds)
        scores = replace(scores, odds=odds)
    return scores.rank(count)
