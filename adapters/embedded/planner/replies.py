"""What is said instead of tasks: to plain talk, to what is no request, and to a doubtful one."""

from collections.abc import Sequence

from adapters.embedded.planner import extraction
from adapters.embedded.planner.reading import LONGEST
from adapters.embedded.planner.references import find_absent_type, only_says_which
from adapters.embedded.planner.steps import PlannedStep
from adapters.embedded.planner.tagging import lexicon
from adapters.embedded.planner.view import RequestView
from pipeline.domain import LocalizedText

DECLINE = LocalizedText("planner-outside")
_NAME_LETTERS = 3
"""Letters of a known script that may be a name in words of another."""
_UNREAD = (("\u0370", "\u1dff"), ("\uac00", "\ud7af"))
"""Scripts in which nothing was learned."""
_SMALL_TALK = {
    "help_question": "planner-about",
    "thanks": "planner-welcome",
    "greeting": "planner-hello",
}
"""Group of words and signs → the reply."""


def reply_to_no_request(seen: RequestView) -> LocalizedText | None:
    """What is said to words that do not say, or not in a known script, what is to be done."""
    text = seen.text[:LONGEST]
    tagged = seen.tagged
    if not any(map(str.isalnum, text)):
        return LocalizedText("planner-empty-with-files") if seen.files else talk(seen)
    if tagged.has("undo") and not tagged.find_uncovered("undo", "idle", "please", "no"):
        return LocalizedText("planner-undo")
    if len(seen.files) > 1 and tagged.has("other") and only_says_which(tagged, seen.files):
        names = ", ".join(f"{file.attachment.name} ({file.name})" for file in seen.files)
        return LocalizedText("planner-which", {"names": names})
    if seen.all_types and all(map(str.isdigit, tagged.find_uncovered("idle", "original"))):
        return LocalizedText("planner-empty-with-files")
    unread = sum(any(low <= sign <= high for low, high in _UNREAD) for sign in text)
    known = sum(map(str.isalpha, text)) - unread
    return LocalizedText("planner-unread") if unread and known <= _NAME_LETTERS else None


def talk(seen: RequestView) -> LocalizedText:
    """The reply to a message that asks for no task."""
    if not seen.text.strip():
        return LocalizedText("planner-empty")
    tagged, words = seen.tagged, lexicon().words
    for group, reply in _SMALL_TALK.items():
        if tagged.has(group) or {*words[group]} & {*seen.text[:LONGEST]}:
            return LocalizedText(reply)
    return LocalizedText("planner-no-talk")


def ask_for_file(seen: RequestView) -> LocalizedText | None:
    """What to ask for, if a question speaks of a file that is not there."""
    tagged = seen.tagged
    asks = extraction.is_question(seen.text) or tagged.at(0, *extraction.ASKS) is not None
    lacks = find_absent_type(tagged, seen.all_types) if asks else None
    if not lacks or tagged.has("files"):
        return None
    return LocalizedText("planner-lacks-file", {"type": lacks.value})


def ask_which(steps: Sequence[PlannedStep], seen: RequestView) -> LocalizedText:
    """One short question instead of a guess: in which order, where there are several wishes."""
    rest = [at for step in steps for at in step.clauses if at not in steps[0].clauses]
    if rest:
        args = {"first": seen.part(steps[0].clauses).whole, "second": seen.part(rest).whole}
        return LocalizedText("planner-unsure-order", args)
    return LocalizedText("planner-unsure-files" if seen.files else "planner-unsure")
