"""What a request needs, in either vocabulary: everyday requests or TaskBench's tools."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from adapters.embedded.experts.orders import says_only_sequence
from adapters.embedded.planner import decoding
from adapters.embedded.planner.decoding import Bits, DecodingWeights, LikelySets, type_bits
from adapters.embedded.planner.model import NONE, TALK, KindModel, Scores, load
from adapters.embedded.planner.reading import Reading
from adapters.embedded.planner.tagging import lexicon
from pipeline.domain import Plan, Type

WEIGHTS = "weights.npz"
EVERYDAY, BENCH = "everyday", "taskbench"
_READS = "document-to-text"
_ON_TEXT = {"document-question-answering": "question-answering"}
_NEARLY = -0.4
"""Log-odds of a kind that is meant where the likeliest has nothing to do."""
_NOTHING = 0.45
"""How likely plain talk and wishes that no kind fulfils must be, together, to plan nothing."""
_TABLE_QUESTION = "table-question-answering"
_TABLE_ORDER = "table-conversion"
OWN_WORDS = frozenset({"text-generation", "conversational", "text-to-image", "text-to-video"})
"""Kinds that make something new of the person's own words."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Kinds in the order of the text, links between them (places in `kinds`), and how sure."""

    scores: Scores
    kinds: tuple[str, ...]
    clauses: tuple[tuple[int, ...], ...]
    """The clauses that speak of each kind."""
    links: tuple[tuple[int, int], ...]
    confidence: float = 1.0
    talk: float = 0.0
    """How likely the words ask for nothing."""
    outside: float = 0.0
    """How likely they ask for nothing that a kind does."""
    unmet: tuple[int, ...] = ()
    """The clauses that ask for what no kind does."""

    def drop(self, place: int) -> "Decision":
        """The same without the kind at this place, and without its links."""
        kept = [at for at in range(len(self.kinds)) if at != place]
        links = [(kept.index(a), kept.index(b)) for a, b in self.links if place not in (a, b)]
        kinds = tuple(self.kinds[at] for at in kept)
        clauses = tuple(self.clauses[at] for at in kept)
        return replace(self, kinds=kinds, clauses=clauses, links=tuple(links))


@cache
def predictor(name: str) -> Predictor:
    """The predictor of a vocabulary, loaded once, with all that its first request needs."""
    lexicon()
    with np.load(Path(__file__).with_name(WEIGHTS), allow_pickle=False) as stored:
        model = load(stored, name)
    shapes = decoding.kind_shapes(model.kinds)
    return Predictor(model, decoding.load_rules(model.kinds, shapes, model.rules))


def decide(reading: Reading, files: FileTypes) -> Decision:
    """What an everyday request needs."""
    sent = type_bits(files.sent)
    given = type_bits((*files.sent, *files.before))
    decision = _decide(predictor(EVERYDAY), reading, files.tags, given, sent)
    return _join_sequences(decision, reading)


def decide_bench(reading: Reading) -> Decision:
    """What one of TaskBench's requests needs: its files are only named."""
    named = type_bits(find_named_types(reading))
    return _decide(predictor(BENCH), reading, (), type_bits(decoding.TYPES), named)


def _decide(
    by: Predictor, reading: Reading, tags: Sequence[str], given: Bits, sent: Bits
) -> Decision:
    scores = by.model.score(reading, tags)
    likely = decoding.find_likely_sets(scores, by.rules, given, sent)
    talk, outside = (_find_share(likely, scores.kinds, name) for name in (TALK, NONE))
    found = decoding.choose_kinds(scores, likely, by.rules)
    if talk + outside >= _NOTHING:
        found = (NONE,) if outside > talk else ()
    clauses = dict(zip(found, _share_clauses(scores, found), strict=True))
    unmet = clauses.pop(NONE, ())
    kinds = tuple(clauses)
    places = [scores.kinds.index(kind) for kind in kinds]
    sure = decoding.expected_links(scores, likely, by.rules)[np.ix_(places, places)]
    links = decoding.surest_links(sure, by.rules)
    return Decision(
        scores=scores,
        kinds=kinds,
        clauses=tuple(clauses.values()),
        links=links,
        confidence=float(likely.share.max()),
        talk=talk,
        outside=outside,
        unmet=unmet,
    )


