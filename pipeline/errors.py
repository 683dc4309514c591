"""What can go wrong.

TroupeError
├── RequestError          with a request: told to the person in plain words, with a reference
│   ├── LlmError          the language model could not be used
│   │   ├── LlmUnavailable    not reached, overloaded, out of time
│   │   ├── LlmRefused        key, credit or model refused: asking again will not help
│   │   └── LlmGarbled        it answered what cannot be read
│   ├── PlanError         no plan could be made
│   ├── NotAllowed        this person may not do this here
│   ├── OverLimit         too much, too often or too dear
│   └── ChatError         the platform did not take what we said
│       ├── ChatGone          the channel, thread or permission is gone for good
│       └── ChatRefused       the platform will never take these words or files
├── ExpertError           with a task: becomes data, told to the language model and the person
│   ├── ExpertUnavailable     not reached, loading or overloaded: worth another try
│   ├── ExpertRefused         key, credit, licence or gate: not worth another try at this place
│   ├── ExpertGarbled         it answered what cannot be read
│   ├── WorkerLost            the process at work died: out of memory, or a crash in a library
│   └── BadInput              the input does not suit the task: no model will do
├── FetchError            a file could not be fetched: unsafe address, too large, not what it claims
├── MediaError            a file cannot be read as what it is
└── SettingsError         the settings do not work out: told at the start, all at once

Anything else is a bug: it reaches the boundary, is logged, and the person is told.
"""

import copyreg

from pipeline.domain import LocalizedText


class TroupeError(Exception):
    """The root of the tree. Carries the sentence that a person is told; `str()` is for the log."""

    def __init__(self, id: str, **args: str | float | LocalizedText) -> None:  # noqa: A002 - the sentence's own word
        self.sentence = LocalizedText(id, args)
        super().__init__(id, *(f"{name}={value}" for name, value in args.items()))

    def __reduce__(self) -> tuple[object, ...]:
        """Errors travel from worker processes to the program."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class RequestError(TroupeError):
    """Something is wrong with a request."""


class LlmError(RequestError):
    """The language model could not be used."""


class LlmUnavailable(LlmError):
    """The language model is not reached, overloaded or out of time."""


class LlmRefused(LlmError):
    """The language model refused key, credit or model: asking again will not help."""


class LlmGarbled(LlmError):
    """The language model answered what cannot be read."""


class PlanError(RequestError):
    """No plan could be made."""


class NotAllowed(RequestError):
    """The person may not do this here."""


class OverLimit(RequestError):
    """Too much, too often or too dear."""


class ChatError(RequestError):
    """The platform did not take what we said."""


class ChatGone(ChatError):
    """The channel, thread or permission is gone for good."""


class ChatRefused(ChatError):
    """The platform will not take these words or files, however often they are sent."""


class ExpertError(TroupeError):
    """Something is wrong with a task."""


class ExpertUnavailable(ExpertError):
    """The expert is loading or overloaded: worth another try after `retry_after` seconds."""

    def __init__(
        self,
        id: str,  # noqa: A002 - as above
        *,
        retry_after: float | None = None,
        **args: str | float | LocalizedText,
    ) -> None:
        super().__init__(id, **args)
        self.retry_after = retry_after


class ExpertRefused(ExpertError):
    """The expert refused key, credit, licence or gate: not worth another try at this place."""


class ExpertGarbled(ExpertError):
    """The expert answered what cannot be read."""


class WorkerLost(ExpertError):
    """The process at work died: it ran out of memory, or a library crashed."""


class BadInput(ExpertError):
    """The input does not suit the task: no model will do."""


class FetchError(TroupeError):
    """A file could not be fetched: unsafe address, too large, not what it claims."""


class MediaError(TroupeError):
    """A file cannot be read as what it is."""


class SettingsError(TroupeError):
    """The settings do not work out."""


def cause(error: BaseException) -> TroupeError | None:
    """The first of our own errors in an error or a group of errors. None: it is a bug."""
    if isinstance(error, TroupeError):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((told for one in error.exceptions if (told := cause(one))), None)
    return None
