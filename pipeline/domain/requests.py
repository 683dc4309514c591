"""Requests: what the pipeline is asked."""

import re
import time
from dataclasses import dataclass, field

from pipeline.domain.conversation import ChannelSettings, Context, Person, Rerun, Thread
from pipeline.domain.files import NamedFile, RejectedFile
from pipeline.domain.ids import RunId

_GAPS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: its text, its files and the history of its thread."""

    run: RunId
    thread: Thread
    person: Person
    text: str
    files: tuple[NamedFile, ...] = ()
    rejected: tuple[RejectedFile, ...] = ()
    context: Context = field(default_factory=Context)
    settings: ChannelSettings = field(default_factory=ChannelSettings)
    avoid: tuple[str, ...] = ()
    anew: bool = False
    voice: NamedFile | None = None
    """The voice message that is the request; `text` has its words once it is transcribed."""
    rerun: Rerun | None = None
    overheard: bool = False
    """A message of a thread that the bot takes part in, without a mention or a reply to it."""
    began_at: float = field(default_factory=time.monotonic, compare=False)
    """When its run began, on the monotonic clock: queues serve the first one first."""

    @property
    def known_files(self) -> tuple[NamedFile, ...]:
        """The files of the thread, then those of the message, oldest first."""
        return (*self.context.files, *self.files)

    @property
    def has_listeners(self) -> bool:
        """Whether other people take part, so that the bot may have answered what was not for it."""
        turns = self.context.turns
        others = {turn.person.id for turn in turns if not turn.person.is_bot} - {self.person.id}
        return self.overheard or bool(others)

    def file(self, name: str) -> NamedFile | None:
        """The newest file with this name: its name in the thread ("image 2") or its file name.

        The file extension is optional; case, spaces, hyphens and underscores are ignored. Results
        need theirs: without it, their names are words of the requests that made them.
        """
        target, turns = _normalize(name), self.context.turns
        made = {file for turn in turns if turn.person.is_bot for file in turn.files}
        made.update(self.context.older)
        for file in reversed(self.known_files):
            file_name = file.attachment.name
            stem = "" if file in made else file_name.rpartition(".")[0]
            names = (file.name, file_name, stem)
            if target and target in map(_normalize, names):
                return file
        return None


def _normalize(name: str) -> str:
    return _GAPS.sub("", name).casefold()
