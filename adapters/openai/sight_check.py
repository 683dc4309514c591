"""Whether a model sees: it is asked for the colours of two squares, once."""

import asyncio
import re
from contextlib import aclosing

from openai import AsyncStream

from adapters.openai.chunks import read_chunks

TWO_SQUARES = (
    "iVBORw0KGgoAAAANSUhEUgAAAIAAAABACAIAAABdtOgoAAAAiElEQVR42u3RAQkAAAzDsPo3/esYBGqgpLrpbnwgAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAoB5HSuHSpj/RDgAAAABJRU5ErkJggg=="
)
"""A PNG in base64: a blue square, and a red one to its right."""
ASK_COLOURS = (
    "Two squares side by side. Which colour is the left one, and which is the right one? Two words."
)
_COLOURS = re.compile(r"\bblue\b.{0,80}\bred\b", re.IGNORECASE | re.DOTALL)
_PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{TWO_SQUARES}"}}
PICTURE_MESSAGE = {"role": "user", "content": [{"type": "text", "text": ASK_COLOURS}, _PICTURE]}
TRY_SECONDS = 8.0
"""How long a model may take to show whether it sees pictures."""
_LONGEST_TRIAL = 20_000
"""Characters of an answer about the colours, with the thoughts of a model that thinks aloud."""


async def read_colours(stream: AsyncStream[object]) -> bool:
    """Whether an answer names the colours of TWO_SQUARES; a model that thinks may do so, too."""
    words = ""
    async with asyncio.timeout(TRY_SECONDS), aclosing(read_chunks(stream)) as chunks:
        async for chunk in chunks:
            words += chunk.text or chunk.thought
            if names_colours(words) or len(words) > _LONGEST_TRIAL:
                break
    return names_colours(words)


def names_colours(words: str) -> bool:
    return _COLOURS.search(words) is not None
