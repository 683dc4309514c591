"""A fake store, in memory."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from statistics import median

from pipeline.codec import to_plain
from pipeline.domain import (
    Action,
    Attachment,
    Attempt,
    Audience,
    Branches,
    Channel,
    ChannelSettings,
    Context,
    Done,
    Exchange,
    Failed,
    FileHash,
    NamedFile,
    Outcome,
    Run,
    RunId,
    RunState,
    SentPrompt,
    Source,
    Thread,
    Turn,
    connect,
)
from pipeline.feedback import limit_reach, select_examples
from pipeline.ports import (
    ANSWERING,
    HistoryPosition,
    KnownChannel,
    ListedThread,
    PendingSummary,
    PlanExample,
    Records,
    Scope,
    Share,
    ThreadOverview,
    TrackRecord,
    Vote,
    find_button,
)
from pipeline.text.search_words import make_excerpt, matches, read_query, split_words
from pipeline.text.titles import make_title
from tests.fakes.persistence import FakeInbox


@dataclass
class Saved:
    """A run, its thread, and when it was saved."""

    run: Run
    thread: Thread
    at: datetime


@dataclass
class FakeStore:
    """Chat log, runs, votes and settings. `started` returns the runs that a message started."""

    turns: dict[str, tuple[Thread, Turn]] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    """What each turn follows, as in the real store."""
    leaves: dict[Thread, str] = field(default_factory=dict)
    names: dict[str, dict[FileHash, tuple[Thread, str]]] = field(default_factory=dict)
    saved: dict[RunId, Saved] = field(default_factory=dict)
    run_events: dict[RunId, dict[int, str]] = field(default_factory=dict)
    votes: dict[tuple[RunId, str], Vote] = field(default_factory=dict)
    channel_settings: dict[Channel, ChannelSettings] = field(default_factory=dict)
    summaries: dict[Thread, tuple[str, tuple[Turn, ...]]] = field(default_factory=dict)
    inbox: FakeInbox = field(default_factory=FakeInbox)
    started: Callable[[str], Sequence[RunId]] = lambda _key: ()
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    shares: dict[str, Share] = field(default_factory=dict)
    titles: dict[Thread, str] = field(default_factory=dict)
    pinned: dict[Thread, bool] = field(default_factory=dict)
    sent: dict[RunId, Sequence[SentPrompt]] = field(default_factory=dict)
    noted: dict[Thread, tuple[str, datetime]] = field(default_factory=dict)
    gone: set[RunId] = field(default_factory=set)
    """Runs whose messages were deleted."""

    async def log(
        self,
        thread: Thread,
        turn: Turn,
        attachments: Sequence[Attachment] = (),
        *,
        run: RunId | None = None,
        after: str | None = None,
    ) -> Turn:
        if run in self.gone:
            return turn
        self._drop_summaries({turn.key})
        named = await self.name_files(thread, turn.key, attachments, after=after)
        if (parent := self._find_turn(after)) is not None or turn.key not in self.parents:
            self.parents[turn.key] = parent
        names = {each.attachment.hash: (thread, each.name) for each in named}
        self.names.setdefault(turn.key, {}).update(names)
        turn = replace(turn, files=(*turn.files, *named))
        self.turns[turn.key] = (thread, turn)
        return turn

    async def note(self, thread: Thread, message: str, at: datetime) -> None:
        self.noted[thread] = (message, at)

    async def relog(
        self, thread: Thread, turn: Turn, attachments: Sequence[Attachment] = ()
    ) -> None:
        if turn.key in self.turns:
            await self.log(thread, turn, attachments)

    async def name_files(
        self,
        thread: Thread,
        key: str,
        attachments: Sequence[Attachment],
        *,
        after: str | None = None,
    ) -> tuple[NamedFile, ...]:
        parent = self._find_turn(after)
        versions = [of for of in self.turns if parent is not None and self.parents[of] == parent]
        names = {
            file: name
            for of in (*versions, key)
            for file, name in self.names.get(of, {}).items()
            if name[0] == thread
        }
        for attachment in attachments:
            if attachment.hash not in names:
                numbers = [
                    int(name.rpartition(" ")[2])
                    for others in (*self.names.values(), names)
                    for of, name in others.values()
                    if of == thread and name.startswith(attachment.type)
                ]
                number = max(numbers, default=0) + 1
                names[attachment.hash] = (thread, f"{attachment.type} {number}")
        return tuple(NamedFile(names[each.hash][1], each) for each in attachments)

    async def context(
        self,
        thread: Thread,
        *,
        before: str = "",
        after: str | None = None,
        turns: int,
        tail: int,
    ) -> Context:
        earlier = self._list_before(before)
        mine, seen = self._path(thread, before, after)
        closed = {of for of, _ in self.turns.values() if of.closed}
        around = [key for key in earlier if self.turns[key][0].channel == thread.channel]
        rest = [key for key in around if self.turns[key][0] not in {thread, *closed}]
        rest = [key for key in rest if not self._is_superseded(key, earlier)]
        summary, folded = self.summaries.get(thread, ("", ()))
        known = {turn.key for turn in folded} <= {*mine}
        recent = _last(mine, turns)
        older = [key for key in self.turns if turns and key in seen and key not in recent]
        return Context(
            self._load(recent),
            channel=self._load(_last(rest, tail)),
            summary=summary if known else "",
            older=tuple(file for turn in self._load(older) for file in turn.files),
        )

    def _load(self, keys: Iterable[str]) -> tuple[Turn, ...]:
        return tuple(self.turns[key][1] for key in keys)

    def _list_before(self, before: str) -> list[str]:
        keys = list(self.turns)
        return keys[: keys.index(before)] if before in keys else keys

    def _find_turn(self, after: str | None) -> str | None:
        """The turn that stands for a run: its own, its message's, or what that follows."""
        while after and after not in self.turns:
            messages = [each.message for each in self.inbox.entries if each.run == after]
            if not messages:
                return None
            after = messages[0].key if messages[0].key in self.turns else messages[0].after
        return after

    def _path(
        self, thread: Thread, before: str, after: str | None
    ) -> tuple[list[str], Collection[str]]:
        """The turns that a message follows, and those that were seen on the way, by their keys."""
        earlier = self._list_before(before)
        here = self._find_turn(self.parents.get(before) if after is None else after)
        steps: list[str] = []
        while here:
            steps.insert(0, here)
            here = self.parents.get(here)
        if here is None:
            earlier = self._list_before(steps[0]) if steps else earlier
            first = [key for key in earlier if self.turns[key][0] == thread]
            shown = [key for key in first if not self._is_superseded(key, earlier)]
        else:
            first = shown = []
        others = {
            key
            for key, parent in self.parents.items()
            if parent in steps and key in self.turns and self.turns[key][1].person.is_bot
        }
        seen = {*first, *steps, *(others & {*self._list_before(before)})}
        return [*shown, *steps], seen

    def _is_superseded(self, key: str, earlier: Sequence[str]) -> bool:
        """Whether another of these answers stands for the same message."""
        parent = self.parents.get(key)
        answers = [
            each
            for each in earlier
            if parent and self.parents.get(each) == parent and RunId(each) in self.saved
        ]
        states = {each: self.saved[RunId(each)].run.state for each in answers}
        good = [each for each in answers if states[each] in (RunState.ANSWERED, RunState.LEFT)]
        return key in answers and key != (good or answers)[-1]

    async def branches(self, thread: Thread) -> Branches:
        entries = {each.run: each for each in self.inbox.entries if each.message.thread == thread}
        old = [each for run, each in self.saved.items() if each.thread == thread]
        older = [
            Exchange(
                run=each.run.id,
                message=each.run.message or each.run.id,
                after=self.parents.get(each.run.message),
                is_answered=each.run.state in (RunState.ANSWERED, RunState.LEFT),
            )
            for each in old
            if each.run.id not in entries
        ]
        states = {run: self.saved[run].run.state for run in entries if run in self.saved}
        is_open = {
            run: states.get(run, RunState.RUNNING) in (RunState.ACCEPTED, RunState.RUNNING)
            and not entry.finished
            for run, entry in entries.items()
        }
        accepted = [
            Exchange(
                run=run,
                message=each.message.key,
                after=self.parents[each.message.key]
                if each.message.key in self.turns
                else each.message.after,
                is_open=is_open[run],
                is_answered=states.get(run) in (RunState.ANSWERED, RunState.LEFT),
                beside=each.message.beside,
            )
            for run, each in entries.items()
            if not each.is_deleted
        ]
        return connect((*older, *accepted), self.leaves.get(thread, ""))

    async def open_at(self, thread: Thread, leaf: str) -> None:
        self.leaves[thread] = leaf

    async def find_turns(self, keys: Sequence[str]) -> Sequence[Turn]:
        return self._load(key for key in keys if key in self.turns)

    async def find_pending(
        self, thread: Thread, *, end: RunId | None = None, most: int, keep: int
    ) -> PendingSummary | None:
        summary, folded = self.summaries.get(thread, ("", ()))
        path = self._load(self._path(thread, "", end)[0])
        if not {turn.key for turn in folded} <= {turn.key for turn in path}:
            summary, folded = "", ()
        turns = [turn for turn in path if turn not in folded]
        if len(turns) <= most:
            return None
        pending = tuple(turns[: len(turns) - keep])
        return PendingSummary(summary, pending, repr((summary, pending)), end)

    async def save_summary(self, thread: Thread, pending: PendingSummary, summary: str) -> bool:
        before, folded = self.summaries.get(thread, ("", ()))
        path = self._load(self._path(thread, "", pending.end)[0])
        if not {turn.key for turn in folded} <= {turn.key for turn in path}:
            before, folded = "", ()
        turns = tuple(turn for turn in path if turn in pending.turns)
        if repr((before, turns)) != pending.stamp:
            return False
        self.summaries[thread] = (summary, (*folded, *turns))
        return True

    async def threads(
        self, platform: str, workspace: str, *, limit: int
    ) -> Sequence[ThreadOverview]:
        newest = sorted(
            (
                (max(turn.at for of, turn in self.turns.values() if of == thread), thread)
                for thread in {of for of, _ in self.turns.values()}
                if (thread.channel.platform, thread.channel.workspace) == (platform, workspace)
            ),
            key=lambda pair: (pair[0], pair[1].key),
            reverse=True,
        )
        return [self._overview(thread) for _, thread in newest[:limit]]

    def _overview(self, thread: Thread) -> ThreadOverview:
        turns = [turn for of, turn in self.turns.values() if of == thread]
        states = [saved.run.state for saved in self.saved.values() if saved.thread == thread]
        return ThreadOverview(thread, turns[0], turns[-1], states[-1] if states else None)

    async def list_threads(
        self,
        workspace: str,
        *,
        query: str = "",
        before: HistoryPosition | None = None,
        limit: int,
    ) -> Sequence[ListedThread]:
        mine = [of for of in self._spoken() if workspace_of(of) == workspace]
        found = [each for of in mine if (each := self._find(of, query)) is not None]

        def order(position: HistoryPosition) -> tuple[bool, datetime, str]:
            return position.pinned, position.at, position.key

        found.sort(key=lambda each: order(each.position), reverse=True)
        return [each for each in found if before is None or order(each.position) < order(before)][
            :limit
        ]

    def _find(self, thread: Thread, query: str) -> ListedThread | None:
        """A thread with an excerpt of the newest place where the query is found."""
        listed, terms = self._listed(thread), read_query(query)
        if not query.strip():
            return listed
        if thread.channel.platform != "web":
            return None
        title = self.titles.get(thread, "")
        turns = [turn for of, turn in self.turns.values() if of == thread and not turn.sentence]
        texts = [title, *("\n".join([turn.text, *_names(turn)]) for turn in turns)]
        places = [
            text
            for text in texts
            if terms and all(matches(split_words(text), term) for term in terms)
        ]
        if not places:
            return None
        is_title = places[-1] == title
        return replace(listed, excerpt="" if is_title else make_excerpt(places[-1], terms))

    def _spoken(self) -> list[Thread]:
        of_turns = [of for of, _ in self.turns.values()]
        of_runs = [saved.thread for saved in self.saved.values()]
        of_messages = [each.message.thread for each in self.inbox.entries if not each.is_deleted]
        return list(dict.fromkeys([*of_turns, *of_runs, *of_messages]))

    def _listed(self, thread: Thread) -> ListedThread:
        turns = [turn for of, turn in self.turns.values() if of == thread]
        entries = [each for each in self.inbox.entries if each.message.thread == thread]
        title = self.titles.get(thread, "")
        if not title and turns:
            title = make_title(turns[0].text, _names(turns[0]))
        elif not title and entries:
            message = entries[0].message
            title = make_title(message.text, [link.name for link in message.files])
        return ListedThread(
            thread=thread,
            title=title,
            pinned=self.pinned.get(thread, False),
            at=max([*(turn.at for turn in turns), *(each.message.at for each in entries)]),
            waiting=tuple(each.run for each in entries if not each.finished),
        )

    async def add_share(self, share: Share) -> None:
        self.shares[share.mark] = share

    async def list_shares(self, thread: Thread) -> Sequence[Share]:
        valid = [each for each in self.shares.values() if each.expires > self.clock()]
        return [each for each in valid if each.thread == thread]

    async def find_share(self, mark: str) -> Share | None:
        share = self.shares.get(mark)
        return share if share and share.expires > self.clock() else None

    async def end_share(self, mark: str) -> None:
        self.shares.pop(mark, None)

    async def find_thread(self, thread: Thread) -> ListedThread | None:
        return self._listed(thread) if thread in self._spoken() else None

    async def change_thread(
        self, thread: Thread, *, title: str | None = None, pinned: bool | None = None
    ) -> None:
        if thread in self._spoken():
            self.titles |= {} if title is None else {thread: title}
            self.pinned |= {} if pinned is None else {thread: pinned}

    async def unlog(self, key: str) -> Sequence[FileHash]:
        for entry in self.inbox.entries:
            quoted = entry.message.replied_to
            if quoted is not None and quoted.key == key:
                entry.message = replace(entry.message, replied_to=None, earlier=())
            entry.is_deleted |= key in (entry.message.key, entry.run)
        self.gone.update(self.started(key))
        return self._drop({key}, {RunId(key), *self.started(key)})[1]

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
        attachments: Sequence[Attachment] = (),
    ) -> None:
        self.saved[run.id] = Saved(run, thread, self.clock())
        known = self.run_events.setdefault(run.id, {})
        for number, event in events:
            known.setdefault(number, event)
        if turn is not None:
            messages = [each.message for each in self.inbox.entries if each.run == run.id]
            before = messages[0].after if messages else None
            parent = run.message if run.message in self.turns else self._find_turn(before)
            await self.log(thread, turn, attachments)
            self.parents[turn.key] = parent
            parents = {key for key, each in self.parents.items() if parent and each == parent}
            self._drop_summaries(parents)

    async def load(self, run: RunId) -> Run | None:
        saved = self.saved.get(run)
        return saved.run if saved else None

    async def load_all(self, runs: Sequence[RunId]) -> Sequence[Run]:
        return [self.saved[run].run for run in runs if run in self.saved]

    async def keep_prompts(self, run: RunId, prompts: Sequence[SentPrompt]) -> None:
        self.sent[run] = tuple(prompts)

    async def prompts(self, run: RunId) -> Sequence[SentPrompt]:
        return self.sent.get(run, ()) if run in self.saved else ()

    async def runs(self, thread: Thread, *, limit: int) -> Sequence[Run]:
        runs = [saved.run for saved in self.saved.values() if saved.thread == thread]
        return runs[::-1][:limit]

    async def takes_part(self, thread: Thread, *, before: str = "") -> bool:
        commands = f"{thread.channel.key}::"
        states = [
            saved.run.state
            for saved in self.saved.values()
            if saved.thread == thread
            if not before or saved.run.message < before or saved.run.message > commands
        ]
        spoken = [state for state in states if state is not RunState.SILENT]
        return bool(spoken) and spoken[-1] is not RunState.LEFT

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        newest = {
            outcome.key: Source(run.id, task)
            for run in reversed(await self.runs(thread, limit=len(self.saved)))
            for task, outcome in run.outcomes.items()
            if isinstance(outcome, Done) and outcome.key
        }
        return {key: each for key, each in newest.items() if not self._is_disliked(each)}

    async def load_outcome(self, source: Source) -> Outcome | None:
        saved = self.saved.get(source.run)
        outcome = saved.run.outcomes.get(source.task) if saved else None
        origin = outcome.source if isinstance(outcome, Done) else None
        return None if origin and self._is_disliked(origin) else outcome

    def _is_disliked(self, source: Source) -> bool:
        saved = self.saved.get(source.run)
        outcome = saved.run.outcomes.get(source.task) if saved else None
        model = outcome.model.id if isinstance(outcome, Done) and not outcome.source else ""
        votes = [each for each in self.votes.values() if each.run == source.run and each.value < 0]
        return any(not each.comparison or each.comparison.second == model for each in votes)

    async def events(self, *runs: RunId) -> Mapping[RunId, Sequence[str]]:
        numbered = {run: sorted(self.run_events.get(run, {}).items()) for run in runs}
        return {run: [event for _, event in events] for run, events in numbered.items()}

    async def vote(self, vote: Vote) -> None:
        if vote.run in self.saved:
            self.votes.pop((vote.run, vote.person), None)
            self.votes[vote.run, vote.person] = vote

    async def find_examples(self, thread: Thread, *, reach: str) -> Sequence[PlanExample]:
        channel = thread.channel
        channels = self._channels(channel, reach)
        votes = [vote for vote in self.votes.values() if vote.comparison is None]
        newest = list(dict.fromkeys(vote.run for vote in reversed(votes)))
        return select_examples(
            (
                PlanExample(
                    run=run.id,
                    text=run.text,
                    sent=run.sent,
                    plan=run.plan,
                    here=of.channel == channel,
                ),
                [vote.value for vote in votes if vote.run == run.id],
            )
            for run in (self.saved[id_].run for id_ in newest)
            if (of := self.saved[run.id].thread).channel in channels
            and (of == thread or not of.closed)
        )

    async def find_votes(self, runs: Sequence[RunId], person: str) -> Mapping[RunId, Action]:
        own = (vote for vote in self.votes.values() if vote.run in runs and vote.person == person)
        return {
            vote.run: find_button(vote.value, is_comparison=vote.comparison is not None)
            for vote in own
        }

    async def retract_votes(self, runs: Sequence[RunId]) -> None:
        self.votes = {
            key: vote for key, vote in self.votes.items() if vote.run not in runs or vote.value < 0
        }

    def _channels(self, channel: Channel, reach: str) -> set[Channel]:
        def find_reach(other: Channel) -> str:
            settings = self.channel_settings.get(other)
            return limit_reach(reach, settings.learn if settings else "")

        if find_reach(channel) == "off":
            return set()
        audiences = {
            saved.thread.channel: saved.run.audience
            for saved in self.saved.values()
            if saved.run.audience is not Audience.UNKNOWN
        }
        open_ = {
            other
            for other, audience in audiences.items()
            if audience is Audience.WORKSPACE
            and (other.platform, other.workspace) == (channel.platform, channel.workspace)
            and find_reach(other) == "workspace"
        }
        return open_ if channel in open_ else {channel}

    async def track_records(
        self, *, since: datetime | None = None, channel: Channel | None = None
    ) -> Records:
        since = since or datetime.fromtimestamp(0, UTC)
        here = [saved for saved in self.saved.values() if channel in (None, saved.thread.channel)]
        recent = [saved.run for saved in here if saved.at >= since]
        written = [run.answer.written for run in recent if run.answer and run.answer.written]
        models = {a.model for saved in self.saved.values() for _, a in _attempts(saved.run)}
        old = {run for run, saved in self.saved.items() if saved.at < since}
        records = {
            (model, kind): self._record(tried, old)
            for model in models
            for kind, tried in self._tried(model, channel).items()
        }
        for by in {each.by for each in written}:
            took = [each.took for each in written if each.by == by]
            records[by, ANSWERING] = TrackRecord(attempts=len(took), median_took=median(took))
        for vote in self.votes.values():
            if (compared := vote.comparison) and (
                channel in (None, self.saved[vote.run].thread.channel)
            ):
                for model, value in ((compared.second, vote.value), (compared.first, -vote.value)):
                    record = records.get((model, compared.kind), TrackRecord())
                    records[model, compared.kind] = _count_vote(record, value)
        return {key: record for key, record in records.items() if record != TrackRecord()}

    def _tried(self, model: str, channel: Channel | None) -> dict[str, list[tuple[Run, Attempt]]]:
        tried: dict[str, list[tuple[Run, Attempt]]] = {}
        for saved in self.saved.values():
            for kind, attempt in _attempts(saved.run):
                if attempt.model == model and channel in (None, saved.thread.channel):
                    tried.setdefault(kind, []).append((saved.run, attempt))
        return tried

    def _record(self, tried: list[tuple[Run, Attempt]], old: Collection[RunId] = ()) -> TrackRecord:
        recent = [a for run, a in tried if run.id not in old]
        took = [a.took for a in recent if a.error is None]
        costs = [a.cost for a in recent if a.error is None and a.cost is not None]
        parts = {
            run.id: len({a.model for _, a in _attempts(run) if a.error is None})
            for run, a in tried
            if a.error is None
        }
        plain = (vote for vote in self.votes.values() if vote.comparison is None)
        votes = [vote for vote in plain if vote.run in parts]
        return TrackRecord(
            attempts=len(recent),
            failures=len(recent) - len(took),
            median_took=median(took) if took else 0.0,
            ups=sum(vote.value == 1 for vote in votes),
            downs=sum(vote.value == -1 for vote in votes),
            median_cost=median(costs) if costs else None,
            liking=sum(vote.value / parts[vote.run] for vote in votes),
        )

    async def settings(self, channel: Channel) -> ChannelSettings:
        return self.channel_settings.get(channel, ChannelSettings())

    async def set(self, channel: Channel, settings: ChannelSettings) -> None:
        self.channel_settings[channel] = settings

    async def list_channels(
        self, *, query: str = "", after: str = "", limit: int, without: Collection[str] = ()
    ) -> Sequence[KnownChannel]:
        written: dict[Channel, datetime] = {}
        for thread, turn in self.turns.values():
            if thread.channel.platform not in without:
                written[thread.channel] = turn.at
        chosen = {key for key, each in self.channel_settings.items() if each != ChannelSettings()}
        known = sorted({*written, *chosen}, key=lambda channel: channel.key)
        return [
            KnownChannel(each, await self.settings(each), written.get(each))
            for each in known
            if query.lower() in each.key.lower() and each.key > after
        ][:limit]

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        def within(of: Thread, who: str) -> bool:
            here, there = of.channel, thread.channel
            match scope:
                case Scope.THREAD:
                    return of == thread
                case Scope.CHANNEL:
                    return here == there
                case Scope.PERSON:
                    same = (here.platform, here.workspace) == (there.platform, there.workspace)
                    return same and who == person

        turns = {key for key, (of, turn) in self.turns.items() if within(of, turn.person.id)}
        runs = {key for key, saved in self.saved.items() if within(saved.thread, saved.run.person)}
        if scope is Scope.CHANNEL:
            self.channel_settings.pop(thread.channel, None)
        if scope is Scope.PERSON:
            self.votes = {key: vote for key, vote in self.votes.items() if vote.person != person}
        ended = [mark for mark, each in self.shares.items() if within(each.thread, each.person)]
        for mark in ended:
            del self.shares[mark]
        return self._drop(turns, runs)

    async def prune(self, *, older_than: datetime) -> None:
        turns = {key for key, (_, turn) in self.turns.items() if turn.at < older_than}
        runs = {key for key, saved in self.saved.items() if saved.at < older_than}
        self._drop(turns, runs)

    async def drop_overheard(self, platforms: Collection[str], *, listen: str) -> None:
        spoken = {saved.thread for saved in self.saved.values()}
        spoken |= {entry.message.thread for entry in self.inbox.entries}

        def is_overheard(thread: Thread) -> bool:
            settings = self.channel_settings.get(thread.channel, ChannelSettings())
            is_kept = (settings.listen or listen) == "all"
            return thread not in spoken and thread.channel.platform in platforms and not is_kept

        self._drop({key for key, (thread, _) in self.turns.items() if is_overheard(thread)}, set())

    async def file_hashes(self) -> frozenset[FileHash]:
        return frozenset(self._hashes())

    async def is_known(self, workspace: str) -> bool:
        return any(workspace_of(thread) == workspace for thread, _ in self.turns.values())

    async def is_shown_file(self, workspace: str, file: FileHash) -> bool:
        runs = [
            saved.run for saved in self.saved.values() if workspace_of(saved.thread) == workspace
        ]
        turns = [turn for of, turn in self.turns.values() if workspace_of(of) == workspace]
        return any(file in _files_in(to_plain(value)) for value in (*runs, *turns))

    async def is_file_of(self, run: RunId, file: FileHash) -> bool:
        return run in self.saved and file in _files_in(to_plain(self.saved[run].run))

    async def active_threads(
        self, platform: str, *, since: datetime, workspace: str = "", noted: bool = True
    ) -> Sequence[tuple[Thread, str]]:
        last = {
            thread: message
            for thread, (message, at) in self.noted.items()
            if noted and thread.channel.platform == platform and at >= since
        }
        for thread, turn in self.turns.values():
            if thread.channel.platform == platform and turn.at >= since:
                prefix = f"{thread.channel.key}:"
                ours = turn.person.is_bot or not turn.key.startswith(prefix)
                message = "" if ours else turn.key.removeprefix(prefix)
                last[thread] = max(last.get(thread, ""), message)
        return [each for each in last.items() if workspace in ("", each[0].channel.workspace)]

    def _drop_summaries(self, keys: Collection[str]) -> None:
        """Delete the summaries that cover any of these turns."""
        self.summaries = {
            thread: (summary, turns)
            for thread, (summary, turns) in self.summaries.items()
            if not any(turn.key in keys for turn in turns)
        }

    def _drop(
        self, turns: Collection[str], runs: Collection[RunId]
    ) -> tuple[int, Sequence[FileHash]]:
        """Delete turns and runs. Returns the number of rows and the unreferenced files."""
        before, count = self._hashes(), 0
        self._drop_summaries({*turns, *runs})
        self._reattach({*turns, *runs})
        self.leaves = {of: run for of, run in self.leaves.items() if run not in runs}
        for rows, keys in (
            (self.turns, {*turns, *runs}),
            (self.names, {*turns, *runs}),
            (self.saved, runs),
            (self.run_events, runs),
        ):
            count += sum(rows.pop(RunId(key), None) is not None for key in keys)
        self.votes = {key: vote for key, vote in self.votes.items() if vote.run not in runs}
        left = self._spoken()
        self.shares = {mark: each for mark, each in self.shares.items() if each.thread in left}
        return count, sorted(before - self._hashes())

    def _reattach(self, gone: Collection[str]) -> None:
        """Let what follows turns that go follow what they followed."""
        left = [key for key in self.turns if key not in gone]
        for child in left:
            first = child
            while (parent := self.parents.get(first)) in gone and parent in self.turns:
                first = parent
            if first != child and parent is None and RunId(child) not in self.saved:
                earlier = {*self._list_before(first)} & {*left}
                here = [key for key in left if self.turns[key][0] == self.turns[child][0]]
                parent = next((key for key in reversed(here) if key in earlier), "")
            self.parents[child] = parent

    def _hashes(self) -> frozenset[FileHash]:
        runs = (to_plain(saved.run) for saved in self.saved.values())
        turns = (to_plain(turn) for _, turn in self.turns.values())
        return frozenset(file for value in (*runs, *turns) for file in _files_in(value))


