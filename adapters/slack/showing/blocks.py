"""The blocks and texts of Slack's that all others are made of."""

from adapters.slack.web_api.client import Json
from pipeline.text import shorten

_LONGEST_LABEL = 75
"""Characters, Slack's limit for the labels of buttons and options."""


def plain_text(text: str, most: int = _LONGEST_LABEL) -> Json:
    return {"type": "plain_text", "text": shorten(text, most), "emoji": True}


def section(text: str) -> Json:
    return {"type": "section", "text": mrkdwn(text)}


def mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text, "verbatim": True}
