"""Modals and App Home: what Slack demands of them, and when they may be opened."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.servers.slack import blocks as block_rules
from tests.servers.slack import kinds
from tests.servers.slack.calls import Method, SlackRefusal
from tests.servers.slack.workspace import APP, Json, Workspace, read_clock

MAX_BLOCKS, MAX_TITLE, MAX_METADATA, MAX_CALLBACK, MAX_BYTES = 100, 24, 3000, 255, 250_000
TRIGGER_SECONDS = 3.0
COMMON = {"type", "blocks", "private_metadata", "callback_id", "external_id"}
MODAL = COMMON | {
    "title",
    "close",
    "submit",
    "clear_on_close",
    "notify_on_close",
    "submit_disabled",
}
RESPONSES = {"errors", "update", "push", "clear"}


@dataclass
class Views:
    """Opens modals for triggers, publishes home pages; refuses what Slack would not show."""

    space: Workspace
    violations: list[str]
    trigger_seconds: float = TRIGGER_SECONDS
    open: dict[str, Json] = field(default_factory=dict)
    """The modals that are open, by id."""
    homes: dict[str, Json] = field(default_factory=dict)
    """The home page of each person."""
    chosen: dict[str, str] = field(default_factory=dict)
    """What each person has chosen in the select of the page; a new page has an empty one."""

    def table(self) -> dict[str, Method]:
        return {
            "views.open": self._open,
            "views.update": self._update,
            "views.publish": self._publish,
        }

    def _open(self, args: Json) -> Json:
        trigger = str(args.get("trigger_id", ""))
        began = self.space.triggers.get(trigger)
        if began is None:
            raise SlackRefusal("invalid_trigger_id")
        if trigger in self.space.used_triggers:
            raise SlackRefusal("exchanged_trigger_id")
        if read_clock() - began > self.trigger_seconds:
            raise SlackRefusal("expired_trigger_id")
        self._check(args["view"], "modal")
        self.space.used_triggers.add(trigger)
        return {"view": self._keep(args["view"])}

    def _update(self, args: Json) -> Json:
        id_ = str(args.get("view_id", ""))
        if id_ not in self.open:
            raise SlackRefusal("not_found")
        self._check(args["view"], "modal")
        return {"view": self._keep(args["view"], id_)}

    def _publish(self, args: Json) -> Json:
        user = args["user_id"]
        if user not in self.space.people:
            raise SlackRefusal("user_not_found")
        self._check(args["view"], "home")
        view = {**args["view"], "id": self.homes.get(user, {}).get("id") or self.space.next_id("V")}
        self.chosen.pop(user, None)
        self.homes[user] = view
        return {"view": view}

    def acknowledged(self, id_: str, answer: Json) -> None:
        """What the answer to a submission does to its modal: without an answer, it closes."""
        response, view = answer.get("response_action"), self.open[id_]
        if response not in RESPONSES | {None} or (answer and not response):
            self.violations.append(f"view_submission: answered {answer!r:.100}")
        elif response == "errors":
            inputs = {b.get("block_id") for b in view["blocks"] if b["type"] == "input"}
            if not answer.get("errors") or not set(answer["errors"]) <= inputs:
                self.violations.append(f"view_submission: errors {answer.get('errors')}")
        elif response == "update":
            self._check(answer["view"], "modal")
            self._keep(answer["view"], id_)
        else:
            del self.open[id_]

    def _keep(self, view: Json, id_: str = "") -> Json:
        id_ = id_ or self.space.next_id("V")
        blocks = [
            {"block_id": f"b{number}", **block} for number, block in enumerate(view["blocks"])
        ]
        self.open[id_] = {
            "private_metadata": "",
            "callback_id": "",
            **view,
            "blocks": blocks,
            "id": id_,
            "team_id": self.space.team,
            "app_id": APP,
            "bot_id": self.space.bot_id,
            "hash": "1.x",
            "state": {"values": {}},
        }
        return self.open[id_]

    def _check(self, view: Any, kind: str) -> None:
        problems = list(complaints(view, kind))
        if problems:
            self.violations.extend(f"view: {problem}" for problem in problems)
            raise SlackRefusal("invalid_arguments")
        if len(json.dumps(view)) > MAX_BYTES:
            raise SlackRefusal("view_too_large")


def complaints(view: Any, kind: str) -> Iterator[str]:
    """Everything that is wrong with a view."""
    if not isinstance(view, dict) or view.get("type") != kind:
        yield f"not a view of the type {kind}"
        return
    if unknown := set(view) - (MODAL if kind == "modal" else COMMON):
        yield f"unknown {sorted(unknown)}"
    yield from block_rules.complaints(view.get("blocks"), most=MAX_BLOCKS)
    if barred := kinds.MESSAGE_ONLY & {block.get("type") for block in view.get("blocks") or ()}:
        yield f"no view takes {sorted(barred)}"
    yield from _words(view, kind)
    if len(view.get("callback_id", "")) > MAX_CALLBACK:
        yield "callback_id too long"
    if len(view.get("private_metadata", "")) > MAX_METADATA:
        yield "private_metadata too long"


def _words(view: Json, kind: str) -> Iterator[str]:
    """What is wrong with the words of a modal, and with what asks for input."""
    inputs = [block for block in view.get("blocks") or () if block.get("type") == "input"]
    if kind == "home":
        kinds = {block.get("element", {}).get("type") for block in inputs}
        yield from ("file_input outside of a modal",) if "file_input" in kinds else ()
        return
    for name in ("title", "close", "submit"):
        if name in view or name == "title":
            yield from block_rules.text(view.get(name), MAX_TITLE, kinds=("plain_text",))
    if inputs and "submit" not in view:
        yield "inputs without submit"


def fill(view: Json, answers: Json) -> Json:
    """The state of a form: answers by field or by type of element, else what it shows at first.

    What is required and empty is refused.
    """
    values: Json = {}
    for block in view["blocks"]:
        if block["type"] != "input":
            continue
        element, field_ = block["element"], block["block_id"]
        value = _value(element, answers.get(field_, answers.get(element["type"])))
        if not block.get("optional") and not any(value[key] for key in value if key != "type"):
            raise ValueError(f"{field_} is required")
        values[field_] = {element["action_id"]: value}
    return {"values": values}


def _value(element: Json, answer: Any) -> Json:
    kind = element["type"]
    match kind:
        case "file_input":
            return {"type": kind, "files": list(answer or ())}
        case "conversations_select":
            return {"type": kind, "selected_conversation": answer or None}
        case "static_select":
            chosen = [each for each in element["options"] if each["value"] == answer]
            chosen = chosen or [element.get("initial_option")]
            return {"type": kind, "selected_option": chosen[0]}
        case "multi_static_select":
            first = [each["value"] for each in element.get("initial_options", ())]
            words = first if answer is None else answer
            options = [each for each in element["options"] if each["value"] in words]
            return {"type": kind, "selected_options": options}
        case _:
            return {"type": kind, "value": answer or None}
