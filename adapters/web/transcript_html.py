"""A conversation as HTML without scripts: the pages that people share, and files that they keep.

A page is a sequence of parts, as a file's bytes may stand in it: too many for a text in memory.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from adapters.web.markdown_html import render_html
from adapters.web.transcript import Passage, PassageStep
from pipeline.domain import Attachment, FileHash, LocalizedText, RunId
from pipeline.words import has_message, language_of, say, title

_MEDIA_TYPE = re.compile(r"(image|audio|video)/[a-z0-9.+-]{1,60}")


@dataclass(frozen=True, slots=True)
class EmbeddedFile:
    """A file whose bytes stand in the page, as a data URI."""

    hash: FileHash
    media_type: str

    @property
    def shown_type(self) -> str:
        """What the browser takes it for: nothing that could run in it."""
        is_shown = _MEDIA_TYPE.fullmatch(self.media_type)
        return self.media_type if is_shown else "application/octet-stream"


Part = str | EmbeddedFile
PlaceFile = Callable[[Attachment, RunId], Part]
"""Where a page finds a file of a run: an address, or its bytes; "" if it does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFrame:
    """What stands around a conversation. `style`: HTML for the head; `about`: a sentence."""

    heading: str
    about: str
    style: str
    locale: str


async def render_page(
    frame: PageFrame,
    passages: AsyncIterator[Passage],
    place_file: PlaceFile,
    turns: asyncio.Semaphore,
) -> AsyncIterator[Part]:
    """The parts of a whole page. All that people and models wrote is escaped.

    Pages take turns, passage by passage: whoever has a link may open it as often as they like.
    """
    heading, language = escape(frame.heading), language_of(frame.locale)
    yield (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="robots" content="noindex, nofollow">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"{frame.style}\n<title>{heading}</title>\n</head>\n<body>\n<main>\n"
        f'<header>\n<h1 dir="auto">{heading}</h1>\n<p>{escape(frame.about)}</p>\n</header>\n'
    )
    async for passage in passages:
        rendering = _render_passage(passage, frame.locale, place_file)
        async with turns:
            parts = await asyncio.to_thread(list, rendering)
        for part in parts:
            yield part
    yield "</main>\n</body>\n</html>\n"


def _render_passage(passage: Passage, locale: str, place_file: PlaceFile) -> Iterator[Part]:
    asked, answered = _say(locale, "transcript-asked"), _say(locale, "transcript-answered")
    yield f'<section class="asked">\n<h2>{asked}{_format_time(passage.sent_at)}</h2>\n'
    if passage.text:
        yield f'<p class="said" dir="auto">{escape(passage.text)}</p>\n'
    for file in passage.sent:
        yield from _render_file(file, place_file(file, passage.run), locale)
    yield "</section>\n"
    yield f'<section class="answered">\n<h2>{answered}{_format_time(passage.answered_at)}</h2>\n'
    if passage.answer or not passage.made:
        text = render_html(passage.answer) or f"<p>{_say(locale, 'transcript-unanswered')}</p>"
        yield f'<div class="prose" dir="auto">{text}</div>\n'
    for made in passage.made:
        place = place_file(made.attachment, passage.run)
        about = (escape(made.model), escape(name_step(passage.origin(made), locale)))
        yield from _render_file(made.attachment, place, locale, alt=made.alt, about=about)
    notices = dict.fromkeys(say(locale, notice) for notice in passage.notices)
    if notices:
        items = "".join(f"<li>{escape(notice)}</li>" for notice in notices)
        yield f'<ul class="notices" dir="auto">{items}</ul>\n'
    if passage.steps:
        items = "".join(
            f'<li value="{step.number}">{_describe(step, locale)}</li>' for step in passage.steps
        )
        heading = _say(locale, "transcript-steps")
        yield f"<details open>\n<summary>{heading}</summary>\n"
        yield f'<ol dir="auto">{items}</ol>\n</details>\n'
    yield "</section>\n"


def _render_file(
    file: Attachment, place: Part, locale: str, *, alt: str = "", about: tuple[str, ...] = ()
) -> Iterator[Part]:
    """A picture, a player or a link; a name alone where the page does not have the file.

    `about`: what its caption says, as HTML, beside its name.
    """
    name = escape(file.name)
    caption = " · ".join(filter(None, (name, *about)))
    yield "<figure>"
    if not place:
        left_out = LocalizedText("transcript-left-out", {"megabytes": f"{file.size / 1e6:.1f}"})
        yield f'<figcaption dir="auto">{caption} · {escape(say(locale, left_out))}</figcaption>'
        yield "</figure>\n"
        return
    where: Part = escape(place) if isinstance(place, str) else place
    shown = _MEDIA_TYPE.fullmatch(file.media_type)
    match shown and shown[1]:
        case "image":
            yield from ('<img src="', where, f'" alt="{escape(alt or file.description)}">')
        case "audio":
            yield from ('<audio controls preload="none" src="', where, '"></audio>')
        case "video":
            yield from ('<video controls preload="metadata" src="', where, '"></video>')
        case _:
            yield from (f'<a download="{name}" href="', where, f'">{name}</a>')
    yield f'<figcaption dir="auto">{caption}</figcaption></figure>\n'


def _describe(step: PassageStep, locale: str) -> str:
    return escape(" · ".join(describe_step(step, locale)))


def describe_step(step: PassageStep, locale: str) -> list[str]:
    """A step in words: what it did, with which model under which licence, where, how long."""
    licence = LocalizedText("transcript-licence", {"licence": step.licence})
    unknown = LocalizedText("transcript-licence-unknown")
    place = f"page-place-{step.place}"
    took = LocalizedText("progress-took", {"seconds": f"{step.took:.1f}"})
    return [
        title(locale, step.kind),
        step.model,
        say(locale, licence if step.licence else unknown),
        say(locale, LocalizedText(place)) if has_message(place) else step.place,
        say(locale, took),
    ]


def name_step(step: PassageStep | None, locale: str) -> str:
    """A step as the page calls it, by its number and what it does."""
    if step is None:
        return ""
    says = title(locale, step.kind)
    return say(locale, LocalizedText("page-step", {"number": step.number, "says": says}))


def _format_time(moment: datetime | None) -> str:
    if moment is None:
        return ""
    return f' <time datetime="{moment.isoformat()}">{format_moment(moment)}</time>'


def format_moment(moment: datetime) -> str:
    """A moment on a page whose readers may be anywhere."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _say(locale: str, id_: str) -> str:
    return escape(say(locale, LocalizedText(id_)))