def workspace_of(thread: Thread) -> str:
    return f"{thread.channel.platform}:{thread.channel.workspace}"


def _names(turn: Turn) -> list[str]:
    names = [file.attachment.name for file in turn.files]
    return [*names, *(link.name for link in turn.links)]


def _files_in(value: object) -> Iterator[FileHash]:
    match value:
        case {"hash": str(name), "media_type": str()}:
            yield FileHash(name)
        case dict(fields):
            for field_value in fields.values():
                yield from _files_in(field_value)
        case list(items) | tuple(items):
            for item in items:
                yield from _files_in(item)
        case _:
            pass


def _count_vote(record: TrackRecord, value: int) -> TrackRecord:
    return replace(
        record,
        ups=record.ups + (value > 0),
        downs=record.downs + (value < 0),
        liking=record.liking + value,
    )


def _last(keys: list[str], number: int) -> Sequence[str]:
    return keys[-number:] if number else ()


def _attempts(run: Run) -> list[tuple[str, Attempt]]:
    """(kind, attempt) of each attempt in a run."""
    kinds = {task.id: task.kind.name for task in run.plan.tasks}
    return [
        (kinds.get(task, ""), attempt)
        for task, outcome in run.outcomes.items()
        for attempt in _tried(outcome)
    ]


def _tried(outcome: Outcome) -> tuple[Attempt, ...]:
    match outcome:
        case Done(source=Source()):
            return ()
        case Done(tried=tried) if tried and tried[-1].error is None:
            return tried
        case Done():
            rest = outcome.took - sum(attempt.took for attempt in outcome.tried)
            return (*outcome.tried, Attempt(model=outcome.model.id, place=outcome.place, took=rest))
        case Failed(tried=tried):
            return tried
        case _:
            return ()
