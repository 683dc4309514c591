"""The command that lists and deletes plan examples."""

from bot.commands.context import CommandContext, translate
from pipeline.domain import Invocation
from pipeline.ports import PlanExample
from pipeline.words import title

_SHOWN = 20
"""Examples in one reply, the newest first."""
_ID = 8
"""Characters of a run's id that name its example."""
_QUOTED = 80
"""Characters of its request that are shown."""
_ALL = "all"
"""In place of one example."""


async def find_guarded_forgetting(_context: CommandContext, invocation: Invocation) -> str:
    """The name of deleting every example; "" for anything else."""
    return "learned forget all" if invocation.args.get("entry") == _ALL else ""


async def manage_examples(context: CommandContext, invocation: Invocation) -> str:
    """`learned [forget <entry>|all]`: list the plan examples used here, or delete some."""
    locale = invocation.person.locale
    if not await context.is_learning(invocation.thread):
        return translate(locale, "learned-off")
    examples = await context.store.find_examples(invocation.thread, reach=context.learn)
    if invocation.args.get("do"):
        entry = invocation.args.get("entry", "")
        runs = [each.run for each in examples if entry in (_ALL, each.run[:_ID], each.run)]
        if not runs:
            return translate(locale, "learned-unknown", entry=entry)
        await context.store.retract_votes(runs)
        return translate(locale, "learned-forgotten", count=len(runs))
    if not examples:
        return translate(locale, "learned-nothing")
    lines = [translate(locale, "learned-heading", count=len(examples)), ""]
    return "\n".join([*lines, *(_format_example(each, locale) for each in examples[:_SHOWN])])


def _format_example(example: PlanExample, locale: str) -> str:
    words = " ".join(example.text.split())
    quoted = words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"
    kinds = " → ".join(title(locale, task.kind.name) for task in example.plan.tasks)
    files = f" ({', '.join(example.sent)})" if example.sent else ""
    where = "" if example.here else " · " + translate(locale, "learned-elsewhere")
    return f"- `{example.run[:_ID]}` “{quoted}”{files}: {kinds}{where}"
