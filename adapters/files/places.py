"""Where files are kept: a folder, or a bucket behind the S3 protocol, by its address."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from adapters.network.proxies import DIRECT, Network

_BUCKET = re.compile(r"s3://(?P<name>[A-Za-z0-9._-]{1,255})(?:/(?P<prefix>[^?#\s]{0,512}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A bucket, or what is below a prefix of it, and how it is reached.

    Without `endpoint` it is at AWS. Without `key` the usual sources of credentials are asked:
    the files of `~/.aws`, the role of a machine, container or service account.
    """

    name: str
    prefix: str = ""
    endpoint: str = ""
    region: str = ""
    key: str = field(default="", repr=False)
    secret: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    public: str = ""
    """The endpoint as browsers reach it, to which links lead; "" if they don't."""
    network: Network = DIRECT

    @property
    def address(self) -> str:
        return f"s3://{self.name}/{self.prefix}".rstrip("/")

    @property
    def server(self) -> str:
        """The address of its server."""
        region = f".{self.region}" if self.region else ""
        return self.endpoint or f"https://{self.name}.s3{region}.amazonaws.com"


FilesPlace = Path | Bucket
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""How an address begins that is no path; one letter may be a drive."""


def split_bucket(url: str) -> tuple[str, str]:
    """The name of a bucket and the prefix in s3://name/prefix. Raises ValueError."""
    if not (found := _BUCKET.fullmatch(url)):
        raise ValueError("s3://bucket/prefix")
    parts = [part for part in (found["prefix"] or "").split("/") if part]
    if {".", ".."} & {*parts}:
        raise ValueError("s3://bucket/prefix")
    return found["name"], "/".join(parts)


def split_folder(url: str) -> str:
    """The path in a path or file:///path. Raises ValueError for any other address."""
    path = url.removeprefix("file://")
    if _SCHEME.match(path):  # also "s3:/bucket", which would be a folder of that name
        raise ValueError("a folder, file:///folder or s3://bucket/prefix")
    return path


def name_place(place: FilesPlace) -> str:
    """The address of a place, to be shown."""
    return place.address if isinstance(place, Bucket) else str(place)
