"""A fake search of runs, on the fake store."""

from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.domain import Done, Failed, Run, RunId
from pipeline.ports import ListedRun, RunFilter, RunPage
from pipeline.problems import find_problems
from tests.fakes.store import FakeStore


@dataclass
class FakeRunIndex:
    """Looks at every run."""

    store: FakeStore

    async def find_runs(self, wanted: RunFilter, *, after: str = "", limit: int) -> RunPage:
        newest = self._list_newest()
        ids: list[str] = [each.run.id for each in newest]
        start = ids.index(after) + 1 if after else 0
        found = [each for each in newest[start:] if _is_wanted(each, wanted)]
        return RunPage(found[:limit], found[limit - 1].run.id if len(found) > limit else "")

    async def find_run(self, reference: str) -> ListedRun | None:
        found = (each for each in self._list_newest() if each.run.id.startswith(reference))
        return next(found, None)

    def _list_newest(self) -> list[ListedRun]:
        runs = [*map(self._list, self.store.saved)]
        return sorted(runs, key=lambda each: (each.at, each.run.id), reverse=True)

    def _list(self, id_: RunId) -> ListedRun:
        saved = self.store.saved[id_]
        events = self.store.run_events.get(id_, {})
        problems = find_problems(saved.run, [events[number] for number in sorted(events)])
        return ListedRun(
            run=saved.run,
            channel=saved.thread.channel.key,
            at=saved.at,
            problems=problems.words if problems else "",
            failed=bool(problems and problems.failed),
        )


def _is_wanted(each: ListedRun, wanted: RunFilter) -> bool:
    run, words = each.run, wanted.words.lower()
    places = (each.channel, run.thread)
    steps = [*_list_steps(run)]
    return (
        wanted.state in ("", run.state)
        and each.channel.startswith(wanted.platform)
        and (not wanted.place or any(f":{key}".endswith(f":{wanted.place}") for key in places))
        and wanted.person in ("", run.person)
        and (not wanted.kind or any(kind == wanted.kind for kind, _ in steps))
        and (not wanted.model or any(wanted.model in model for _, model in steps))
        and (wanted.since is None or each.at >= wanted.since)
        and (wanted.until is None or each.at <= wanted.until)
        and (each.failed or not wanted.failed)
        and (words in each.problems.lower() or run.id.startswith(words))
    )


def _list_steps(run: Run) -> Iterator[tuple[str, str]]:
    """Kind and model of each attempt."""
    kinds = {task.id: task.kind.name for task in run.plan.tasks}
    for task, outcome in run.outcomes.items():
        if isinstance(outcome, Done | Failed):
            kind = kinds.get(task, "")
            yield from ((kind, attempt.model) for attempt in outcome.tried)
            if isinstance(outcome, Done):
                yield kind, outcome.model.id
    if run.answer and run.answer.written:
        yield "", run.answer.written.by
