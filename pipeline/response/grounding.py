"""What grounds an answer: its links and file names must occur in what is known in the run.

Known is what people wrote and sent, and what was read in that by other means than a language model.
What a language model wrote is no evidence: a plan's arguments, an earlier answer, a summary, the
result of a chat model. Of its words, only those count that its own input contained.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from pipeline.domain import (
    AnswerFile,
    Arg,
    Done,
    FileHash,
    Media,
    Outcomes,
    Plan,
    Ref,
    Request,
    Task,
    TaskId,
    Text,
    Turn,
    find_slots,
)
from pipeline.domain.conversions import as_text
from pipeline.references.known import KnownReferences, collect_references
from pipeline.task_kinds import is_read

_NOTE = re.compile(r"\[(\d{1,3})\]")
_MOST_CHARACTERS = 100_000
_NO_PLAN = Plan()
_NO_OUTCOMES: Outcomes = {}


def find_known_references(
    request: Request,
    plan: Plan = _NO_PLAN,
    outcomes: Outcomes = _NO_OUTCOMES,
    files: Sequence[AnswerFile] = (),
) -> KnownReferences:
    """The links, file names and steps that an answer with these files may name."""
    names = (file.attachment.name for file in files)
    made = _list_made(plan, outcomes, _find_own_files(request))
    steps = [*(task.id for task in plan.tasks), *_list_notes(plan, outcomes)]
    return collect_references((*_list_sent(request), *names, *made), steps)


def _list_sent(request: Request) -> Iterator[str]:
    """The words and names of people, the newest first, and the names of all files."""
    context = request.context
    yield from (request.text, request.person.name)
    yield from (file.name for file in request.rejected)
    for file in request.known_files:
        yield from (file.name, file.attachment.name)
    for turn in reversed((*context.channel, *context.earlier, *context.turns)):
        yield from turn.references if turn.person.is_bot else (turn.text, turn.person.name)
        yield from (link.name for link in turn.links)


def _list_made(plan: Plan, outcomes: Outcomes, own: Collection[FileHash]) -> Iterator[str]:
    """The names of models and new files, and the words of results as far as they are known."""
    read = set[TaskId]()
    for task in plan.tasks:
        outcome = outcomes.get(task.id)
        if not isinstance(outcome, Done):
            continue
        yield from (outcome.model.id, *(attempt.model for attempt in outcome.tried))
        yield from (file.name for file in outcome.files)
        if not _takes_only(task, own, read):
            continue
        if is_read(task.kind, outcome.place):
            read.add(task.id)
            yield from _list_words(outcome)
        yield from outcome.output.quotes


def _list_notes(plan: Plan, outcomes: Outcomes) -> Iterator[int]:
    """The numbers in brackets that results have: no steps, but notes of a text."""
    for task in plan.tasks if outcomes else ():
        for value in find_slots(outcomes, task.id).values():
            words = as_text(value)[:_MOST_CHARACTERS] if isinstance(value, Text) else ""
            yield from (int(number) for number in _NOTE.findall(words))


def _takes_only(task: Task, own: Collection[FileHash], read: Collection[TaskId]) -> bool:
    """Whether a task works on nothing but people's files and what was read in them.

    An argument that the plan wrote by itself, such as a question, is an instruction, not material.
    """
    material, has_material = list[Arg](), False
    for slot in task.kind.takes:
        pieces = task.args.get(slot.name, ())
        if slot.is_file or any(isinstance(piece, Media | Ref) for piece in pieces):
            is_words = slot.takes_words
            material += [piece for piece in pieces if is_words or not isinstance(piece, Text)]
            has_material = True
    return has_material and all(_is_known(piece, own, read) for piece in material)


def _is_known(piece: Arg, own: Collection[FileHash], read: Collection[TaskId]) -> bool:
    match piece:
        case Ref(task):
            return task in read
        case Media(attachment):
            return attachment.hash in own
        case _:
            return False


def _find_own_files(request: Request) -> Collection[FileHash]:
    """The files that people sent: the bot made the others, maybe as a language model told it."""
    context = request.context
    turns = (*context.channel, *context.earlier, *context.turns)
    sent = {file.attachment.hash for file in request.files} | _list_hashes(turns, by_bot=False)
    return sent - _list_hashes(turns, by_bot=True)


def _list_hashes(turns: Sequence[Turn], *, by_bot: bool) -> set[FileHash]:
    files = (file for turn in turns if turn.person.is_bot is by_bot for file in turn.files)
    return {file.attachment.hash for file in files}


def _list_words(outcome: Done) -> Iterator[str]:
    for value in outcome.output.slots.values():
        if not isinstance(value, Media):
            yield as_text(value)
    yield from (outcome.output.source, outcome.output.note)
