"""What a request needs, in either vocabulary: everyday requests or TaskBench's tools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files as resources
from io import BytesIO

import numpy as np

from adapters.embedded.planner import decoding, linking
from adapters.embedded.planner.decoding import Bits, ChosenSet, SetRules, type_bits
from adapters.embedded.planner.lexicon import lexicon
from adapters.embedded.planner.linking import LinkWeights
from adapters.embedded.planner.model import KindModel, Scores, load
from adapters.embedded.planner.reading import PASTE, Reading, read
from pipeline.domain import Plan, Slot, TaskKind, Type
from pipeline.task_kinds import KINDS

WEIGHTS = "weights.npz"
EVERYDAY, BENCH = "everyday", "taskbench"
_READS = "document-to-text"
_ON_TEXT = {"document-question-answering": "question-answering"}
OWN_WORDS = frozenset({"text-generation", "conversational", "text-to-image", "text-to-video"})
"""Kinds that make something new of the person's own words."""
_OF_WORDS = (
    frozenset(
        kind.name
        for kind in KINDS.values()
        if {slot.type for slot in kind.takes if slot.required} == {Type.TEXT}
    )
    - OWN_WORDS
)
"""Kinds that work on given words, which come out of a file where a message brings none."""
_FORMAL, _LESS = 16, 6.0
"""Words that make a request like TaskBench's, and how much less (log-odds) ours counts then."""
_MASKS = {"fimg": Type.IMAGE, "faud": Type.AUDIO, "fvid": Type.VIDEO}


@dataclass(frozen=True, slots=True)
class Predictor:
    """A model with the rules it decides by."""

    model: KindModel
    rules: SetRules
    links: LinkWeights
    doubt: float
    """Confidence below which it is better to ask."""


@dataclass(frozen=True, slots=True)
class FileTypes:
    """The types of the files that came with a request, and of the thread's earlier ones."""

    sent: tuple[Type, ...] = ()
    before: tuple[Type, ...] = ()
    answered: bool = False
    """Whether there is an answer of before, whose words may be meant."""

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
    """Kinds in the order of the text, and links between them (places in `kinds`)."""

    reading: Reading
    scores: Scores
    chosen: ChosenSet
    kinds: tuple[str, ...]
    links: tuple[tuple[int, int], ...]

    @property
    def confidence(self) -> float:
        """How sure this is, from 0 to 1."""
        return self.chosen.confidence


def kinds_of(name: str, kinds: Sequence[str]) -> Mapping[str, TaskKind]:
    """The kinds of a vocabulary. TaskBench's tables are pictures."""
    return KINDS if name == EVERYDAY else {kind: _pictured(KINDS[kind]) for kind in kinds}


@cache
def predictor(name: str) -> Predictor:
    """The predictor of a vocabulary, loaded once, with all that its first request needs."""
    lexicon()
    data = resources("adapters.embedded.planner").joinpath(WEIGHTS).read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as stored:
        return build_predictor(load(stored, name), name)


def build_predictor(model: KindModel, name: str) -> Predictor:
    """A model with its rules."""
    shapes = decoding.kind_shapes(model.kinds, kinds_of(name, model.kinds))
    rules = decoding.set_rules(model.kinds, shapes, model.rules)
    links = linking.link_weights(model.rules["links"])
    return Predictor(model, rules, links, float(model.rules["doubt"]))


def decide(text: str, files: FileTypes, by: Predictor, *, paste: int = PASTE) -> Decision:
    """What an everyday request needs."""
    reading = read(text, paste=paste)
    scores = by.model.score(reading, files.tags)
    given = type_bits((*files.sent, *files.before))
    likely = decoding.find_likely_sets(scores, by.rules, given, type_bits(files.sent))
    chosen = decoding.choose_set(scores, likely, by.rules)
    guided = any(kind.endswith("-control") for kind in chosen.kinds) and any(
        kind.endswith("-text-to-image") for kind in chosen.kinds
    )
    kinds = tuple(kind for kind in chosen.kinds if not (guided and kind == "text-to-image"))
    kinds = _in_text_order(kinds, scores)
    words_in_files = bool(files.sent or (files.before and not files.answered))
    links = _everyday_links(
        reading, scores, kinds, by, given, of_files=words_in_files and not reading.quotes
    )
    return Decision(reading, scores, replace(chosen, kinds=kinds), kinds, links)


