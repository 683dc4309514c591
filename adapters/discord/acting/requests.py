"""Reads an interaction: what the person asks for, who sees the answer, and how it comes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import discord

from adapters.chat.wishes import WISHES, choose_object, join_request, name_wish, word_wish
from adapters.discord.acting.confirmation import CommandButton, parse_command_button
from adapters.discord.acting.forms import find_form, read_submission
from adapters.discord.acting.selects import find_more
from adapters.discord.reading.contents import read_text
from adapters.discord.reading.files import read_file, read_files
from adapters.discord.reading.messages import read_person
from adapters.discord.showing.buttons import parse_button
from adapters.discord.showing.webhook import may_post
from adapters.discord.web_api.library import (
    Interaction,
    Json,
    make_attachment,
    make_interaction,
    make_message,
)
from pipeline.domain import Action, Command, Link, LocalizedText, Person, RunId
from pipeline.errors import RequestError

MENU = 3
"""Discord's type of a command in the menu of a message."""
ASK = "ask"
"""The command with which people ask; wishes in menus are carried out by it."""
_RUNNING = (Action.RETRY, Action.ANOTHER, Action.CHOOSE)
"""Buttons that start a run, whose answer is the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionRequest:
    """What a person asks for with an interaction: a command, a button of a run, or neither.

    Neither: something of another version of the program.
    """

    interaction: Interaction
    person: Person
    button: tuple[Action, RunId] | None = None
    choice: CommandButton | None = None
    """A button of the question whether to carry out a command that deletes."""
    command: Command | None = None
    """The one that is given by name, with a form or a menu, or confirmed."""
    args: Mapping[str, str] = field(default_factory=dict)
    files: tuple[Link, ...] = ()
    alone: bool = False
    """Whether it is about nothing but the message in whose menu it was chosen."""
    is_more: bool = False
    """Whether it was chosen in a select of what else a command can show; the reply replaces it."""
    problem: LocalizedText | None = None
    """Why the message has nothing for it."""
    may_open_form: bool = False
    """Whether the command is given without arguments, and has a form for them."""

    @property
    def is_choice(self) -> bool:
        """Whether the person who was asked has chosen: the reply replaces the question."""
        is_own = self.choice is not None and self.choice.person == self.person.id
        return self.is_more or is_own

    @property
    def question(self) -> CommandButton | None:
        """What must be confirmed first, also by who presses a button meant for another person."""
        if self.choice:
            is_other = self.choice.words and not self.is_choice
            return replace(self.choice, person=self.person.id) if is_other else None
        if self.command is None or not self.command.erases(self.args):
            return None
        words = " ".join([self.command.name, *self.args.values()])
        return CommandButton(self.person.id, "", words)

    @property
    def may_run(self) -> bool:
        """Whether a run may begin with it, whose answer everybody sees."""
        if self.button:
            return self.button[0] in _RUNNING
        is_public = self.command is not None and not self.command.private
        return is_public and not (self.choice or self.problem)

    @property
    def runs_here(self) -> bool:
        """Whether the answer of that run is the response, as the bot may post nothing else."""
        return self.may_run and not may_post(self.interaction)

    @property
    def is_private(self) -> bool:
        """Whether nobody but the person sees the reply."""
        return not (self.runs_here if self.button else self.may_run)

    @property
    def awaits_reply(self) -> bool:
        """Whether "thinking" is shown, or the question, until the reply replaces it.

        Not where a run is the answer and is posted by itself.
        """
        return not (self.button and self.may_run) or self.runs_here


def read_request(
    client: discord.Client, commands: Sequence[Command], payload: Json
) -> InteractionRequest:
    """Read the JSON of an interaction: of a command, a menu, a button, a select or a form."""
    interaction, data = make_interaction(client, payload), payload.get("data") or {}
    custom_id, is_menu = str(data.get("custom_id", "")), data.get("type") == MENU
    more, what = find_more(data)
    name = ASK if is_menu else more or find_form(data) or data.get("name")
    if choice := parse_command_button(custom_id):
        name, _, what = choice.words.partition(" ")
    command = next((each for each in commands if each.name == name), None)
    args: dict[str, str] = {}
    files: tuple[Link, ...] = ()
    problem: LocalizedText | None = None
    if command and (choice or more):
        args = {command.options[0].name: what}
    elif command:
        try:
            args, files = _read_arguments(client, interaction, data)
        except RequestError as error:
            problem = error.sentence
    is_slash = interaction.type is discord.InteractionType.application_command and not is_menu
    return InteractionRequest(
        interaction=interaction,
        person=read_person(interaction.user, str(interaction.locale)),
        button=parse_button(custom_id),
        choice=choice,
        command=command,
        args=args,
        files=files,
        alone=is_menu,
        is_more=bool(more),
        problem=problem,
        may_open_form=bool(is_slash and command and command.form and not data.get("options")),
    )


def _read_arguments(
    client: discord.Client, interaction: Interaction, data: Json
) -> tuple[dict[str, str], tuple[Link, ...]]:
    """The options of a command and their files, from where the person gave them.

    Raises RequestError if the message of a menu has nothing that the wish could be about.
    """
    if find_form(data):
        args, attachments = read_submission(data)
        return args, tuple(read_file(make_attachment(client, each)) for each in attachments)
    if data.get("type") == MENU:
        return _read_wish(client, interaction, data)
    resolved: Any = data.get("resolved") or {}
    options = data.get("options") or []
    values = dict([*discord.app_commands.Namespace(interaction, resolved, options)])
    files = tuple(read_file(v) for v in values.values() if isinstance(v, discord.Attachment))
    return {k: str(v) for k, v in values.items() if not isinstance(v, discord.Attachment)}, files


def _read_wish(
    client: discord.Client, interaction: Interaction, data: Json
) -> tuple[dict[str, str], tuple[Link, ...]]:
    """A wish of a message's menu as a request, with the words or files of that message."""
    target = data["resolved"]["messages"][data["target_id"]]
    message = make_message(client, interaction.channel, target)
    wish = next(wish for wish in WISHES if name_wish(wish, "en") == data["name"])
    every = read_files(message, previews=True)
    text, files = choose_object(wish, read_text(message, client.user), every)
    return {"text": join_request(word_wish(wish, str(interaction.locale)), text)}, files
