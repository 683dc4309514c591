"""Who typed or pressed something, and where, by the JSON that Slack sends of it."""

from adapters.slack.acting.replies import read_origin
from adapters.slack.acting.requests import MESSAGE_SHORTCUT, SUBMISSION, read_channel
from adapters.slack.reading.messages import find_root
from adapters.slack.showing.controls import read_click, read_command
from adapters.slack.web_api.client import Json


def find_person(payload: Json) -> str:
    """The id of the person who typed or pressed."""
    return str(payload.get("user_id") or payload["user"]["id"])


def drop_token(body: Json) -> Json:
    """What is stored of a request: its old verification token is a secret."""
    return {name: body[name] for name in body if name != "token"}


def find_id(payload: Json) -> str:
    """Slack's id of an interaction; a form has one, however often it is sent."""
    if payload.get("type") == SUBMISSION:
        return str(payload["view"]["id"])
    return str(payload.get("trigger_id") or payload.get("event_id") or payload.get("response_url"))


def find_url(payload: Json) -> str:
    """The address for replies that one person sees; "" if there is none."""
    return str(payload.get("response_url") or "")


def find_place(payload: Json) -> tuple[object, object]:
    """The channel that an interaction is about, and the root of its thread or ""."""
    if "channel_id" in payload:
        return payload["channel_id"], payload.get("thread_ts", "")
    if payload.get("type") == SUBMISSION:
        return read_channel(payload), ""
    message: Json = payload.get("message") or {}
    if payload.get("type") == MESSAGE_SHORTCUT:
        return payload["channel"]["id"], find_root(message)
    element, container = payload["actions"][0], payload.get("container") or {}
    channel = read_origin(element) or find_here(payload)
    if command := read_command(element):
        return channel, command[1]
    pressed = read_click(element)
    root = pressed.root if pressed else ""
    return channel, root or find_root({"ts": container.get("message_ts"), **container, **message})


def find_here(payload: Json) -> str:
    """The channel in which something was clicked, by Slack's own word."""
    container = payload.get("container") or {}
    return str((payload.get("channel") or container).get("id") or container["channel_id"])


def find_claim(payload: Json) -> str:
    """The channel that an interaction names itself, if it was not made there; "" if none."""
    if payload.get("type") == SUBMISSION:
        return read_channel(payload)
    if "actions" not in payload:
        return ""
    origin = read_origin(payload["actions"][0])
    return origin if origin != find_here(payload) else ""
