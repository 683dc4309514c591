"""Buckets of the played server, for the tests of files."""

import asyncio

from adapters.files import Bucket
from tests.servers.s3 import create_bucket, start_s3

KEY, SECRET = "a key", "a secret"


async def make_bucket(server: str = "", prefix: str = "in/here") -> Bucket:
    """A bucket of its own, at this server or that of this process."""
    server = server or await asyncio.to_thread(start_s3)
    name = await create_bucket(server)
    return Bucket(name=name, prefix=prefix, endpoint=server, key=KEY, secret=SECRET)
