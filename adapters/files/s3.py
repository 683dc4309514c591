"""The calls of the S3 protocol that the store makes, and what their errors mean.

aiobotocore is imported when a bucket is opened. Connections are made as all others are (ADR 0162).
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import aiohttp

from adapters.files.places import Bucket
from adapters.network.connections import Connector, explain_failure
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError

_READ_SECONDS = 20.0
"""How long no byte of a response may come."""
_ATTEMPTS = 2
"""Of a call, by the library. Then the store waits, as for a disk."""
_CONNECTIONS = 32
_DEFAULT_REGION = "us-east-1"
"""What servers other than Amazon's take when nothing is configured there."""
_PIECE = 1 << 18
"""Bytes of a response that are read at once."""
_MISSING = frozenset({"NoSuchKey", "404", "NotFound"})
_FAULTS: Mapping[str, str] = {
    "NoSuchBucket": "files-bucket-missing",
    **dict.fromkeys(
        (
            *("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken"),
            *("InvalidSecurity", "UnrecognizedClientException", "TokenRefreshRequired"),
        ),
        "files-bucket-key",
    ),
    **dict.fromkeys(
        ("AccessDenied", "AllAccessDisabled", "AccountProblem", "403", "Forbidden"),
        "files-bucket-refused",
    ),
    **dict.fromkeys(
        (
            *("PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"),
            *("IllegalLocationConstraintException", "301", "307"),
        ),
        "files-bucket-region",
    ),
    **dict.fromkeys(("RequestTimeTooSkewed", "RequestExpired"), "files-bucket-clock"),
}
"""Sentences for operators, by the codes of errors."""


class BucketFault(Exception):
    """A call failed; `sentence` tells operators why."""

    def __init__(self, sentence: LocalizedText) -> None:
        super().__init__(sentence.id)
        self.sentence = sentence


class UploadGone(Exception):
    """An upload in parts is no longer known: it is complete, or somebody cleared it away."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An object: its key below the prefix, its bytes, and when its server stored it."""

    key: str
    size: int
    at: datetime


