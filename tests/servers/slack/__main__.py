"""The played Slack as a program: it prints where it is and what the bot does, and says in #general
what is typed.

"@bot hello" mentions the bot; "/command words" is a slash command.
"""

import argparse
import asyncio
import copy

from tests.servers.loopback import read_lines, run, tell
from tests.servers.slack.server import SlackServer
from tests.servers.slack.workspace import Json


async def _serve(given: argparse.Namespace) -> None:
    async with SlackServer(port=given.port) as slack, asyncio.TaskGroup() as tasks:
        slack.delivery.target = given.events
        tell(
            api=slack.api,
            bot_token=slack.bot_token,
            app_token=slack.app_token,
            signing_secret=slack.signing_secret,
        )
        tasks.create_task(_tell_news(slack))
        async for line in read_lines():
            if line.startswith("/"):
                command, _, words = line.partition(" ")
                tasks.create_task(_use(slack, command, words))
            else:
                slack.people.say(line.replace("@bot", slack.space.mention))


async def _use(slack: SlackServer, command: str, words: str) -> None:
    tell(acknowledgement=await slack.people.command(words, command=command))


async def _tell_news(slack: SlackServer) -> None:
    """Print each message of the bot that is new or changed, and what it did wrong."""
    shown: dict[str, Json] = {}
    told = private = 0
    while True:
        for channel in slack.space.channels.values():
            for message in channel.messages.values():
                if message.by_bot and shown.get(message.ts) != message.body:
                    shown[message.ts] = copy.deepcopy(message.body)
                    tell(channel=channel.name, message=message.body)
        for content in slack.space.responses[private:]:
            tell(response=content)
        for violation in slack.violations[told:]:
            tell(violation=violation)
        told, private = len(slack.violations), len(slack.space.responses)
        await slack.changed()


if __name__ == "__main__":
    _options = argparse.ArgumentParser(description=__doc__)
    _options.add_argument("--port", type=int, default=0, help="0: any free one")
    _options.add_argument("--events", default="", help="where your bot takes events over HTTP")
    run(_serve(_options.parse_args()))
