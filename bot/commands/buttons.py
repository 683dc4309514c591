"""What the buttons under a plan or an answer do (but for those that begin another run)."""

from bot.commands.desk import Desk, worded
from bot.commands.runs import details
from pipeline.domain import Action, Press, Reply
from pipeline.ports import Vote


async def press(pressed: Press, desk: Desk) -> Reply:
    """Stop a run, tell its details, or keep a vote on it."""
    locale = pressed.person.locale
    match pressed.action:
        case Action.STOP:
            stopped = await desk.inbox.cancel(pressed.run)
            return Reply(worded(locale, "stop-done", count=int(stopped)))
        case Action.DETAILS:
            run = await desk.store.load(pressed.run)
            if run is None:
                return Reply(worded(locale, "run-forgotten"))
            if not run.plan.tasks:
                return Reply(worded(locale, "plan-none"))
            return Reply(details(run, await desk.choices(run.id), locale))
        case Action.UP | Action.DOWN:
            value = 1 if pressed.action is Action.UP else -1
            await desk.store.vote(Vote(pressed.run, pressed.person.id, value))
            return Reply(worded(locale, await _thanks(pressed, desk)))
        case Action.RETRY | Action.ANOTHER:
            raise AssertionError("begun by the conversation")


async def _thanks(pressed: Press, desk: Desk) -> str:
    """Said to a vote; that a plan was learned where it was."""
    if pressed.action is Action.UP and await desk.learns(pressed.thread):
        run = await desk.store.load(pressed.run)
        return "vote-learned" if run and run.plan.tasks else "vote-kept"
    return "vote-kept"
