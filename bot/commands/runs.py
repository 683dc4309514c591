"""Commands about runs: the last plan, what is under way, and stopping it."""

from bot import VERSION
from bot.commands.context import CommandContext, translate
from bot.commands.details import explain
from pipeline.domain import Invocation

_SEARCHED_RUNS = 20
"""How many runs to search for a thread's last plan: commands and small talk have none."""


async def plan(context: CommandContext, invocation: Invocation) -> str:
    """`plan`: the newest plan of this thread, task by task."""
    runs = await context.store.runs(invocation.thread, limit=_SEARCHED_RUNS)
    run = next((run for run in runs if run.plan.tasks), None)
    in_full = context.gate.is_admin(invocation.person, invocation.thread)
    return await explain(run, context, invocation.person.locale, in_full=in_full)


async def status(context: CommandContext, invocation: Invocation) -> str:
    """`status`: how many runs are unfinished; for administrators, where models can run."""
    locale, thread = invocation.person.locale, invocation.thread
    text = translate(
        locale,
        "status",
        here=len(await context.find_waiting(invocation, thread)),
        everywhere=len(await context.find_waiting(invocation)),
        version=VERSION,
    )
    if not context.gate.is_admin(invocation.person, thread):
        return text
    places = translate(locale, "status-places", places=", ".join(map(str, context.tools.experts)))
    return f"{text} {places}"


async def stop(context: CommandContext, invocation: Invocation) -> str:
    """`stop`: cancel the runs of this thread; in no thread, the person's own in the channel."""
    waiting = await context.find_waiting(invocation, invocation.thread)
    if not waiting and invocation.id == invocation.thread.root:
        place = (invocation.thread.channel, invocation.person.id)
        waiting = await context.find_waiting_if(
            invocation, lambda message: (message.thread.channel, message.asker.id) == place
        )
    stopped = [run for run in waiting if await context.inbox.cancel(run)]
    return translate(invocation.person.locale, "stop-done", count=len(stopped))
