"""The request that is meant: an earlier one, where this one only says what is different in it.

"no, the second one", "and in Spanish?", "the same for this one".
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from adapters.embedded.planner.references import ThreadFile, find_meant, only_says_which
from adapters.embedded.planner.tagging import TaggedText, tag
from pipeline.domain import Context, NamedFile, Request, Turn

_LONGEST = 60
"""Characters of a message that may only change the one before."""
ASKS = (
    *("planner-empty-with-files", "planner-unsure", "planner-unsure-files", "planner-unsure-order"),
    *("planner-unread", "planner-lacks-file", "planner-absent-name", "planner-undo"),
)
"""Replies of the planner that ask what to do, or for a file."""


def resolve_change(request: Request) -> Request:
    """The request as it is meant: the last one, where this one only says what is different."""
    is_short = len(request.text.strip()) <= _LONGEST
    prior, lacked = _last_request(request) if is_short else (None, False)
    if prior is None:
        return request
    tagged = tag(request.text)
    if lacked and request.files and not tagged.find_uncovered("here", "idle", "the"):
        return replace(prior, files=(*prior.files, *request.files))
    if request.files:
        again = ("same", "what_about", "this", "idle", "the", "little", "please")
        same = tagged.has("same", "what_about") and not tagged.find_uncovered(*again)
        return _with_files(prior, request.files) if same else request
    if tagged.has("repeat") and not tagged.find_uncovered("repeat", "idle", "please"):
        return prior
    if lacked:
        return request
    changes = tagged.has("no", "what_about", "same")
    other_language = _with_other_language(tagged, prior) if changes else None
    return _with_other_files(request, tagged, prior) or other_language or request


def _with_files(prior: Request, files: tuple[NamedFile, ...]) -> Request:
    """An earlier request about these files alone."""
    turns = tuple(replace(turn, files=()) for turn in prior.context.turns)
    return replace(prior, files=files, context=Context(turns))


def _with_other_files(request: Request, tagged: TaggedText, prior: Request) -> Request | None:
    """The last request with other files of the thread, where this one only says which.

    Where "the other one" may be several, this request with all of them: the planner asks which.
    """
    own = {file.name for file in prior.files}
    there = [file for file in list_earlier_files(request) if len(own) < 2 or file.name in own]  # noqa: PLR2004
    if len(there) < 2 or not only_says_which(tagged, there):  # noqa: PLR2004
        return None
    meant = find_meant(there, tagged, bare=True) or ()
    if tagged.has("other"):
        used = find_meant(there, tag(prior.text)) or there[-1:]
        meant = tuple(file for file in there if file not in used and not file.made)
    names = {file.name for file in meant}
    files = tuple(file for file in request.context.files if file.name in names)
    if len(files) > 1 and tagged.has("other"):
        return replace(request, files=files)
    return _with_files(prior, files) if files else None


def _with_other_language(tagged: TaggedText, prior: Request) -> Request | None:
    """The last request with another language in it."""
    (now, word), (then, replaced) = tagged.find_language(), tag(prior.text).find_language()
    if not now or not then or now == then:
        return None
    return replace(prior, text=word.join(prior.text.rsplit(replaced, 1)))


def _last_request(request: Request) -> tuple[Request | None, bool]:
    """The last request that was answered, as it was, and whether the answer asked for a file."""
    context = request.context
    for reply, at in list_replies(context.turns):
        lacked = reply.sentence in ASKS
        if at >= 0 and (lacked or not reply.sentence.startswith("planner-")):
            turn, before = context.turns[at], replace(context, turns=context.turns[:at])
            prior = replace(request, text=turn.text, files=turn.files, rejected=(), context=before)
            return resolve_change(prior), lacked
    return None, False


def list_replies(turns: Sequence[Turn]) -> Iterator[tuple[Turn, int]]:
    """What the bot said, the newest first, and the turn that it answers (-1: none)."""
    for at in range(len(turns) - 1, -1, -1):
        if turns[at].person.is_bot:
            before = (i for i in range(at - 1, -1, -1) if not turns[i].person.is_bot)
            yield turns[at], next(before, -1)


def list_earlier_files(request: Request) -> Iterator[ThreadFile]:
    """The thread's earlier files, oldest first."""
    context = request.context
    yield from map(ThreadFile.of, context.older)
    for at, turn in enumerate(context.turns):
        yield from (ThreadFile.of(file, at, made=turn.person.is_bot) for file in turn.files)
