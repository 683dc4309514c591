"""Runs: the durable record of each request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pipeline.domain.answers import Answer
from pipeline.domain.conversation import Audience
from pipeline.domain.events import Estimate
from pipeline.domain.files import RejectedFile, Type
from pipeline.domain.ids import RunId
from pipeline.domain.models import ModelCall
from pipeline.domain.outcomes import Outcomes
from pipeline.domain.plans import Plan, Repair


class RunState(StrEnum):
    """The state of a run."""

    ACCEPTED = "accepted"
    RUNNING = "running"
    ANSWERED = "answered"
    APOLOGISED = "apologised"
    STOPPED = "stopped"
    SILENT = "silent"
    """The message was not meant for the bot."""
    LEFT = "left"
    """The bot was told so, and stays out of the thread until somebody mentions it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The durable record of one request."""

    id: RunId
    thread: str
    person: str
    text: str
    state: RunState
    plan: Plan = field(default_factory=Plan)
    repairs: tuple[Repair, ...] = ()
    outcomes: Outcomes = field(default_factory=dict)
    answer: Answer | None = None
    rejected: tuple[RejectedFile, ...] = ()
    estimate: Estimate | None = None
    sent: tuple[Type, ...] = ()
    """The types of the files sent with the request."""
    audience: Audience = Audience.UNKNOWN
    prompts: str = ""
    """The versions of the prompts used: "choose 1, plan 3 …"."""
    message: str = ""
    """The key of the message that it answers; "" in records of older versions."""
    calls: tuple[ModelCall, ...] = ()
    """The calls of language models made for it, up to its end."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Its stages, with how long each took; the first is that it was "queued"."""
    error: str = ""
    """The class of the error behind an apology."""
    trace: str = ""
    """The end of the traceback, if that was a bug."""
    undelivered: str = ""
    """The class of the error for which the answer was not posted."""
