"""Trains the planner for TaskBench's names, and measures it: `python -m benchmarks.planning.taskbench --data FOLDER`.

`--multimedia` measures the same method on the other domain; nothing of that is kept.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from adapters.embedded.planner import choosing, deciding, orders
from adapters.embedded.planner.choosing import Rules
from adapters.embedded.planner.model import Model
from adapters.embedded.planner.orders import Text
from adapters.embedded.planner.shapes import Shapes, shapes
from adapters.embedded.planner.view import View
from benchmarks.planning import fit, learn, learn_orders
from benchmarks.planning.learn_orders import Linked
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.rows import HERE, Rows, bench, tool_shapes
from benchmarks.planning.train import TARGET, doubt, pack

FOLDS = 5
LIKELY = 10
PENALTY, ROUNDS, KEPT, LEVELS = 0.5, 40, (9000, 12000), 31
THRESHOLD, LEAN = -0.7, 0.43
WRITTEN = 0.5
"""How much a request that was written for training counts beside one of TaskBench's."""
WARY = 0.8
"""Share of right plans below which it is better to ask."""


@dataclass(frozen=True)
class Domain:
    """TaskBench's rows of one domain, what its tools take and make, and rows written only to train on."""

    rows: Rows
    shapes: Shapes
    written: Rows | None = None


@dataclass
class Learned:
    """What came out: the model with its rules, and the out-of-fold answers and texts."""

    model: Model
    answers: list[Answer] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)


def main() -> None:
    args = _arguments()
    began = time.time()
    domain = multimedia(args.data) if args.multimedia else hugging_face(args.data)
    learned = train(domain)
    print(f"{len(domain.rows)} rows, {time.time() - began:.0f} s\n")
    show(learned.answers, domain.rows)
    if args.multimedia:
        return
    _likely(domain.rows, learned.texts)
    with np.load(TARGET) as old:
        stored = dict(old) | pack(learned.model, deciding.BENCH)
    np.savez_compressed(TARGET, **stored)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--multimedia", action="store_true")
    return parser.parse_args()


def hugging_face(data: Path) -> Domain:
    rows = bench(data / "hf_gold_dev.jsonl")
    written = bench(HERE / "written_bench.jsonl", rows.kinds)
    return Domain(rows, shapes(rows.kinds, deciding.kinds_of(deciding.BENCH)), written)


def multimedia(data: Path) -> Domain:
    rows = bench(data / "mm_gold_dev.jsonl")
    return Domain(rows, tool_shapes(data / "multimedia_tool_desc.json", rows.kinds))


def train(domain: Domain) -> Learned:
    """Out-of-fold readings, rules learned on them, and a model of all rows."""
    count = len(domain.rows)
    fold = np.random.RandomState(0).permutation(count) % FOLDS
    texts = out_of_fold(domain, fold)
    answers: list[Answer] = [Answer((), (), 0.0)] * count
    for k in range(FOLDS):
        decide = _learn(domain, texts, fold, fold != k)
        for at in np.flatnonzero(fold == k):
            answers[at] = decide(at)
    final = _learn(domain, texts, fold, np.ones(count, bool))
    model = fitted(domain, np.ones(count, bool))
    right = np.array([set(a.kinds) == _gold(domain.rows, at) for at, a in enumerate(answers)])
    wary = doubt(np.array([a.confidence for a in answers]), right, WARY)
    return Learned(replace(model, rules={**final.stored, "doubt": wary}), answers, texts)


def out_of_fold(domain: Domain, fold: np.ndarray) -> list[Text]:
    """Each row as it is read by a model that has not seen it."""
    texts: dict[int, Text] = {}
    for k in range(FOLDS):
        model = fitted(domain, fold != k)
        for at in np.flatnonzero(fold == k).tolist():
            reading = domain.rows.readings[at]
            texts[at] = orders.text(model, reading, model.score(reading))
    return [texts[at] for at in range(len(fold))]


def fitted(domain: Domain, keep: np.ndarray) -> Model:
    """A model of the kept rows and all written ones."""
    rows, written = domain.rows, domain.written
    chosen = np.flatnonzero(keep)
    readings = [rows.readings[at] for at in chosen]
    wanted, weight = rows.wanted[chosen], np.ones(len(chosen))
    if written is not None:
        readings += written.readings
        wanted = np.vstack([wanted, written.wanted])
        weight = np.concatenate([weight, np.full(len(written), WRITTEN)])
    data = fit.data(readings, [[]] * len(readings), wanted.astype(float), weight)
    return fit.fit(data, rows.kinds, penalty=PENALTY, rounds=ROUNDS, rows=KEPT, levels=LEVELS)


