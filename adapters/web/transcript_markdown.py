"""A conversation as one Markdown text, with its files in a folder beside it."""

import re
from collections.abc import Callable
from datetime import datetime

from adapters.web.transcript import Passage
from adapters.web.transcript_html import describe_step, format_moment, name_step
from pipeline.domain import Attachment, LocalizedText
from pipeline.words import say

NameFile = Callable[[Attachment], str]
"""The path of a file beside the text; "" if it is gone."""
_MEANING = re.compile(r"([\\`*_\[\]()<>#!|~&])")
"""Characters that mean something inside a line of Markdown."""


def write_heading(heading: str, about: str) -> str:
    return f"# {_escape(heading)}\n\n{_escape(about)}\n"


def write_passage(passage: Passage, locale: str, name_file: NameFile) -> str:
    """One message and its answer. People's words are quoted, so that they end no section."""
    lines = [_head(locale, "transcript-asked", passage.sent_at)]
    lines += [f"> {line}" for line in passage.text.splitlines()]
    lines += ["", *(_link(file, "", name_file, locale) for file in passage.sent)]
    lines.append(_head(locale, "transcript-answered", passage.answered_at))
    if passage.answer or not passage.made:
        lines.append(passage.answer or say(locale, LocalizedText("transcript-unanswered")))
    lines.append("")
    for made in passage.made:
        lines.append(_link(made.attachment, made.alt, name_file, locale))
        if origin := name_step(passage.origin(made), locale):
            lines.append(f"{_escape(f'{made.model} · {origin}')}\n")
    notices = dict.fromkeys(say(locale, notice) for notice in passage.notices)
    lines += [f"* {notice}" for notice in notices]
    if passage.steps:
        lines.append(f"\n{say(locale, LocalizedText('transcript-steps'))}:\n")
        for step in passage.steps:
            lines.append(f"{step.number}. {_escape(' · '.join(describe_step(step, locale)))}")
    return "\n".join(lines) + "\n"


def _head(locale: str, id_: str, moment: datetime | None) -> str:
    words = say(locale, LocalizedText(id_))
    return f"\n## {words}{f', {format_moment(moment)}' if moment else ''}\n"


def _link(file: Attachment, alt: str, name_file: NameFile, locale: str) -> str:
    path, words = name_file(file), _escape(alt or file.name)
    if not path:
        left_out = LocalizedText("transcript-left-out", {"megabytes": f"{file.size / 1e6:.1f}"})
        return f"* {words}: {say(locale, left_out)}"
    is_picture = file.media_type.startswith("image/")
    return f"{'!' if is_picture else ''}[{words}](<{path}>)\n"


def _escape(text: str) -> str:
    return _MEANING.sub(r"\\\1", " ".join(text.split()))
