"""The branches of a thread: which run follows which, and the way through them to each end."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline.domain.ids import RunId

_BEGINNING = RunId("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A run of a thread: a message, and this answer to it.

    A message that was answered again has several; an edit of it is another message that follows
    the same run.
    """

    run: RunId
    message: str
    """The key of the message."""
    after: str | None = None
    """The run, or else the message, that the message follows; "": it begins the thread; None: not
    known, so the message before it."""
    is_open: bool = False
    """Whether it is not answered yet."""
    is_answered: bool = False
    """Whether it has an answer; not an apology."""
    beside: bool = False
    """Whether it is a command, which nothing follows."""


@dataclass(frozen=True)  # without slots, for what is computed once
class Branches:
    """The runs of a thread as a tree. Build it with `connect`."""

    exchanges: tuple[Exchange, ...] = ()
    """In the order of their acceptance; `after` is the run that each follows, or ""."""
    leaf: str = ""
    """The run at which the thread is opened; "": the newest."""

    @cached_property
    def _by_run(self) -> Mapping[str, Exchange]:
        return {each.run: each for each in self.exchanges}

    @cached_property
    def _by_message(self) -> Mapping[str, Sequence[Exchange]]:
        return _group((each.message, each) for each in self.exchanges)

    @cached_property
    def _by_after(self) -> Mapping[str, Sequence[Exchange]]:
        return _group((each.after or "", each) for each in self.exchanges)

    @cached_property
    def _newest(self) -> Mapping[str, tuple[int, int]]:
        """How new the newest run is that each run leads to, and how new it is itself.

        A failed retry makes nothing new.
        """
        newest: dict[str, tuple[int, int]] = {}
        for place, each in reversed([*enumerate(self.exchanges)]):
            counts = _is_good(each) or not any(map(_is_good, self._by_message[each.message]))
            later = [newest[next_.run][0] for next_ in self._by_after.get(each.run, ())]
            newest[each.run] = max([place if counts else -1, *later]), place
        return newest

    def find(self, run: str) -> Exchange | None:
        """The exchange of a run; None if it is not one of this thread."""
        return self._by_run.get(run)

    def find_path(self, through: str = "") -> tuple[Exchange, ...]:
        """The exchanges from the beginning through a run and on to its newest end.

        Without a run of this thread, through the one at which the thread is opened. Commands stand
        behind the run that they follow.
        """
        here = self.find(through) or self.find(self.leaf)
        path: list[Exchange] = []
        while here is not None:
            path.append(here)
            here = self.find(here.after or "")
        path = [each for each in reversed(path) if not each.beside]
        end = path[-1].run if path else _BEGINNING
        while following := [each for each in self._by_after.get(end, ()) if not each.beside]:
            path.append(max(following, key=lambda each: self._newest[each.run]))
            end = path[-1].run
        shown = [each for each in self._by_after.get(_BEGINNING, ()) if each.beside]
        for each in path:
            shown += each, *(other for other in self._by_after.get(each.run, ()) if other.beside)
        return tuple(shown)

    def find_end(self, through: str = "") -> str:
        """The last run of a path that something may follow; "" for none."""
        return next((each.run for each in reversed(self.find_path(through)) if not each.beside), "")

    def list_answers(self, exchange: Exchange) -> Sequence[RunId]:
        """The runs of all answers to the message, oldest first."""
        return [each.run for each in self._by_message[exchange.message]]

    def list_edits(self, exchange: Exchange) -> Sequence[RunId]:
        """For each version of the message, oldest first, a run of it: of this one, this run."""
        if exchange.beside:
            return [exchange.run]
        versions: dict[str, Exchange] = {}
        for each in self._by_after[exchange.after or ""]:
            known = versions.setdefault(each.message, each)
            if self._newest[each.run] > self._newest[known.run]:
                versions[each.message] = each
        versions[exchange.message] = exchange
        return [each.run for each in versions.values() if not each.beside]


def connect(exchanges: Iterable[Exchange], leaf: str = "") -> Branches:
    """The tree of a thread's exchanges, given in the order of their acceptance.

    A message of which is not known what it follows, follows the best answer to the message before.
    """
    known: dict[str, Exchange] = {}
    best: dict[str, Exchange] = {}
    last = ""
    for exchange in exchanges:
        message = exchange.message
        if message in best:
            after = best[message].after
        else:
            after = _find_run(exchange.after, known, best)
            after = (best[last].run if last else "") if after is None else after
        connected = exchange if exchange.after == after else replace(exchange, after=after)
        known[exchange.run] = connected
        if not exchange.beside and message not in best:
            last = message
        before = best.setdefault(message, connected)
        if _is_good(connected) or not _is_good(before):
            best[message] = connected
    return Branches(tuple(known.values()), leaf)


def _find_run(
    after: str | None, known: Mapping[str, Exchange], best: Mapping[str, Exchange]
) -> str | None:
    """The run before a message, which is no command; None if it is not known."""
    before = known.get(after or "") or best.get(after or "")
    while before is not None and before.beside:
        after = before.after
        before = known.get(after or "")
    return before.run if before else None if after else after


def _is_good(exchange: Exchange) -> bool:
    """Whether an answer stands for its message, rather than one that failed."""
    return exchange.is_open or exchange.is_answered


def _group(pairs: Iterable[tuple[str, Exchange]]) -> Mapping[str, Sequence[Exchange]]:
    groups: defaultdict[str, list[Exchange]] = defaultdict(list)
    for key, exchange in pairs:
        groups[key].append(exchange)
    return groups