@dataclass(slots=True)
class S3:
    """One bucket below its prefix. Every method raises BucketFault."""

    bucket: Bucket
    client: Any
    is_conditional: bool = True
    """Whether the server refuses to write over an object when it is asked to."""
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _public: Any = None

    async def put(self, key: str, data: bytes, *, only_new: bool = False) -> bool:
        """Store an object at once; returns whether it did, which it does not over another one."""
        condition = {"IfNoneMatch": "*"} if only_new and self.is_conditional else {}
        with self._translate("PutObject"):
            try:
                await self.client.put_object(**self._name(key), Body=data, **condition)
            except self.client.exceptions.ClientError as error:
                if condition and _read_code(error) in ("PreconditionFailed", "412"):
                    return False
                if condition and _read_code(error) == "ConditionalRequestConflict":
                    return False  # another one writes the same just now
                raise
        return True

    async def find(self, key: str) -> Stored | None:
        with self._translate("HeadObject"):
            try:
                told = await self.client.head_object(**self._name(key))
            except self.client.exceptions.ClientError as error:
                if _read_code(error) in _MISSING:
                    return None
                raise
        return Stored(key, told["ContentLength"], told["LastModified"])

    @asynccontextmanager
    async def open(
        self, key: str, offset: int = 0, length: int | None = None
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The bytes of an object from `offset` on. Raises KeyError if there is none."""
        last = "" if length is None else offset + length - 1
        part = {} if offset == 0 and length is None else {"Range": f"bytes={offset}-{last}"}
        with self._translate("GetObject"):
            try:
                told = await self.client.get_object(**self._name(key), **part)
            except self.client.exceptions.ClientError as error:
                if _read_code(error) in _MISSING:
                    raise KeyError(key) from error
                if _read_code(error) not in ("InvalidRange", "416"):
                    raise
                told = None
        if told is None:
            yield _read_nothing()
            return
        async with told["Body"] as body:
            yield self._read(body)

    async def _read(self, body: Any) -> AsyncIterator[bytes]:  # noqa: ANN401 - botocore's
        while True:
            with self._translate("GetObject"):
                piece = await body.read(_PIECE)
            if not piece:
                return
            yield piece

    async def delete(self, key: str) -> None:
        with self._translate("DeleteObject"):
            await self.client.delete_object(**self._name(key))

    async def list(self, below: str = "") -> AsyncIterator[Stored]:
        """The objects whose keys begin so, in the order of their keys."""
        cut = len(self._prefix)
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket.name, Prefix=f"{self._prefix}{below}"
        )
        walking = aiter(pages)
        while True:
            with self._translate("ListObjectsV2"):
                page = await anext(walking, None)
            if page is None:
                return
            for each in page.get("Contents", ()):
                yield Stored(each["Key"][cut:], each["Size"], each["LastModified"])

    async def begin(self, key: str) -> str:
        """Begin an upload in parts, of which nothing is seen before it is complete."""
        with self._translate("CreateMultipartUpload"):
            told = await self.client.create_multipart_upload(**self._name(key))
        return str(told["UploadId"])

    async def add_part(self, key: str, upload: str, number: int, data: bytes) -> str:
        """Returns the tag by which the part is named in the end. Raises UploadGone."""
        with self._translate("UploadPart"), self._expect(upload):
            told = await self.client.upload_part(
                **self._name(key), UploadId=upload, PartNumber=number, Body=data
            )
        return str(told["ETag"])

    async def complete(self, key: str, upload: str, tags: Sequence[str]) -> bool:
        """Show the object; returns False if there is one by now. Raises UploadGone."""
        parts = [{"ETag": tag, "PartNumber": number} for number, tag in enumerate(tags, 1)]
        condition = {"IfNoneMatch": "*"} if self.is_conditional else {}
        with self._translate("CompleteMultipartUpload"), self._expect(upload):
            try:
                await self.client.complete_multipart_upload(
                    **self._name(key),
                    UploadId=upload,
                    MultipartUpload={"Parts": parts},
                    **condition,
                )
            except self.client.exceptions.ClientError as error:
                if condition and _read_code(error) in ("PreconditionFailed", "412"):
                    return False
                raise
        return True

    async def abort(self, key: str, upload: str) -> None:
        with (
            self._translate("AbortMultipartUpload"),
            suppress(UploadGone),
            self._expect(upload),
        ):
            await self.client.abort_multipart_upload(**self._name(key), UploadId=upload)

    async def list_begun(self) -> AsyncIterator[tuple[str, str, datetime]]:
        """Uploads in parts that were not completed: their keys, numbers and when they began."""
        with self._translate("ListMultipartUploads"):
            told = await self.client.list_multipart_uploads(
                Bucket=self.bucket.name, Prefix=self._prefix
            )
        for each in told.get("Uploads", ()):
            yield each["Key"][len(self._prefix) :], each["UploadId"], each["Initiated"]

    async def sign(self, key: str, headers: Mapping[str, str], seconds: int) -> str:
        """A link to an object for whoever has it, with these parameters of GetObject."""
        if self._public is None:
            opening = _create_client(self.bucket, self.bucket.public)
            self._public = await self._stack.enter_async_context(opening)
        with self._translate("GetObject"):
            link = await self._public.generate_presigned_url(
                "get_object", Params={**self._name(key), **headers}, ExpiresIn=seconds
            )
        return str(link)

    @property
    def _prefix(self) -> str:
        return f"{self.bucket.prefix}/" if self.bucket.prefix else ""

    def _name(self, key: str) -> Mapping[str, str]:
        return {"Bucket": self.bucket.name, "Key": f"{self._prefix}{key}"}

    @contextmanager
    def _expect(self, upload: str) -> Iterator[None]:
        try:
            yield
        except self.client.exceptions.ClientError as error:
            if _read_code(error) == "NoSuchUpload":
                raise UploadGone(upload) from error
            raise

    @contextmanager
    def _translate(self, action: str) -> Iterator[None]:
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - an extra

        try:
            yield
        except (ClientError, BotoCoreError, aiohttp.ClientError, TimeoutError, OSError) as error:
            raise BucketFault(self._explain(error, action)) from error

    def _explain(self, error: Exception, action: str) -> LocalizedText:
        from botocore import exceptions  # noqa: PLC0415 - an extra

        facts = {"bucket": self.bucket.address, "server": self.bucket.server, "action": action}
        if isinstance(error, exceptions.ClientError):
            code = _read_code(error)
            return LocalizedText(
                _FAULTS.get(code, "files-bucket-failed"), {**facts, "problem": code}
            )
        no_key = (
            exceptions.NoCredentialsError,
            exceptions.PartialCredentialsError,
            exceptions.CredentialRetrievalError,
            exceptions.TokenRetrievalError,
            exceptions.ProfileNotFound,
        )
        if isinstance(error, no_key):
            return LocalizedText("files-bucket-no-key", facts)
        if sentence := explain_failure(error):
            return sentence
        problem = type(error).__name__
        away = exceptions.ConnectionError | exceptions.HTTPClientError
        if isinstance(error, away | aiohttp.ClientError | OSError):
            return LocalizedText("files-bucket-unreached", {**facts, "problem": problem})
        return LocalizedText("files-bucket-failed", {**facts, "problem": problem})


@asynccontextmanager
async def open_s3(bucket: Bucket) -> AsyncIterator[S3]:
    """Open a bucket; nothing is sent yet. Raises SettingsError if the extra is missing."""
    try:
        import aiobotocore.session  # noqa: F401, PLC0415 - an extra, and a tenth of a second
    except ImportError as error:
        raise SettingsError("files-driver") from error
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(_create_client(bucket, bucket.endpoint))
        yield S3(bucket, client, _stack=stack)


@asynccontextmanager
async def _create_client(bucket: Bucket, endpoint: str) -> AsyncIterator[Any]:
    from aiobotocore.config import AioConfig  # noqa: PLC0415 - as above
    from aiobotocore.httpsession import AIOHTTPSession  # noqa: PLC0415 - as above
    from aiobotocore.session import get_session  # noqa: PLC0415 - as above
    from botocore.exceptions import BotoCoreError  # noqa: PLC0415 - as above

    class Session(AIOHTTPSession):  # type: ignore[misc]  # it ships no types
        """Connects by our rule on proxies and certificates."""

        async def _create_connector(self, _proxy: str | None) -> Connector:
            return Connector(bucket.network, limit=_CONNECTIONS)

    config = AioConfig(
        http_session_cls=Session,
        proxies={},  # none from the environment: the connector decides
        read_timeout=_READ_SECONDS,
        retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
        # The server compares the bytes with the hash that is signed. Other checksums are sent in
        # ways that not every server knows.
        s3={
            "addressing_style": "path" if endpoint else "auto",
            "payload_signing_enabled": True,
        },
        signature_version="s3v4",
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    try:
        making = get_session().create_client(
            "s3",
            region_name=bucket.region or (_DEFAULT_REGION if endpoint else None),
            endpoint_url=endpoint or None,
            aws_access_key_id=bucket.key or None,
            aws_secret_access_key=bucket.secret or None,
            aws_session_token=bucket.token or None,
            config=config,
        )
        client = await making.__aenter__()
    except (BotoCoreError, ValueError) as error:
        facts = {"bucket": bucket.address, "problem": str(error)[:200]}
        raise SettingsError("files-bucket-settings", **facts) from error
    try:
        yield client
    finally:
        await making.__aexit__(None, None, None)
        await asyncio.sleep(0)  # connections close in the loop's next turn


async def _read_nothing() -> AsyncIterator[bytes]:
    return
    yield b""  # which makes it a generator


def _read_code(error: Any) -> str:  # noqa: ANN401 - botocore's
    return str(error.response.get("Error", {}).get("Code", ""))
