"""Files that people sent, with the bot's token, from Slack's hosts only."""

from urllib.parse import urlsplit

from adapters.slack.calls import SlackCalls
from adapters.slack.incoming import link as read_link
from adapters.slack.refusals import Refused
from pipeline.domain import Blob, Link
from pipeline.errors import ChatError, FetchError
from pipeline.ports import Fetch

_PAGE = "text/html"


async def download(link: Link, calls: SlackCalls, fetch: Fetch) -> Blob:
    """The bytes of a file. Raises FetchError, also where a sign-in page is handed out instead: Slack's, or that of another service at which a shared file lies."""
    link = link if link.url else await _looked_up(link, calls)
    access = calls.access
    blob = await fetch.get(
        link.url,
        headers={"Authorization": f"Bearer {access.bot_token}"},
        trusted=access.file_hosts,
        max_bytes=access.max_download,
    )
    if _is_sign_in(blob, link):
        host = urlsplit(link.url).hostname or ""
        if host not in access.file_hosts:
            raise FetchError("slack-file-elsewhere", name=link.name, host=host)
        raise FetchError("slack-file-sign-in", name=link.name)
    return Blob(blob.data, blob.media_type or link.media_type, link.name)


async def _looked_up(link: Link, calls: SlackCalls) -> Link:
    """A file of a shared channel comes as a stub: all but its id must be asked for."""
    try:
        card = (await calls.ask("files.info", file=link.id)).get("file") or {}
    except Refused as refused:
        raise FetchError("slack-file-gone", name=link.name) from refused
    except ChatError as error:
        raise FetchError("slack-unreachable", method="files.info") from error
    found = read_link({**card, "id": link.id, "file_access": ""})
    if not found.url:
        raise FetchError("slack-file-gone", name=link.name)
    return found


def _is_sign_in(blob: Blob, link: Link) -> bool:
    """HTML that nobody sent: so answers, with 200, Slack or another service whoever may not have the file."""
    claimed = blob.media_type.partition(";")[0].strip()
    looks_so = claimed == _PAGE or blob.data[:200].lstrip().lower().startswith(b"<!doctype html")
    sent_so = link.media_type == _PAGE
    return looks_so and not (sent_so and link.size in (-1, len(blob.data)))