@dataclass
class _Decider:
    """Rules learned on some rows, to be tried on others."""

    domain: Domain
    texts: list[Text]
    rules: Rules
    stored: Mapping[str, Any]

    def __call__(self, at: int) -> Answer:
        rows, text = self.domain.rows, self.texts[at]
        likely = choosing.likely(text.scores, self.rules, rows.given[at], rows.sent[at])
        chosen = choosing.pick(text.scores, likely, self.rules)
        places = [rows.kinds.index(kind) for kind in chosen.kinds]
        order = orders.order(self.stored["order"])
        found = orders.links(text, likely, places, self.rules, order)
        links = tuple((chosen.kinds[a], chosen.kinds[b]) for a, b in found)
        return Answer(chosen.kinds, links, chosen.confidence)


def _learn(domain: Domain, texts: list[Text], fold: np.ndarray, keep: np.ndarray) -> _Decider:
    """Learn to choose and to link on the kept rows; what is counted never holds the row it is used for."""
    rows = domain.rows
    stated = {k: _counted(domain, keep & (fold != k)) for k in sorted(set(fold[keep].tolist()))}
    kept = np.flatnonzero(keep)
    weights = learn.weights(
        [stated[fold[at]] for at in kept],
        np.array([texts[at].scores.odds for at in kept]),
        rows.wanted[kept],
        rows.given[kept],
        rows.sent[kept],
    )
    total = _counted(domain, keep)
    stored = {
        "weights": [round(float(w), 4) for w in weights],
        "together": np.round(total.together, 2).tolist(),
        "feeding": np.round(total.feeding, 2).tolist(),
        "threshold": THRESHOLD,
        "lean": LEAN,
        "order": _order(rows, texts, kept, lambda at: stated[fold[at]]),
    }
    return _Decider(domain, texts, choosing.rules(rows.kinds, domain.shapes, stored), stored)


def _counted(domain: Domain, keep: np.ndarray) -> Rules:
    rows, chosen = domain.rows, np.flatnonzero(keep)
    links = [rows.links[at] for at in chosen]
    together, feeding = learn.counted(rows.wanted[chosen], links, domain.shapes.feeds)
    stored = {"weights": [], "together": together, "feeding": feeding, "threshold": THRESHOLD}
    return choosing.rules(rows.kinds, domain.shapes, stored)


def _order(
    rows: Rows, texts: list[Text], kept: np.ndarray, stated: Callable[[int], Rules]
) -> dict[str, object]:
    linked = []
    for at in kept.tolist():
        kinds = np.flatnonzero(rows.wanted[at]).tolist()
        if len(kinds) > 1 and rows.known[at]:
            pairs = orders.pairs(texts[at], kinds, stated(at))
            links = [
                (kinds.index(source), kinds.index(target)) for source, target in rows.links[at]
            ]
            linked.append(Linked(pairs, tuple(links)))
    return learn_orders.learn(linked)


def _likely(rows: Rows, texts: list[Text]) -> None:
    """How often all needed kinds are among the ten likeliest: this model alone (out of fold), and as it is asked for."""
    everyday = deciding.mind(deciding.EVERYDAY)
    alone, both = [], []
    for at, text in enumerate(texts):
        gold = _gold(rows, at)
        alone.append(gold & set(deciding.ranked(text.scores, LIKELY)))
        decision = deciding.decide(View(text.reading.text), everyday)
        formal = deciding.formality(decision.reading)
        odds = deciding.mixed(decision, everyday, formal, text.scores if formal > 0 else None)
        both.append(gold & set(deciding.ranked(replace(decision.scores, odds=odds), LIKELY)))
    print(f"\n| the {LIKELY} likeliest hold | all needed kinds | of the needed kinds |")
    print("| --- | --- | --- |")
    sizes = rows.wanted.sum(axis=1)
    for name, found in (("out of fold", alone), ("with the everyday model", both)):
        held = np.array([len(kinds) for kinds in found])
        print(f"| {name} | {(held == sizes).mean():.1%} | {held.sum() / sizes.sum():.1%} |")


def _gold(rows: Rows, at: int) -> set[str]:
    return {kind for kind, yes in zip(rows.kinds, rows.wanted[at], strict=True) if yes}


if __name__ == "__main__":
    main()
