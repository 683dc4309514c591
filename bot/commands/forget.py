"""The command that deletes what was said: by a person, in a thread or in a channel."""

from dataclasses import replace

from bot.commands.context import CommandContext, translate
from pipeline.domain import Incoming, Invocation, RunId
from pipeline.ports import Scope

_MOST_TURNS = 10_000
"""Turns of a thread that are searched for other people's."""


async def find_guarded_deletion(context: CommandContext, invocation: Invocation) -> str:
    """The name of a deletion of what other people wrote; "" if it is all the person's own."""
    scope = invocation.args.get("what")
    if scope == Scope.THREAD:
        thread = await context.store.context(invocation.thread, turns=_MOST_TURNS, tail=0)
        people = {turn.person.id for turn in thread.turns if not turn.person.is_bot}
        return "" if people <= {invocation.person.id} else "forget thread"
    return "forget channel" if scope == Scope.CHANNEL else ""


async def forget(context: CommandContext, invocation: Invocation) -> str:
    """`forget me|thread|channel`: cancel runs there, delete rows and unshared files.

    What others wrote is deleted with their knowledge: then the reply says who did it.
    """
    locale, store = invocation.person.locale, context.store
    try:
        scope = Scope(invocation.args.get("what", ""))
    except ValueError:
        return translate(locale, "forget-what")
    is_told = bool(await find_guarded_deletion(context, invocation))
    for run in await _find_running(context, scope, invocation):
        await context.inbox.cancel(run)
    rows, orphans = await store.forget(scope, thread=invocation.thread, person=invocation.person.id)
    await context.tools.files.discard(orphans)
    facts = {"rows": rows, "files": len(orphans)}
    if not is_told:
        return translate(locale, "forgotten", scope=scope, **facts)
    return translate(locale, f"forgotten-{scope}", name=invocation.person.name, **facts)


async def _find_running(
    context: CommandContext, scope: Scope, invocation: Invocation
) -> list[RunId]:
    if scope is Scope.THREAD:
        return await context.find_waiting(invocation, invocation.thread)
    here = invocation.thread.channel

    def is_meant(message: Incoming) -> bool:
        if scope is Scope.CHANNEL:
            return message.thread.channel == here
        is_near = replace(message.thread.channel, id=here.id) == here  # in the same workspace
        return is_near and message.person.id == invocation.person.id

    return await context.find_waiting_if(invocation, is_meant)
