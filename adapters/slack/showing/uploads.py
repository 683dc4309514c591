"""Uploads files to Slack."""

from http import HTTPStatus

import aiohttp

from adapters.chat.surface import FilesTooLarge, PostUnsure
from adapters.chat.uploads import Upload
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import NO_ANSWER, SlackGone

_UPLOAD_SECONDS = 120.0
"""How long Slack may take to answer the bytes of a file."""
_LONGEST_ALT = 1000
"""Characters, Slack's limit for the description of a picture."""
_LONGEST_TITLE = 200
"""Characters of the title of a file."""


async def send_file(client: SlackClient, upload: Upload) -> Json:
    """Upload a file and return its entry. Each attempt starts a new upload."""
    file = upload.file
    target = await client.call(
        "files.getUploadURLExternal",
        filename=upload.name,
        length=len(upload.blob.data),
        alt_txt=file.alt[:_LONGEST_ALT] or None,
    )
    await _put_bytes(client, str(target["upload_url"]), upload.blob.data)
    title = (file.alt or file.attachment.name)[:_LONGEST_TITLE]
    return {"id": str(target["file_id"]), "title": title}


async def _put_bytes(client: SlackClient, url: str, data: bytes) -> None:
    """Raises PostUnsure if the bytes may not have arrived, FilesTooLarge, SlackGone."""
    timeout = aiohttp.ClientTimeout(total=None, sock_read=_UPLOAD_SECONDS)
    try:
        async with (
            client.connect() as session,
            session.post(url, data=data, timeout=timeout) as response,
        ):
            status = response.status
    except NO_ANSWER as error:
        raise PostUnsure("slack-unreachable", method="upload") from error
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise PostUnsure("slack-unreachable", method="upload")
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        raise FilesTooLarge("files-too-large")
    if status >= HTTPStatus.BAD_REQUEST:
        raise SlackGone("upload", str(status))