def decide_bench(text: str, by: Predictor) -> Decision:
    """What one of TaskBench's requests needs: its files are only named."""
    reading = read(text, pastes=False)
    scores = by.model.score(reading)
    meant, named = find_spoken_types(reading)
    likely = decoding.find_likely_sets(scores, by.rules, type_bits(meant), type_bits(named))
    chosen = decoding.choose_set(scores, likely, by.rules)
    kinds = _in_text_order(chosen.kinds, scores)
    sure = linking.expected_links(reading, scores, likely, by.rules, by.links)
    places = [scores.kinds.index(kind) for kind in kinds]
    links = linking.surest_links(sure[np.ix_(places, places)], by.links)
    links.sort(key=lambda link: link[1])
    return Decision(reading, scores, chosen, kinds, tuple(links))


def find_spoken_types(reading: Reading) -> tuple[list[Type], list[Type]]:
    """The types of the files that a text may mean, and of those that it names."""
    words = {word.text for clause in reading.clauses for word in clause}
    named = [kind for mask, kind in _MASKS.items() if mask in words]
    nouns = {kind: lexicon().words.get(f"bench.{kind.value}", []) for kind in _MASKS.values()}
    return [kind for kind in nouns if kind in named or words & {*nouns[kind]}], named


def recall(text: str, files: FileTypes, by: Predictor, plan: Plan) -> Decision | None:
    """What a liked plan needed, read with the words of now; None where a kind is unknown."""
    kinds = tuple(dict.fromkeys(task.kind.name for task in plan.tasks))
    if not set(kinds) <= set(by.model.kinds):
        return None
    place = {task.id: kinds.index(task.kind.name) for task in plan.tasks}
    links = {(place[ref.task], place[task.id]) for task in plan.tasks for ref in task.refs}
    reading = read(text)
    scores = by.model.score(reading, files.tags)
    apart = sorted(link for link in links if link[0] != link[1])
    return Decision(reading, scores, ChosenSet(kinds, 1.0), kinds, tuple(apart))


def on_text(decision: Decision) -> Decision:
    """The same for a text in place of a document: it needs no reading."""
    kept = [at for at, kind in enumerate(decision.kinds) if kind != _READS]
    links = [(kept.index(a), kept.index(b)) for a, b in decision.links if a in kept and b in kept]
    kinds = tuple(_ON_TEXT.get(decision.kinds[at], decision.kinds[at]) for at in kept)
    return replace(decision, kinds=kinds, links=tuple(links))


def rank_kinds(text: str, files: FileTypes, count: int) -> list[str]:
    """The kinds that a request most likely needs, the best first; a long one by both models."""
    scores = decide(text, files, predictor(EVERYDAY)).scores
    reading = read(text, pastes=False)
    if sum(map(len, reading.clauses)) >= _FORMAL:
        other = predictor(BENCH).model.score(reading)
        places = [scores.kinds.index(kind) for kind in other.kinds]
        odds = scores.odds - _LESS
        odds[places] = np.logaddexp(odds[places], other.odds)
        scores = replace(scores, odds=odds)
    return scores.rank(count)


def _in_text_order(kinds: Sequence[str], scores: Scores) -> tuple[str, ...]:
    return tuple(sorted(kinds, key=lambda kind: float(scores.where[scores.kinds.index(kind)])))


def _everyday_links(
    reading: Reading,
    scores: Scores,
    kinds: Sequence[str],
    by: Predictor,
    given: Bits,
    *,
    of_files: bool,
) -> tuple[tuple[int, int], ...]:
    """`of_files`: there are no words to work on but what files hold."""
    if len(kinds) < 2:  # noqa: PLR2004 - nothing to link
        return ()
    places = [scores.kinds.index(kind) for kind in kinds]
    needy = linking.needy_kinds(places, by.rules, given)
    needy += [at for at, kind in enumerate(kinds) if of_files and kind in _OF_WORDS]
    odds = linking.pair_features(reading, scores, places, by.rules) @ by.links.weights
    sure = linking.source_shares(linking.needed_links(odds, places, by.rules, needy), by.links.none)
    found = linking.surest_links(sure, by.links)
    return tuple(sorted(found, key=lambda pair: pair[1]))


def _pictured(kind: TaskKind) -> TaskKind:
    takes = tuple(
        Slot(slot.name, (*slot.types, Type.IMAGE), slot.required, slot.many)
        if slot.type is Type.TABLE
        else slot
        for slot in kind.takes
    )
    return replace(kind, takes=takes)
