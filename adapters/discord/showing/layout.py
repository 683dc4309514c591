"""Lays a page out as Discord's Components V2."""

from collections.abc import Sequence

import discord
from discord import ui

from adapters.chat.board import Phase
from adapters.chat.rendering import Page
from adapters.discord.showing.files import ShownFile, part_pictures
from adapters.discord.showing.markdown import render_small

_COLOURS = {
    Phase.RUNNING: discord.Colour.blurple(),
    Phase.DONE: discord.Colour.green(),
    Phase.PARTLY: discord.Colour.gold(),
    Phase.FAILED: discord.Colour.red(),
}
"""The colour of a box by the state of the run."""
_HIDDEN = "spoiler"
"""How a name begins that Discord gives a hidden file."""


def lay_out(
    page: Page,
    buttons: Sequence[ui.Button[ui.LayoutView]],
    files: Sequence[ShownFile],
    *,
    hidden: bool,
) -> ui.LayoutView:
    """A page as components, in a box whose colour tells the run's state, if the page has one.

    `hidden`: whether people see it only after a click. So are results named after hidden files.
    """
    items: list[ui.Item[ui.LayoutView]] = []
    for text in filter(str.strip, page.parts):
        items += [ui.Separator(), ui.TextDisplay(text)] if items else [ui.TextDisplay(text)]
    pictures, others = part_pictures(files)
    if pictures:
        media = (discord.MediaGalleryItem(each.address, description=each.alt) for each in pictures)
        items.append(ui.MediaGallery(*media))
    items += [ui.File(each.address) for each in others]
    if page.small:
        items += [*([ui.Separator()] if items else []), ui.TextDisplay(render_small(page))]
    if buttons:
        items.append(ui.ActionRow(*buttons))
    colour = _COLOURS.get(page.phase) if page.phase else None
    hidden = hidden or any(each.name.casefold().startswith(_HIDDEN) for each in files)
    view = ui.LayoutView(timeout=None)
    if colour or hidden:
        items = [ui.Container(*items, accent_colour=colour, spoiler=hidden)]
    for item in items:
        view.add_item(item)
    view.stop()
    return view
