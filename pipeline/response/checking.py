"""The finished answer compared with the record of the run: nothing invented goes out unmarked, nothing that went wrong untold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.domain import Outcomes, Plan, Request, Sentence
from pipeline.response.addresses import harmless, look_at_addresses
from pipeline.response.amounts import look_at_numbers
from pipeline.response.attribution import look_at_files, look_at_models
from pipeline.response.claims import (
    look_at_quotations,
    look_at_shares,
)
from pipeline.response.dates import look_at_dates
from pipeline.response.deeds import look_at_deeds
from pipeline.response.edits import Edits
from pipeline.response.figures import look_at_figures
from pipeline.response.names import look_at_names
from pipeline.response.plain import plain_answer
from pipeline.response.portions import look_at_portions
from pipeline.response.promises import look_at_promises
from pipeline.response.record import record
from pipeline.response.seen import look_at_counts, look_at_seen
from pipeline.response.telling import to_be_told

_HIDDEN = re.compile(r"(?<=\d)[\u00ad\u200b\u2060\ufeff]+(?=\d)")
"""Signs that nobody sees, within a number."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer as it may go out, and what was done to it."""

    text: str
    notices: tuple[Sentence, ...] = ()


def check(text: str, request: Request, plan: Plan, outcomes: Outcomes) -> Checked:
    """An answer's text against what came out of the run.

    Files and addresses that are not there are taken out; what an expert read somewhere is no link; a wrong count or share is put
    right where only one can be meant; other numbers, labels, models and quotations that are not in the record are marked; what
    failed, was empty, is doubtful or contradictory and is not told is told below. An empty answer becomes the plain one.
    """
    if not text.strip():
        text = "\n\n".join(plain_answer(request, plan, outcomes))
    text = _HIDDEN.sub("", text)
    added = dict.fromkeys(to_be_told(text, request, plan, outcomes))
    known = record(request, plan, outcomes)
    edits = Edits("\n\n".join([text.strip(), *added]))
    look_at_addresses(edits, known)
    look_at_quotations(edits, known)
    look_at_promises(edits, known)
    look_at_deeds(edits, plan, outcomes)
    look_at_shares(edits, known)
    look_at_portions(edits, known)
    look_at_counts(edits, known, request)
    look_at_dates(edits, known)
    look_at_figures(edits, known)
    look_at_numbers(edits, known)
    look_at_files(edits, request, plan, outcomes)
    look_at_models(edits, known)
    look_at_seen(edits, known, request, said=text)
    for ours in plain_answer(
        request, plan, outcomes
    ):  # no names, but words that German writes large
        edits.settle(at := edits.text.find(ours), at + len(ours) if at >= 0 else at)
    look_at_names(edits, known, request, plan)
    return Checked(harmless(edits.done()), tuple(_notices(edits)))


def check_reply(text: str, request: Request) -> Checked:
    """The same for words that no task stands behind: only files and addresses can be wrong in them."""
    edits, known = Edits(text), record(request, Plan(), {})
    look_at_addresses(edits, known)
    look_at_promises(edits, known, made=False)
    return Checked(harmless(edits.done()), tuple(_notices(edits)))


def _notices(edits: Edits) -> Iterator[Sentence]:
    if edits.struck:
        yield Sentence("check-struck", {"count": edits.struck})
    if edits.mended:
        yield Sentence("check-mended", {"count": edits.mended})
    if edits.marked:
        yield Sentence("check-marked")
