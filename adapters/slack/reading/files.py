"""The files of Slack's messages, and how they are downloaded."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from adapters.chat.downloads import is_unexpected_page
from adapters.slack.reading.contents import find_attachments
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import SlackRefused
from pipeline.domain import Blob, Link
from pipeline.errors import ChatError, FetchError, FetchUnavailable
from pipeline.ports import Fetch

_STUB = "check_file_info"
"""The access to a file of which Slack sends nothing but the id."""
_CANVAS = "application/vnd.slack-docs"
_DOCTYPE = b"<!DOCTYPE html>"
_DELETED = "tombstone"
"""The mode of a file that was deleted."""


async def download_file(link: Link, client: SlackClient, fetch: Fetch) -> Blob:
    """Download a file; only Slack's hosts get the bot's token. Raises FetchError.

    Slack, or another service that hosts a shared file, may answer 200 with a sign-in page; that
    is an error, too.
    """
    link = link if link.url else await _look_up_file(link, client)
    access = client.access
    blob = await fetch.get(
        link.url,
        headers={"Authorization": f"Bearer {access.bot_token}"},
        trusted=access.file_hosts,
        max_bytes=access.max_download,
    )
    if link.media_type == _CANVAS and not blob.data.startswith(_DOCTYPE):  # the inside of a page
        return Blob(_DOCTYPE + blob.data, "text/html", link.name)
    if is_unexpected_page(blob, link):
        host = urlsplit(link.url).hostname or ""
        if host not in access.file_hosts:
            raise FetchError("slack-file-elsewhere", name=link.name, host=host)
        raise FetchError("slack-file-sign-in", name=link.name)
    return Blob(blob.data, blob.media_type or link.media_type, link.name)


def find_files(message: Json) -> Iterable[Link]:
    """The files of a message, and of the messages shared in it, without deleted ones."""
    for holder in (message, *find_attachments(message)):
        files = (file for file in holder.get("files") or () if file.get("mode") != _DELETED)
        yield from map(read_file, files)


def read_file(file: Json) -> Link:
    """A link to a file; the stub that Slack sends in shared channels has only an id."""
    is_stub = file.get("file_access") == _STUB
    url = "" if is_stub else str(file.get("url_private_download") or file.get("url_private") or "")
    name = str(file.get("name") or file.get("title") or "file")
    media_type, size = str(file.get("mimetype") or ""), int(file.get("size") or -1)
    alt = str(file.get("alt_txt") or file.get("title") or "")
    is_name = alt.casefold() in name.casefold()  # Slack makes the title of the name
    return Link(
        url, name, media_type=media_type, size=size, id=str(file["id"]), alt="" if is_name else alt
    )


async def _look_up_file(link: Link, client: SlackClient) -> Link:
    try:
        card = (await client.call("files.info", file=link.id)).get("file") or {}
    except SlackRefused:
        card = {}
    except ChatError as error:
        raise FetchUnavailable("slack-unreachable", method="files.info") from error
    file = read_file({**card, "id": link.id, "file_access": ""})
    if not file.url:
        raise FetchError("slack-file-gone", name=link.name)
    return file
