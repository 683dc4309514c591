"""Files in a bucket: programs killed in the middle of 100 uploads and downloads, and 2 GB through.

`python -m benchmarks.files [ROUNDS]`, on loopback, with moto's server as a program of its own.
After each kill the whole bucket is read: nothing may be half, and nothing lost that was said to be
stored.
"""

import asyncio
import random
import sys
from collections import Counter

from tests.adapters.files.killing import kill_once, read_news, starting
from tests.adapters.files.traffic import find_bucket, find_wrong
from tests.servers.s3 import create_bucket

ROUNDS = 20
SIZE = 2 << 30
LATEST = 80
"""The most files that a program has stored when it is killed."""


async def main(rounds: int) -> None:
    async with starting("tests.servers.s3") as server:
        address, counts = str((await read_news(server))["address"]), Counter[str]()
        source, wrong = random.Random(33), list[str]()
        for number in range(rounds):
            name = await create_bucket(address)
            after = source.randint(1, LATEST)
            stored, read = await kill_once(address, name, f"seed{number}", after)
            found = await find_wrong(find_bucket(address, name), stored)
            wrong += found
            counts.update(stored=len(stored), read=read)
            print(f"killed: {len(stored)} stored, {read} read, wrong: {found}")
        print(f"{rounds} kills: {dict(counts)}, wrong: {len(wrong)}")
    async with starting("tests.servers.s3") as server:
        address = str((await read_news(server))["address"])
        name = await create_bucket(address)
        module = "tests.adapters.files.traffic"
        async with starting(module, address, name, str(SIZE)) as program:
            print(f"{SIZE >> 20} MiB through:", await read_news(program))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
