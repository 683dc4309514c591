"""Draws what people see in Slack and Discord: docs/slack-surfaces.png, docs/discord-surfaces.png.

    python -m benchmarks.draw_blocks

Runs the whole program (`troupe run`) against the simulated Slack and Discord, with a simulated
language model and simulated experts. `surfaces.py` walks through it, and `draw_blocks.html` draws
in Chromium what the platforms were sent. A kind of block that it does not know becomes a red box.
Needs Debian's packages `chromium`, `fonts-liberation` and `fonts-noto-color-emoji`.
"""

import argparse
import asyncio
import io
import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from PIL import Image, ImageDraw

from adapters.slack.connecting.manifest import SCOPES
from benchmarks.surfaces import DiscordWalk, Json, SlackWalk
from tests.e2e.browser import open_browser
from tests.e2e.program import at_work
from tests.fakes.known_experts import known_experts
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.experts.answers import Asked as Job
from tests.servers.experts.answers import File, png
from tests.servers.experts.faults import Fault
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer

TEMPLATE = Path(__file__).with_suffix(".html")
DOCS = Path(__file__).parents[1] / "docs"
WIDTH, COLOURS, THINKING = 720, 128, 0.3
FILM = "Draw a summer party, make a short film of it, and read aloud: Come and dance with us!"
POSTERS = "Draw three posters for our summer party, read the slogan aloud, and film the lanterns."
PROSE = """Here are **three posters**, and the slogan as a recording.

| weekend | place | rain? |
|---|---|---|
| 4 July | the garden | *rarely* |
| 11 July | the boat house | no |

1. Print one at `A3`.
2. Bring a friend.

```python
print("See you there!")
```"""


def task(number: int, kind: str, words: str, **args: str) -> Json:
    needs = [int(value[-1]) for value in args.values()] or [-1]
    return {"task": kind, "id": number, "dep": needs, "args": {"text": words, **args}}


PLANS = {
    FILM: [
        task(1, "text-to-image", "a summer party under a chestnut tree"),
        task(2, "image-to-video", "lanterns light up", image="<GENERATED>-1"),
        task(3, "text-to-speech", "Come and dance with us!"),
    ],
    POSTERS: [
        task(1, "text-to-image", "a summer party under a chestnut tree"),
        task(2, "text-to-image", "paper lanterns over a lake"),
        task(3, "text-to-image", "an orchestra of foxes"),
        task(4, "text-to-speech", "Come and dance with us!"),
        task(5, "text-to-video", "lanterns light up"),
    ],
}


def reply(asked: Asked) -> str:
    """The language model's reply: the plan of the latest request, or prose."""
    if "response_format" not in asked.body:
        return PROSE
    return json.dumps(PLANS[max(PLANS, key=asked.text.rfind)])


def paint(job: Job) -> File:
    """A picture that differs with its words."""
    seed, fade = sum(job.words.encode()), Image.linear_gradient("L").resize((320, 200))
    low, high = (Image.new("RGB", fade.size, f"hsl({seed % 360}, 60%, {n}%)") for n in (30, 80))
    picture = Image.composite(low, high, fade)
    for n in range(9):
        x, y = seed * (n + 3) * 37 % 320, seed * (n + 5) * 23 % 200
        ImageDraw.Draw(picture).ellipse((x, y, x + 30, y + 30), f"hsl({n * 40}, 80%, 70%)")
    return png(picture)


def hire() -> ExpertServer:
    """Experts of which one never finishes and one refuses everything."""
    experts = known_experts()
    experts.answers["text-to-image"] = paint
    experts.goes_wrong(Fault.HANG, on="image-to-video", times=100)
    experts.goes_wrong(Fault.UNFIT, on="text-to-video", times=100)
    return experts


@asynccontextmanager
async def program(slack: SlackServer, discord: DiscordServer) -> AsyncIterator[None]:
    """The program, connected to both platforms."""
    with tempfile.TemporaryDirectory() as home:
        async with (
            openai_at_work(OpenAiServer(THINKING, reply=reply)) as llm,
            experts_at_work(hire()) as experts,
            at_work(
                Path(home),
                OPENAI_BASE_URL=llm.base,
                TROUPE_EXPERTS_URL=experts.base,
                TROUPE_PLACES="local",
                SLACK_API_BASE_URL=slack.api,
                SLACK_BOT_TOKEN=slack.bot_token,
                SLACK_APP_TOKEN=slack.app_token,
                DISCORD_TOKEN=discord.world.token,
                DISCORD_API_BASE_URL=discord.api,
                DISCORD_GATEWAY_URL=discord.gateway.address,
                DISCORD_CDN_HOSTS="127.0.0.1",
            ),
        ):
            world = discord.world
            await slack.until(lambda: slack.socket.lines)
            await world.until(lambda: discord.gateway.identified and world.commands, 30.0)
            yield


async def collect() -> dict[str, Sequence[Json]]:
    """The states of each platform. Raises AssertionError if it would have refused some of it."""
    async with SlackServer() as slack, play_discord() as discord:
        slack.calls.granted = set(SCOPES)
        walk, other = SlackWalk(slack), DiscordWalk(discord)
        async with program(slack, discord):
            states = {
                "slack": await walk.take(FILM, POSTERS),
                "discord": await other.take(FILM, POSTERS),
            }
        if problems := slack.violations + discord.violations:
            raise AssertionError(problems)
        return states


async def draw(platform: str, states: Sequence[Json]) -> bytes:
    """The states below each other, as a PNG."""
    async with open_browser() as browser:
        page = await browser.new_page(viewport={"width": WIDTH, "height": 600})
        await page.goto(TEMPLATE.as_uri())
        await page.evaluate("([platform, states]) => draw(platform, states)", [platform, states])
        for box in await page.locator(".unknown").all_text_contents():
            print(f"{platform}: {box}")
        return await page.screenshot(full_page=True)


def shrink(shot: bytes) -> bytes:
    """The same in fewer colours."""
    packed, picture = io.BytesIO(), Image.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


async def main() -> None:
    for platform, states in (await collect()).items():
        path = DOCS / f"{platform}-surfaces.png"
        path.write_bytes(shrink(await draw(platform, states)))
        print(f"{path.name}: {len(states)} states, {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    asyncio.run(main())
