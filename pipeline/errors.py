"""The error tree, and the table that says which of its errors pass.

TroupeError
├── RequestError          a request failed: reported to the person with a reference number
│   ├── LlmError          the language model could not be used
│   │   ├── LlmUnavailable    unreachable, overloaded or timed out
│   │   ├── LlmRefused        key, credit or model refused: do not retry
│   │   ├── LlmGarbled        the reply could not be parsed
│   │   └── LlmCutShort       the reply ended before it was whole: what came is to be used
│   ├── PlanError         no plan could be made
│   ├── NotAllowed        this person may not do this here
│   ├── OverLimit         a limit on size, rate or cost was exceeded
│   ├── StoreUnavailable  the database or the disk cannot be used now: retry
│   │   └── StoreDamaged      the database has to be restored
│   └── ChatError         the chat platform did not accept a post
│       ├── ChatGone          the channel, thread or permission no longer exists
│       └── ChatRefused       the platform will never accept this text or file
├── ExpertError           a task failed: becomes part of its outcome
│   ├── ExpertUnavailable     unreachable, loading or overloaded: retry
│   │   └── PlaceUnreachable      no connection: this concerns all models there
│   ├── ExpertRefused         licence, gate or input: do not retry at this place
│   │   ├── InputRefused          what was sent: retry without parameters, if there were any
│   │   └── PlaceRefused          key or credit: this concerns all models there
│   ├── ExpertGarbled         the reply could not be parsed
│   ├── WorkerLost            the worker process died: out of memory, or a crash in a library
│   └── BadInput              the input does not suit the task: do not try other models
├── LeaseLost             another program works on this now: write and post nothing
├── FetchError            a download failed: unsafe address, too large, wrong type
│   └── FetchUnavailable      its server is unreachable or overloaded: retry
├── MediaError            a file could not be decoded
└── SettingsError         invalid settings: all reported together at start

Anything else is a bug: it is logged at the boundary, and the person is told.
"""

import copyreg
import errno
import os
from collections.abc import Mapping

from pipeline.domain import LocalizedText

_LOGGED = frozenset(
    {
        *(
            "attempts",
            "code",
            "kind",
            "limit",
            "method",
            "model",
            "permission",
            "place",
            "platform",
        ),
        *("port", "provider", "revision", "room", "setting", "slot", "source", "status", "target"),
        *("task", "team", "type"),
    }
)
"""Arguments of sentences that are never a person's words, the name of a file or an address."""


class TroupeError(Exception):
    """The root of the tree. `sentence` is shown to the person; `str()` is for the log.

    The log gets no argument that may quote a person: only numbers, other sentences, and those
    whose names are in `_LOGGED`.
    """

    def __init__(self, id: str, **args: str | float | LocalizedText) -> None:  # noqa: A002 - as in LocalizedText
        self.sentence = LocalizedText(id, args)
        super().__init__(id)

    def __str__(self) -> str:
        return name_for_log(self.sentence)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __reduce__(self) -> tuple[object, ...]:
        """Make errors picklable: worker processes send them to the main process."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class RequestError(TroupeError):
    """A request failed."""


class LlmError(RequestError):
    """The language model could not be used."""


class LlmUnavailable(LlmError):
    """The language model is unreachable, overloaded or timed out."""


class LlmRefused(LlmError):
    """The server refused the key, credit or model: do not retry."""


class LlmGarbled(LlmError):
    """The language model's reply could not be parsed."""


class LlmCutShort(LlmError):
    """The reply ended before it was whole, at its limit of tokens for example."""


class PlanError(RequestError):
    """No plan could be made."""


class NotAllowed(RequestError):
    """The person may not do this here."""


class OverLimit(RequestError):
    """A limit on size, rate or cost was exceeded."""


class StoreUnavailable(RequestError):
    """The database is away or locked, or the disk is full.

    Only callers with limited patience see it: the store itself waits until it is back (`Outage`).
    """


