"""Forgetting: a person, a thread or a channel, to the last row and file."""

from bot.commands.desk import Desk, worded
from pipeline.domain import Invocation, Reply, RunId
from pipeline.ports import Scope


async def forget(desk: Desk, invocation: Invocation) -> Reply:
    """`forget me|thread|channel`: stop what runs in the scope, delete its rows, and the files nothing else refers to."""
    locale = invocation.person.locale
    try:
        scope = Scope(invocation.args.get("what", ""))
    except ValueError:
        return Reply(worded(locale, "forget-what"))
    for run in await _running(desk, scope, invocation):
        await desk.inbox.cancel(run)
    rows, orphans = await desk.store.forget(
        scope, thread=invocation.thread, person=invocation.person.id
    )
    await desk.files.discard(orphans)
    return Reply(worded(locale, "forgotten", rows=rows, files=len(orphans)))


async def _running(desk: Desk, scope: Scope, invocation: Invocation) -> list[RunId]:
    if scope is Scope.THREAD:
        return await desk.waiting(invocation, invocation.thread)
    runs = []
    for run in await desk.waiting(invocation):
        message = await desk.inbox.message(run)
        if message is None:
            continue
        there, here = message.thread.channel, invocation.thread.channel
        mine = message.person.id == invocation.person.id and (
            (there.platform, there.workspace) == (here.platform, here.workspace)
        )
        if (scope is Scope.PERSON and mine) or (scope is Scope.CHANNEL and there == here):
            runs.append(run)
    return runs