def _join_sequences(decision: Decision, reading: Reading) -> Decision:
    """The same, where words such as "highest first" belong to the order on a table before them."""
    kinds, clauses = decision.kinds, [*decision.clauses]
    for at, kind in enumerate(kinds):
        before = [place for place, other in enumerate(kinds) if other == _TABLE_ORDER]
        own = next((place for place in before if clauses[place][-1:] < clauses[at][:1]), None)
        if kind != _TABLE_QUESTION or own is None:
            continue
        words = (word.text for clause in clauses[at] for word in reading.clauses[clause])
        if says_only_sequence(" ".join(words)):
            clauses[own] += clauses[at]
            return replace(decision, clauses=tuple(clauses)).drop(at)
    return decision


def _find_share(likely: LikelySets, kinds: Sequence[str], name: str) -> float:
    """How likely it is that this is meant, and nothing beside it."""
    if name not in kinds:
        return 0.0
    alone = likely.sets[:, kinds.index(name)] & (likely.sets.sum(axis=1) == 1)
    return float(likely.share @ alone)


def _share_clauses(scores: Scores, kinds: Sequence[str]) -> list[tuple[int, ...]]:
    """The clauses that speak of each kind.

    Each kind has the one that speaks most of it; those between two are cut where it fits best.
    """
    columns = [scores.kinds.index(kind) for kind in kinds]
    places = [int(scores.where[column]) for column in columns]
    speaks = dict(zip(places, columns, strict=True))
    cuts = [0]
    for one, other in pairwise(sorted(speaks)):
        between = scores.by_clause[one + 1 : other]
        gain = np.cumsum([0, *(between[:, speaks[one]] - between[:, speaks[other]])])
        cuts.append(one + 1 + int(gain.argmax()))
    ends = pairwise([*cuts, len(scores.by_clause)])
    spans = dict(zip(sorted(speaks), ends, strict=True)) if speaks else {}
    return [tuple(range(*spans[place])) for place in places]


def find_named_types(reading: Reading) -> list[Type]:
    """The types of the files that a text names."""
    words = {word.text for clause in reading.clauses for word in clause}
    return [kind for mask, kind in _MASKS.items() if mask in words]


def recall(reading: Reading, files: FileTypes, plan: Plan) -> Decision | None:
    """What a liked plan needed, read with the words of now; None where a kind is unknown."""
    model = predictor(EVERYDAY).model
    kinds = tuple(dict.fromkeys(task.kind.name for task in plan.tasks))
    if not set(kinds) <= set(model.kinds):
        return None
    place = {task.id: kinds.index(task.kind.name) for task in plan.tasks}
    links = {(place[ref.task], place[task.id]) for task in plan.tasks for ref in task.refs}
    scores = model.score(reading, files.tags)
    apart = tuple(sorted(link for link in links if link[0] != link[1]))
    clauses = tuple(_share_clauses(scores, kinds))
    return Decision(scores=scores, kinds=kinds, clauses=clauses, links=apart)


def on_text(decision: Decision, *, is_named: bool) -> Decision:
    """The same for a text in place of a document: it needs no reading.

    Of the doubt about a text that is named, only plain talk is left: most of it was whether the
    document needs reading.
    """
    if decision.kinds == (_READS,):  # there is nothing to read: what is nearly as likely is meant
        others = {*decision.scores.kinds} - {_READS, TALK, NONE}
        best = max(others, key=decision.scores.__getitem__)
        near = (best,) if decision.scores[best] > _NEARLY else ()
        return replace(decision, kinds=near, clauses=decision.clauses[: len(near)], links=())
    if _READS in decision.kinds:
        decision = decision.drop(decision.kinds.index(_READS))
    kinds = tuple(_ON_TEXT.get(kind, kind) for kind in decision.kinds)
    sure = max(decision.confidence, 1.0 - decision.talk) if is_named else decision.confidence
    return replace(decision, kinds=kinds, confidence=sure)
