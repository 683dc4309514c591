"""Combines written requests: two in one message, or one with a follow-up step."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from adapters.embedded.planner.model import NONE
from benchmarks.planning.compose import FOLLOW_TEXT, Composer, Row
from pipeline.domain import Type
from pipeline.task_kinds import KINDS

_LONGEST = 160
"""Longer requests (in characters) are not combined."""
_FOLLOWED = 0.5
_OPERATIONS = ["+trans", "+trans", "+speak", "+speak", *FOLLOW_TEXT]


def mix(rows: Sequence[Row], count: int, seed: int = 0) -> Iterator[Row]:
    """Yield `count` combinations of these rows."""
    rng = random.Random(seed)
    fulfilled = [row for row in rows if row.kinds and NONE not in row.kinds]
    short = [row for row in fulfilled if len(row.text) < _LONGEST and len(row.kinds) < 3]
    alike: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Row]] = {}
    for row in short:
        alike.setdefault((row.language, row.files, row.thread_files), []).append(row)
    composers: dict[str, Composer] = {}
    made = 0
    while made < count:
        row = rng.choice(short)
        if row.language not in composers:
            composers[row.language] = Composer(row.language, rng)
        composer = composers[row.language]
        if rng.random() < _FOLLOWED:
            found = _followed(row, composer)
        else:
            found = _both(
                row, rng.choice(alike[row.language, row.files, row.thread_files]), composer
            )
        if found is not None:
            made += 1
            yield found


def _followed(row: Row, composer: Composer) -> Row | None:
    """Add a step that uses the text from the request's last kind; None if it makes no text."""
    last = _last(row)
    operation = composer.rng.choice(_OPERATIONS)
    kind = FOLLOW_TEXT[operation]
    said = composer.say(operation, "q")
    if last is None or kind in row.kinds or said is None or _makes(last) is not Type.TEXT:
        return None
    return replace(
        row,
        text=composer.join(row.text, said),
        kinds=(*row.kinds, kind),
        edges=(*row.edges, (last, kind)),
    )


def _both(one: Row, two: Row, composer: Composer) -> Row | None:
    """Join two requests with the same files; None if they share kinds."""
    if one.text == two.text or set(one.kinds) & set(two.kinds):
        return None
    composer.apart = True
    return replace(
        one,
        text=composer.join(one.text, two.text),
        kinds=(*one.kinds, *two.kinds),
        edges=(*one.edges, *two.edges),
    )


def _last(row: Row) -> str | None:
    """The kind whose output no other uses, if there is only one."""
    ends = [kind for kind in row.kinds if all(source != kind for source, _ in row.edges)]
    return ends[0] if len(ends) == 1 else None


def _makes(kind: str) -> Type:
    return KINDS[kind].makes[0].type
