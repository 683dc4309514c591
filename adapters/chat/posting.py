"""Sends a page or a batch of files once for each idempotency key in the ledger."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import structlog

from adapters.chat.rendering import Page
from adapters.chat.surface import PostUnsure, Surface
from adapters.chat.uploads import Upload
from pipeline.errors import ChatGone
from pipeline.fencing import check_fence
from pipeline.metering import time_work
from pipeline.ports import Ledger, Posting

_TRIES = 5
"""How often a post is sent whose response is lost each time."""

log = structlog.get_logger()


async def post_once(ledger: Ledger, surface: Surface, key: str, page: Page) -> tuple[str, bool]:
    """Post a page unless its key was posted before; return the receipt and whether it is new.

    Raises ChatGone, ChatError.
    """
    return await send_once(ledger, surface, key, page, partial(surface.post, key, page))


async def send_once(
    ledger: Ledger,
    surface: Surface,
    key: str,
    content: Page | Sequence[Upload],
    send: Callable[..., Awaitable[str]],
) -> tuple[str, bool]:
    """Send content unless its key was sent before; return the receipt and whether it is new.

    The ledger knows what was sent. Where it does not, because the program was killed or the
    response was lost, the platform is asked, and `send` is called only if it has no such content.
    `send` gets `may_repeat=True` if we may not look for it. Raises PostUnsure if the response is
    lost each time, and what `send` and `surface.look_up` raise.

    An example, where the response to the first call is lost:

        await send_once(ledger, surface, "run1:page:0", page, send)  # send, PostUnsure; look_up
        # ("C1/5", False): it had been posted; a second call returns the same from the ledger
    """
    state, receipt = await ledger.begin(key)
    if state is Posting.POSTED:
        return receipt, False
    is_new, may_repeat = True, False
    for attempt in range(1, _TRIES + 1):
        if state is Posting.UNSURE:
            try:
                receipt = await surface.look_up(key, content)
                is_new = not receipt
            except ChatGone as gone:
                log.warning("may not look for a post", key=key, error=str(gone))
                may_repeat = True
        await check_fence()
        try:
            if is_new:
                with time_work("post" if isinstance(content, Page) else "upload"):
                    receipt = await send(may_repeat=may_repeat)
            break
        except PostUnsure:
            if attempt == _TRIES:
                raise
            state = Posting.UNSURE
    await ledger.done(key, receipt)
    return receipt, is_new