class StoreDamaged(StoreUnavailable):
    """The database is damaged: it has to be restored."""


class ChatError(RequestError):
    """The chat platform did not accept a post."""


class ChatGone(ChatError):
    """The channel, thread or permission no longer exists."""


class ChatRefused(ChatError):
    """The platform will never accept this text or file."""


class ExpertError(TroupeError):
    """A task failed."""


class ExpertUnavailable(ExpertError):
    """The expert is unreachable, loading or overloaded: retry, in `retry_after` seconds if set."""

    def __init__(
        self,
        id: str,  # noqa: A002 - as above
        *,
        retry_after: float | None = None,
        **args: str | float | LocalizedText,
    ) -> None:
        super().__init__(id, **args)
        self.retry_after = retry_after


class PlaceUnreachable(ExpertUnavailable):
    """There is no connection to the place: no other model there can be called either."""


class ExpertRefused(ExpertError):
    """The expert refused the input, or its licence or gate does: do not retry at this place."""


class PlaceRefused(ExpertRefused):
    """The place refused our key, or the credit is used up: this affects all models there."""


class InputRefused(ExpertRefused):
    """The server refused what it was sent: it may accept it without parameters."""


class ExpertGarbled(ExpertError):
    """The expert's reply could not be parsed."""


class WorkerLost(ExpertError):
    """The worker process died: it ran out of memory, or a library crashed."""


class BadInput(ExpertError):
    """The input does not suit the task: do not try other models."""


class LeaseLost(TroupeError):
    """Another program has what this one had a lease of, as this one was frozen or cut off.

    Whatever this one would still write or post for it is refused.
    """


class FetchError(TroupeError):
    """A download failed: unsafe address, too large, wrong type."""


class FetchUnavailable(FetchError):
    """The server of a download is unreachable or overloaded: retry."""


class MediaError(TroupeError):
    """A file could not be decoded."""


class SettingsError(TroupeError):
    """The settings are invalid."""


def name_for_log(sentence: LocalizedText) -> str:
    """The id of a sentence and those of its arguments that quote nobody."""
    words = [sentence.id]
    for name, value in sentence.args.items():
        if isinstance(value, LocalizedText):
            words.append(f"{name}=({name_for_log(value)})")
        elif name in _LOGGED or not isinstance(value, str):
            words.append(f"{name}={value}")
    return " ".join(words)


PASSES: Mapping[type[TroupeError], bool] = {
    TroupeError: False,
    LlmUnavailable: True,
    StoreUnavailable: True,
    StoreDamaged: False,
    ChatError: True,
    ChatGone: False,
    ChatRefused: False,
    ExpertUnavailable: True,
    FetchUnavailable: True,
    SettingsError: True,
}
"""Whether an error of a class passes, by its nearest base class in this table.

A SettingsError passes with a restart: what was accepted waits.
"""


def does_pass(kind: type[TroupeError]) -> bool:
    """Whether what raised an error of this class may work later, with nothing changed."""
    return next(PASSES[base] for base in kind.__mro__ if base in PASSES)


def is_passing(error: BaseException) -> bool:
    """Whether the same call may work later, with nothing changed; False for a bug."""
    known = cause(error)
    return known is not None and does_pass(type(known))


def cause(error: BaseException) -> TroupeError | None:
    """The first TroupeError in an error or exception group; None means a bug."""
    if isinstance(error, TroupeError):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((ours for inner in error.exceptions if (ours := cause(inner))), None)
    return None


NO_ROOM = os.strerror(errno.ENOSPC).encode()
"""What programs print when the disk is full."""


def is_disk_full(error: BaseException) -> bool:
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def translate_disk_error(error: OSError) -> StoreUnavailable:
    """The error for a file that cannot be written or read: the disk is full, or not there."""
    return StoreUnavailable("store-full" if is_disk_full(error) else "store-gone")
