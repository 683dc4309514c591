"""Learning from votes: which liked plans serve as examples, and for which requests."""

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence

from pipeline.domain import Arg, Media, Plan, Ref, Request, Task, Text
from pipeline.ports import PlanExample
from pipeline.prompts import fence, tokens
from pipeline.text.names import FILE_ENDING

REACHES = ("workspace", "channel", "off")
"""Where liked plans may serve as examples, from widest to nowhere."""
MOST = 100
"""How many of the newest votes are read."""
_ALIKE = 0.3
"""Similarity from which on an example is shown to the planner."""
_MOST_ALIKE = 2
_EXAMPLES_TOKENS = 600
"""Tokens of all examples in a prompt together."""
_MOST_REQUEST = 160
"""Characters of an example's request."""
_MOST_TEXT = 60
"""Characters of a text argument."""
_LEFT_OUT = "…"
_RUN = re.compile(r"[A-Za-z0-9\u00c0-\u024f_.()-]++")
_WORD = re.compile(r"[^\W_]+")
_MOST_COMPARED = 400
_NGRAM = 4


def limit_reach(installed: str, chosen: str) -> str:
    """The reach in a channel: the installation's, or a narrower one that the channel has set."""
    return max(installed, chosen or installed, key=REACHES.index)


def select_examples(
    voted: Iterable[tuple[PlanExample, Collection[int]]],
) -> Sequence[PlanExample]:
    """Select the plans that people liked, from plans with their votes, the newest first.

    Runs are equivalent if the words of their requests, the types of their files and the kinds of
    their tasks are the same. Only the newest of them that has a vote counts, and a 👎 outweighs
    every 👍 on the same run. So a plan that was reused and then disliked is not reused again:

        draw a cat  (+1)       newest: selected
        draw a dog  (+1, -1)   left out
        draw a dog  (+1)       older and equivalent: left out, too
    """
    examples: list[PlanExample] = []
    settled: set[object] = set()
    for example, votes in voted:
        kinds = frozenset(task.kind.name for task in example.plan.tasks)
        signature = split_words(example.text), tuple(sorted(example.sent)), kinds
        disliked = min(votes, default=0) < 0
        liked = max(votes, default=0) > 0 and not disliked
        if liked and example.plan.tasks and signature not in settled:
            examples.append(example)
        if liked or disliked:
            settled.add(signature)
    return examples


def find_similar(examples: Iterable[PlanExample], request: Request) -> Sequence[PlanExample]:
    """The examples with similar words whose file types the request has, most similar first."""
    compare = compare_to(request.text)
    scored = [(compare(each.text), each) for each in examples if _has_files(request, each)]
    similar = sorted((pair for pair in scored if pair[0] >= _ALIKE), key=lambda pair: -pair[0])
    return [example for _, example in similar[:_MOST_ALIKE]]


def find_same(examples: Iterable[PlanExample], request: Request) -> PlanExample | None:
    """The example with the same words and file types as the request.

    Case, punctuation and file names are ignored.
    """
    words = split_words(request.text)
    sent = sorted(file.attachment.type for file in request.files)
    for example in examples:
        if split_words(example.text) == words and sorted(example.sent) == sent and words:
            return example if _has_files(request, example) else None
    return None


def split_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation and file names."""
    plain = unicodedata.normalize("NFKC", text)
    bare = _RUN.sub(lambda run: " " if FILE_ENDING.search(run[0].rstrip(".)")) else run[0], plain)
    return tuple(_WORD.findall(bare.casefold()))


def compare_to(text: str) -> Callable[[str], float]:
    """Return a function that rates how similar another text is: from 0 to 1 for the same words."""
    mine = _extract_features(text)

    def rate(other: str) -> float:
        theirs = _extract_features(other)
        return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))

    return rate


def _extract_features(text: str) -> frozenset[str]:
    """The words and their character n-grams."""
    words = split_words(text[:_MOST_COMPARED])
    padded = f" {' '.join(words)} "
    ngrams = (padded[start : start + _NGRAM] for start in range(len(padded) - _NGRAM + 1))
    return frozenset((*words, *ngrams))


def _has_files(request: Request, example: PlanExample) -> bool:
    """Whether the request has files of all types that the example's plan takes."""
    needed = {file.attachment.type for file in example.plan.files}
    return needed <= {file.attachment.type for file in request.known_files}


def format_examples(liked: Iterable[PlanExample]) -> str:
    """Liked plans as data for a prompt; texts that are not from their request are left out.

    Plans that are too long are left out; "" when none is left.
    """
    shown: list[str] = []
    for example in liked:
        extended = [*shown, _format_example(example)]
        if tokens("\n".join(extended)) <= _EXAMPLES_TOKENS:
            shown = extended
    return f"Liked here before, with its plan: {fence(chr(10).join(shown))}" if shown else ""


def _format_example(example: PlanExample) -> str:
    words = " ".join(example.text.split())[:_MOST_REQUEST]
    tasks = [_format_task(task, example.plan, words) for task in example.plan.tasks]
    plan = {"thought": "", "action": "tasks", "say": "", "tasks": tasks, "continue": False}
    return f"{words}\n{json.dumps(plan, ensure_ascii=False, separators=(',', ':'))}"


def _format_task(task: Task, plan: Plan, words: str) -> dict[str, object]:
    return {
        "id": task.id,
        "task": task.kind.name,
        "dep": sorted(task.needs),
        "args": [
            {"name": name, "value": _format_value(arg, plan, words)}
            for name, args in task.args.items()
            for arg in args
        ],
        "model": "",
    }


def _format_value(arg: Arg, plan: Plan, words: str) -> str:
    """One argument; text from outside the request (an earlier answer, a file) is left out."""
    match arg:
        case Ref(task):
            return f"<GENERATED>-{task}"
        case Media(attachment):
            same_type = [file for file in plan.files if file.attachment.type is attachment.type]
            return f"{attachment.type.value} {same_type.index(arg) + 1}"
        case Text(text):
            return text[:_MOST_TEXT] if text.casefold() in words.casefold() else _LEFT_OUT
        case _:
            return str(arg.value)
