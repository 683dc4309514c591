"""Trains the planner's network with PyTorch and quantises it to 8 bits."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from adapters.embedded.planner.model import (
    LETTER_ROWS,
    TAGS,
    Network,
    Token,
    tag_vector,
    tokens,
)
from adapters.embedded.planner.reading import Reading

WIDE, WINDOWS, HIDDEN = 48, 96, 128
MOST, LEAST = 4400, 4
"""The size of the table of words and concepts, and how often each must occur."""
FORGOTTEN, DROPPED = 0.4, 0.3
"""Dropout of words, so that letters and concepts are learned; and of features."""
LEVELS, FINE = 15, 127
"""Quantisation levels above 0 of word and letter rows, and of the layers."""
BATCH, SPEED, PULL = 128, 2e-3, 0.01


@dataclass
class Seen:
    """A request as network input: key indexes (-1: none), letter indexes, file tags."""

    keys: list[list[int]]
    letters: list[tuple[int, ...]]
    told: np.ndarray


def fit(
    readings: Sequence[Reading],
    tags: Sequence[Sequence[str]],
    wanted: np.ndarray,
    copies: np.ndarray,
    *,
    rounds: int,
    seed: int = 0,
) -> Network:
    """Train on the requests, each repeated `copies` times."""
    torch.manual_seed(seed)
    rng = np.random.RandomState(seed)
    read = [tokens(reading) for reading in readings]
    keys = _keys(read)
    place = {code: at for at, code in enumerate(keys.tolist())}
    seen = [_seen(row, tag, place) for row, tag in zip(read, tags, strict=True)]
    net = _Net(len(keys), wanted.shape[1])
    order = np.repeat(np.arange(len(seen)), copies)
    steps = rounds * (len(order) // BATCH)
    speed = torch.optim.AdamW(net.parameters(), lr=SPEED, weight_decay=PULL)
    fall = torch.optim.lr_scheduler.LambdaLR(speed, lambda done: max(1 - done / steps, 0))
    goal = torch.tensor(wanted, dtype=torch.float32)
    net.train()
    for _ in range(rounds):
        rng.shuffle(order)
        for at in range(0, len(order) - BATCH + 1, BATCH):
            some = order[at : at + BATCH]
            found = net([seen[i] for i in some])
            loss = functional.binary_cross_entropy_with_logits(found, goal[some], reduction="sum")
            speed.zero_grad()
            (loss / BATCH).backward()
            speed.step()
            fall.step()
    return _network(net, keys)


def _keys(read: Sequence[Sequence[Token]]) -> np.ndarray:
    counts = Counter(code for row in read for token in row for code in set(token.keys))
    often = [code for code, n in counts.most_common(MOST) if n >= LEAST]
    return np.array(sorted(often), np.int64)


def _seen(row: Sequence[Token], tags: Sequence[str], place: dict[int, int]) -> Seen:
    keys = [[place.get(code, -1) for code in token.keys] for token in row]
    return Seen(keys, [token.letters for token in row], tag_vector(tags))


class _Net(nn.Module):
    def __init__(self, keys: int, kinds: int) -> None:
        super().__init__()
        self.rng = random.Random(0)
        told, both = len(TAGS), WINDOWS + WIDE
        self.table = nn.EmbeddingBag(keys, WIDE, mode="sum")
        self.letters = nn.EmbeddingBag(LETTER_ROWS, WIDE, mode="mean")
        nn.init.normal_(self.table.weight, 0, 0.1)
        nn.init.normal_(self.letters.weight, 0, 0.2)
        self.tags = nn.Linear(told, WIDE)
        self.windows = nn.Linear(3 * WIDE, WINDOWS)
        self.gate = nn.Linear(told, both)
        self.hidden = nn.Linear(2 * both + told, HIDDEN)
        self.kinds = nn.Linear(HIDDEN, kinds)
        self.direct = nn.Linear(2 * both + told, kinds, bias=False)
        self.drop = nn.Dropout(DROPPED)
        self.kinds.bias.data -= 3

    def forward(self, rows: Sequence[Seen]) -> torch.Tensor:
        longest = max(len(row.keys) for row in rows)
        here = torch.zeros(len(rows), longest, 1)
        for at, row in enumerate(rows):
            here[at, : len(row.keys)] = 1
        told = torch.tensor(np.stack([row.told for row in rows]))
        words = self._bag(self.table, [row.keys for row in rows], longest, first=True)
        words = words + self._bag(self.letters, [row.letters for row in rows], longest)
        words = torch.tanh(words + self.tags(told)[:, None]) * here
        around = functional.pad(words, (0, 0, 1, 1))
        windows = torch.cat([around[:, :-2], around[:, 1:-1], around[:, 2:]], 2)
        both = torch.cat([functional.relu(self.windows(windows)), words], 2) * here
        gate = 1 + self.gate(told)
        most = (both - 1e4 * (1 - here)).max(1)[0] * gate
        mean = both.sum(1) / here.sum(1) ** 0.5 * gate
        whole = torch.cat([self.drop(most), self.drop(mean), told], 1)
        hidden = self.drop(functional.relu(self.hidden(whole)))
        return self.kinds(hidden) + self.direct(whole)

    def _bag(
        self, bag: nn.EmbeddingBag, rows: Sequence[Sequence], longest: int, *, first: bool = False
    ) -> torch.Tensor:
        """The embedding of each word; in training, words or letters are dropped at random."""
        flat: list[int] = []
        starts = []
        for row in rows:
            for at in range(longest):
                starts.append(len(flat))
                if at < len(row):
                    forget = self.training and self.rng.random() < FORGOTTEN
                    said = row[at][1 if first else len(row[at]) :] if forget else row[at]
                    flat += [code for code in said if code >= 0]
        found = bag(torch.tensor(flat, dtype=torch.long), torch.tensor(starts))
        return found.view(len(rows), longest, WIDE)


def _network(net: _Net, keys: np.ndarray) -> Network:
    def turned(layer: nn.Linear) -> np.ndarray:
        return layer.weight.detach().numpy().T.copy()

    layers = {
        "tags": turned(net.tags),
        "start": net.tags.bias,
        "windows": turned(net.windows),
        "windows.bias": net.windows.bias,
        "gate": turned(net.gate),
        "gate.bias": net.gate.bias,
        "hidden": turned(net.hidden),
        "hidden.bias": net.hidden.bias,
        "kinds": turned(net.kinds),
        "direct": turned(net.direct),
        "bias": net.kinds.bias,
    }
    plain = {
        name: part if isinstance(part, np.ndarray) else part.detach().numpy().copy()
        for name, part in layers.items()
    }
    table, letters = (bag.weight.detach().numpy().copy() for bag in (net.table, net.letters))
    return Network(
        keys,
        _rounded(table, LEVELS),
        _rounded(letters, LEVELS),
        {n: _rounded(p) for n, p in plain.items()},
    )


def _rounded(part: np.ndarray, levels: int = FINE) -> np.ndarray:
    small, step = _small(part, levels)
    return small.astype(np.float32) * step.astype(np.float32)


def _small(part: np.ndarray, levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantise to 8 bits with a step for each column; vectors become 16-bit floats."""
    if part.ndim == 1:
        return part.astype(np.float16), np.ones(1, np.float16)
    step = (np.maximum(np.abs(part).max(axis=0), 1e-3) / levels).astype(np.float16)
    return np.clip(np.round(part / step.astype(np.float32)), -levels, levels).astype(np.int8), step


def pack(network: Network, name: str) -> dict[str, np.ndarray]:
    """The network as arrays for the weights file."""
    out = {f"{name}.gaps": np.diff(network.keys, prepend=0).astype(np.uint16)}
    assert np.diff(network.keys, prepend=0).max() < 2**16
    layers = {f"layer.{part}": weights for part, weights in network.layers.items()}
    for part, weights in {"table": network.table, "letters": network.letters, **layers}.items():
        levels = LEVELS if part in ("table", "letters") else FINE
        out[f"{name}.{part}"], out[f"{name}.{part}.step"] = _small(np.asarray(weights), levels)
    return out
