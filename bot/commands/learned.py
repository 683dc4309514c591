"""What people taught by their votes: shown, and taken back."""

from bot.commands.desk import Desk, worded
from pipeline.domain import Invocation, Reply
from pipeline.ports import Lesson

_SHOWN = 20
_ID, _WORDS = 8, 80
ALL = "all"


async def learned(desk: Desk, invocation: Invocation) -> Reply:
    """`learned [forget <entry>|all]`: the plans that requests here may be planned after; or take some back."""
    locale = invocation.person.locale
    if not await desk.learns(invocation.thread):
        return Reply(worded(locale, "learned-off"))
    taught = await desk.taught(invocation.thread)
    if invocation.args.get("do"):
        wanted = invocation.args.get("entry", "")
        gone = [one for one in taught if wanted in (ALL, one.run[:_ID], one.run)]
        if not gone:
            return Reply(worded(locale, "learned-unknown", entry=wanted))
        await desk.lessons.unteach([one.run for one in gone])
        return Reply(worded(locale, "learned-forgotten", count=len(gone)))
    if not taught:
        return Reply(worded(locale, "learned-nothing"))
    lines = [worded(locale, "learned-heading", count=len(taught)), ""]
    return Reply("\n".join([*lines, *(_line(one, locale) for one in taught[:_SHOWN])]))


def _line(lesson: Lesson, locale: str) -> str:
    words = " ".join(lesson.text.split())
    quoted = words if len(words) <= _WORDS else f"{words[:_WORDS]}…"
    kinds = " → ".join(task.kind.name for task in lesson.plan.tasks)
    files = f" ({', '.join(lesson.sent)})" if lesson.sent else ""
    where = "" if lesson.here else " · " + worded(locale, "learned-elsewhere")
    return f"- `{lesson.run[:_ID]}` “{quoted}”{files}: {kinds}{where}"
