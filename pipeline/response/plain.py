"""Stage 4 without a language model: what came out, in the bot's own sentences, and nothing else."""

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pipeline.domain import (
    Done,
    Media,
    Outcomes,
    Plan,
    Request,
    Sentence,
    Task,
    Text,
    Type,
)
from pipeline.response.apart import apart
from pipeline.response.telling import PROBLEMS, disagreements, main_value, went_wrong
from pipeline.response.wording import in_words, speaks_for_itself, without_confidence
from pipeline.table import KINDS
from pipeline.words import say, title

_STRONG = re.compile(r"^\*\*([^*\n]+)\*\*:", re.MULTILINE)
_NOTE = re.compile(r"^_[^\n]+_$\n?|\n_[^\n]+_$", re.MULTILINE)
"""What is said of a result beside others."""

_OPEN = ("because", "enabled_by", "reason")
"""What differs in sentences on what went wrong, besides the kind of task."""


@dataclass(frozen=True, slots=True)
class PlainResponder:
    """Says what each task found or made, what failed and why, and which models did it."""

    name: str = "plain"

    async def respond(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[str]:
        """Never raises."""
        paragraphs = plain_answer(request, plan, outcomes)
        for position, paragraph in enumerate(paragraphs):
            yield paragraph if position == 0 else f"\n\n{paragraph}"


def plain_answer(request: Request, plan: Plan, outcomes: Outcomes) -> list[str]:
    """The paragraphs: what was found, what was made, what went wrong, and how it was done."""
    locale = request.person.locale
    found = [task for task in plan.tasks if _tells(task, plan, outcomes)]
    paragraphs = [_found(task, plan, outcomes, request, alone=len(found) == 1) for task in found]
    if made := _made(plan, outcomes, locale):
        paragraphs.append(made)
    paragraphs += dict.fromkeys(
        say(locale, problem) for problem in _problems(request, plan, outcomes)
    )
    beside = found if len(found) > 1 else ()
    if how := _how(plan, outcomes, locale, beside=beside):
        paragraphs.append(how)
    return paragraphs or [say(locale, Sentence("respond-nothing"))]


def results_of(answer: str, locale: str) -> str:
    """A plain answer as words to work with: without how it was done, how sure that is and what else there is to say of it."""
    begins = say(locale, Sentence("respond-how", {"steps": "\n"})).partition("\n")[0]
    results, _, last = answer.rpartition("\n\n")
    return _STRONG.sub(r"\1:", _bare(results if last.startswith(begins) else answer, locale))


def _bare(results: str, locale: str) -> str:
    """Results alone; what went wrong beside them is none."""
    paragraphs = _NOTE.sub("", without_confidence(results, locale)).split("\n\n")
    wrong = _wrong(locale)
    kept = [paragraph for paragraph in paragraphs if not wrong.fullmatch(paragraph)]
    return "\n\n".join(kept or paragraphs)


@cache
def _wrong(locale: str) -> re.Pattern[str]:
    """The sentences that say that a task was not done, for all kinds."""
    some = Sentence("respond-which", {"kind": "\n", "what": "\n"})
    kinds: tuple[str | Sentence, ...] = (*KINDS, some)
    told = {
        say(locale, Sentence(id_, {"kind": one, **dict.fromkeys(_OPEN, "\n")}))
        for one in kinds
        for id_ in PROBLEMS
    }
    return re.compile("|".join(".+".join(map(re.escape, one.split("\n"))) for one in told))


def told_by_kind(answer: str, locale: str) -> Mapping[str, str]:
    """What a plain answer tells of each kind of task that it says was done; nothing where it does not say what was done."""
    begins = say(locale, Sentence("respond-how", {"steps": "\n"})).partition("\n")[0]
    results, _, last = answer.rpartition("\n\n")
    if not last.startswith(begins):
        return {}
    whole = _bare(results, locale)
    paragraphs = [paragraph.partition(": ") for paragraph in whole.split("\n\n")]
    told = {heading: words for heading, _, words in paragraphs}
    headings = {kind: title(locale, kind) for kind in KINDS}
    return {
        kind: told.get(f"**{heading}**", whole)
        for kind, heading in headings.items()
        if heading.casefold() in last.casefold()
    }


def _heading(task: Task, plan: Plan, outcomes: Outcomes, request: Request) -> str:
    """What a task did; where several are of that kind, what it worked on, or the model that did."""
    told = apart(task, plan, request)
    if not told and _alike(task, plan) > 1 and isinstance(one := outcomes.get(task.id), Done):
        told = one.model.id
    return told or title(request.person.locale, task.kind.name)


def _alike(task: Task, plan: Plan) -> int:
    return sum(other.kind == task.kind for other in plan.tasks)


def _tells(task: Task, plan: Plan, outcomes: Outcomes) -> bool:
    """Whether a task found words. Those that only led to other words are left out."""
    outcome = outcomes.get(task.id)
    if not isinstance(outcome, Done) or _goes_on(task, plan, outcomes):
        return False
    return any(not isinstance(value, Media) for value in outcome.output.slots.values())


def _found(task: Task, plan: Plan, outcomes: Outcomes, request: Request, *, alone: bool) -> str:
    """What a task found; beside others under a heading where it needs one, and with what the expert says of it."""
    outcome, value = outcomes[task.id], main_value(task, outcomes)
    assert isinstance(outcome, Done)
    assert value is not None
    told = in_words(task, value, request.person.locale)
    if alone and _alike(task, plan) == 1:
        return told
    heading = f"**{_heading(task, plan, outcomes, request)}**: "
    if speaks_for_itself(value) and _alike(task, plan) == 1:
        heading = ""
    if alone:
        return f"{heading}{told}"
    notes = "".join(f"\n_{note}_" for note in outcome.output.note.splitlines() if note)
    return f"{heading}{told}{notes}"


def _made(plan: Plan, outcomes: Outcomes, locale: str) -> str:
    """How many files of each type stand at the ends of the plan without words."""
    types: Counter[Type] = Counter()
    for task in plan.ends:
        outcome = outcomes.get(task.id)
        values = outcome.output.slots.values() if isinstance(outcome, Done) else ()
        files = [value.attachment.type for value in values if isinstance(value, Media)]
        types.update(files if len(files) == len(values) else ())
    told = [Sentence(f"respond-made-{kind.value}", {"count": n}) for kind, n in types.items()]
    return "\n".join(say(locale, sentence) for sentence in told)


def _goes_on(task: Task, plan: Plan, outcomes: Outcomes) -> bool:
    """Whether a later task made words out of what this one found."""
    return any(
        isinstance(outcome := outcomes.get(other.id), Done)
        and any(isinstance(value, Text) for value in outcome.output.slots.values())
        for other in plan.tasks
        if any(ref.task == task.id for ref in other.refs)
    )


def _problems(request: Request, plan: Plan, outcomes: Outcomes) -> Iterable[Sentence]:
    """What went wrong, and where the experts disagree; that nothing was there needs no heading where nothing else was asked."""
    for task in plan.tasks:
        problem = went_wrong(task, plan, outcomes, request)
        if problem is None:
            continue
        reason = problem.args.get("reason")
        alone = problem.id == "respond-none" and len(plan.tasks) == 1
        yield reason if alone and isinstance(reason, Sentence) else problem
    yield from (sentence for sentence, _ in disagreements(plan, outcomes))


def _how(plan: Plan, outcomes: Outcomes, locale: str, *, beside: Sequence[Task]) -> str:
    """Which model did what where, once for each; and what the experts say of it that does not stand `beside` a result."""
    done = [(task, one) for task in plan.tasks if isinstance(one := outcomes.get(task.id), Done)]
    if not done:
        return ""
    steps = dict.fromkeys(
        say(
            locale,
            Sentence(
                "respond-step",
                {"kind": task.kind.name, "model": one.model.id, "place": one.place.value},
            ),
        )
        for task, one in done
    )
    notes = dict.fromkeys(one.output.note for task, one in done if task not in beside)
    told = say(locale, Sentence("respond-how", {"steps": ", ".join(steps)}))
    return "\n".join([told, *(note for note in notes if note)])
