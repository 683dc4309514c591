"""The buttons of a run, whose ids hold all state."""

from pipeline.domain import Action, RunId

PREFIX = "troupe"
"""Begins the ids of our buttons."""


def format_button(action: Action, run: RunId, number: int = 0) -> str:
    """The button id holds the action and the run, so the button works after a restart.

    `number` tells apart those of one message that have the same action.
    """
    return f"{PREFIX}:{action}:{run}" + (f"#{number}" if number else "")


def parse_button(custom_id: str) -> tuple[Action, RunId] | None:
    """The action and run of a button id; None when it is not one of ours."""
    prefix, _, rest = custom_id.partition(":")
    action, _, run = rest.partition("#")[0].partition(":")
    if prefix != PREFIX or action not in set(Action) or not run:
        return None
    return Action(action), RunId(run)
