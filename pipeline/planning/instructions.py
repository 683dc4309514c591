"""What a language model is told to plan with: the likely kinds, their models, demonstrations; as much as so many tokens hold."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import Model, Slot, TaskKind
from pipeline.prompts import closely, fenced, render, sections
from pipeline.table import KINDS
from pipeline.text.names import in_a_line

Candidates = Mapping[str, Sequence[Model]]
"""Kind → the models to choose from."""

FULL = 10
"""How many kinds are told with their arguments."""
CHOOSABLE = 6
"""For how many of them models are offered."""


@dataclass(frozen=True, slots=True)
class _Detail:
    """How much is told."""

    says: int
    """Of how many kinds, what they do."""
    full: int
    """Of how many kinds, their arguments."""
    models: int
    letters: int
    """Of what each model is good for."""
    name: int
    """Letters of each model's name."""
    shown: int
    """Tokens of a demonstration."""


_DETAILS = (
    _Detail(FULL, FULL, 3, 40, 99, 120),
    _Detail(CHOOSABLE, FULL, 3, 30, 99, 120),
    _Detail(CHOOSABLE, FULL, 3, 26, 30, 120),
    _Detail(2, FULL, 3, 26, 30, 120),
    _Detail(0, FULL, 3, 26, 24, 120),
    _Detail(0, FULL, 3, 22, 24, 120),
    _Detail(0, FULL, 3, 22, 24, 90),
    _Detail(0, FULL, 3, 22, 18, 90),
    _Detail(0, FULL, 3, 18, 18, 80),
    _Detail(0, FULL, 3, 16, 14, 80),
    _Detail(0, FULL, 3, 20, 18, 50),
    _Detail(0, FULL, 3, 16, 14, 50),
    _Detail(0, CHOOSABLE, 3, 16, 14, 50),
    _Detail(0, FULL, 3, 18, 14, 0),
    _Detail(0, CHOOSABLE, 3, 16, 14, 0),
    _Detail(0, CHOOSABLE, 3, 12, 10, 0),
    _Detail(0, CHOOSABLE, 3, 0, 10, 0),
    _Detail(0, CHOOSABLE, 2, 0, 10, 0),
    _Detail(0, CHOOSABLE, 0, 0, 0, 0),
    _Detail(0, 3, 0, 0, 0, 0),
)
"""From much to little."""


def instructions(
    likely: Sequence[TaskKind],
    candidates: Candidates,
    kinds: Mapping[str, TaskKind],
    *,
    shown: bool,
    most: int,
) -> str:
    """The system message, in as much detail as so many tokens hold, with a demonstration where one is to be `shown`."""
    names = [kind.name for kind in likely]

    def written(detail: _Detail) -> str:
        full = likely[: detail.full]
        return render(
            "plan",
            kinds=fenced(
                "\n".join(
                    _kind_line(kind, candidates.get(kind.name, ()), detail, at)
                    for at, kind in enumerate(full)
                )
            ),
            others=_others(kinds.keys() - {kind.name for kind in full}),
            demonstrations=demonstrations(names, most=detail.shown if shown else 0),
        ).strip()

    fits = bisect_left(
        _DETAILS, x=True, key=lambda detail: closely(written(detail), recurring=True) <= most
    )
    return written(_DETAILS[min(fits, len(_DETAILS) - 1)])


def demonstrations(likely: Sequence[str], *, most: int) -> str:
    """Plain talk, and of the requests that so many tokens hold that whose plan uses the most of the likely kinds."""
    rows = sections("demonstrations")
    talk = [body for heading, body in rows if heading == "talk"]
    ranked = sorted(
        (row for row in rows if row[0] != "talk" and closely(row[1], recurring=True) <= most),
        key=lambda row: -sum(1 / (1 + likely.index(k)) for k in row[0].split(", ") if k in likely),
    )
    return "\n".join([*talk, *(body for _, body in ranked[:1])])


def _kind_line(kind: TaskKind, models: Sequence[Model], detail: _Detail, at: int) -> str:
    line = f"{kind.name}({', '.join(map(_arg, kind.takes))})"
    if at < detail.says:
        line += f": {kind.says}"
    if len(models) > 1 and at < CHOOSABLE:
        offered = _offered(models[: detail.models], detail)
        line += "".join(f"\n {name} {about}".rstrip() for name, about in offered)
    return line


def _offered(models: Sequence[Model], detail: _Detail) -> Iterator[tuple[str, str]]:
    """Models by names that tell them apart, long ones by their beginnings; and what they are good for."""
    names = [in_a_line(model.id.rpartition("/")[2]) for model in models]
    for model, name in zip(models, names, strict=True):
        begun = _beginning(name, detail.name)
        alike = [other for other in names if other.startswith(begun)]
        clear = name if names.count(name) == 1 else in_a_line(model.id)
        yield begun if len(alike) == 1 else clear, _about(model, detail.letters)


def _beginning(name: str, letters: int) -> str:
    """The first parts of a name, so many letters at most where it has parts as short."""
    if len(name) <= letters:
        return name
    end = max(name.rfind(tie, 0, letters + 1) for tie in "-_.")
    return name[:end] if end > 0 else name


def _arg(slot: Slot) -> str:
    return slot.name + ("" if slot.required else "?") + ("*" if slot.many else "")


def _about(model: Model, letters: int) -> str:
    words = in_a_line(model.description)
    return words if len(words) <= letters else words[:letters].rpartition(" ")[0]


def _others(rest: set[str]) -> str:
    """The bare names of all other kinds; those that only differ in their control image together."""
    names = [name for name in KINDS if name in rest]
    controls = [name for name in names if name.endswith("-control")]
    guided = [f"{name.removesuffix('-control')}-text-to-image" for name in controls]
    others = [name for name in names if name not in {*controls, *guided}]
    if controls:
        first = ",".join(name.removesuffix("-control") for name in controls)
        others.append(f"{{{first}}}-control, the same with -text-to-image")
    return " ".join(others)
