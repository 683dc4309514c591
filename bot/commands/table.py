"""The table of commands: their functions, options and completions."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from bot import VERSION
from bot.commands import examples, models, runs, settings, tasks
from bot.commands.context import CommandContext, Typed, translate
from bot.commands.forget import find_guarded_deletion, forget
from pipeline.domain import (
    Command,
    CommandSelect,
    InputField,
    InputForm,
    Invocation,
    LocalizedText,
    Option,
    Reply,
)
from pipeline.errors import NotAllowed

_MOST_COMPLETIONS = 25
"""As many as Discord shows."""
_LONGEST_COMPLETION = 100
"""Characters, as Discord allows."""

Complete = Callable[[CommandContext, Typed], Awaitable[Sequence[str]]]
Offer = Callable[[CommandContext, Invocation], Awaitable[CommandSelect | None]]
MakeForm = Callable[[CommandContext, Invocation], Awaitable[InputForm]]
FindGuarded = Callable[[CommandContext, Invocation], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class _Row:
    """A command with the functions that run it, complete its options, make its form, offer more.

    `find_guarded` names what only admins may do with it; without one, everybody may.
    """

    command: Command
    run: Callable[[CommandContext, Invocation], Awaitable[str]]
    _: KW_ONLY
    complete: Complete | None = None
    form: MakeForm | None = None
    offer: Offer | None = None
    find_guarded: FindGuarded | None = None


async def _make_request_form(_context: CommandContext, _invocation: Invocation) -> InputForm:
    text = InputField(name="text", label=LocalizedText("option-text"), required=True)
    files = InputField(name="file", label=LocalizedText("form-files"), file=True)
    return InputForm(LocalizedText("command-ask"), (text, files))


async def _help(_context: CommandContext, invocation: Invocation) -> str:
    """`help`: what the bot does, and its commands."""
    locale = invocation.person.locale
    lines = [
        f"- `{_format_usage(command)}` - {translate(locale, f'command-{command.name}')}"
        for command in COMMANDS
    ]
    return "\n".join([translate(locale, "help-intro"), "", *lines])


def _format_usage(command: Command) -> str:
    """A command with its options, as people type it."""
    words = [
        f"<{name}>" if option.required else f"[{name}]"
        for option in command.options
        for name in ("|".join(option.choices) or option.name,)
    ]
    return " ".join([command.name, *words])


async def _whoami(_context: CommandContext, invocation: Invocation) -> str:
    """`whoami`: the ids of this person and channel."""
    person, channel = invocation.person, invocation.thread.channel
    return translate(
        person.locale,
        "whoami",
        name=person.name,
        id=person.id,
        locale=person.locale,
        channel=channel.id,
        workspace=channel.workspace,
        platform=channel.platform,
        version=VERSION,
    )


_ASK = (Option("text", required=True), Option("file", file=True))
_MODELS = (Option("kind", completed=True), Option("search"))
_TASKS = (Option("about", choices=("image", "audio", "video", "document", "table", "text")),)
_MODEL = (Option("id", required=True, completed=True),)
_SCOPES = ("me", "thread", "channel")
_FORGET = (Option("what", required=True, choices=_SCOPES),)
_SETTINGS = (Option("name", completed=True), Option("value", completed=True))
_LEARNED = (Option("do", choices=("forget",)), Option("entry"))
_ROWS = {
    row.command.name: row
    for row in (
        # not run: `Conversation.on_command` makes a message of it
        _Row(Command("ask", _ASK, private=False, form=True), _help, form=_make_request_form),
        _Row(
            Command("models", _MODELS),
            models.models,
            complete=models.complete,
            offer=models.offer_kinds,
        ),
        _Row(Command("model", _MODEL), models.model, complete=models.complete),
        _Row(Command("tasks", _TASKS), tasks.tasks, offer=tasks.offer_groups),
        _Row(Command("plan", threaded=("",)), runs.plan),
        _Row(Command("status"), runs.status),
        _Row(Command("stop", threaded=("",)), runs.stop),
        _Row(
            Command("forget", _FORGET, threaded=("thread",), erasing=_SCOPES),
            forget,
            find_guarded=find_guarded_deletion,
        ),
        _Row(
            Command("settings", _SETTINGS, form=True),
            settings.settings,
            complete=settings.complete,
            form=settings.make_form,
            find_guarded=settings.find_guarded_change,
        ),
        _Row(
            Command("learned", _LEARNED),
            examples.manage_examples,
            find_guarded=examples.find_guarded_forgetting,
        ),
        _Row(Command("help"), _help),
        _Row(Command("whoami"), _whoami),
    )
}
COMMANDS = tuple(row.command for row in _ROWS.values())


async def execute(context: CommandContext, invocation: Invocation) -> Reply:
    """Run a command. Raises NotAllowed if the person may not, or if there is no such command.

    Everybody in the place is told of what deletes other people's messages.
    """
    row = _ROWS.get(invocation.command)
    if row is None:
        raise NotAllowed("command-unknown", name=invocation.command)
    guarded = await _check_rights(row, context, invocation)
    text = await row.run(context, invocation)
    return Reply(text, private=not (guarded and row.command.erases(invocation.args)))


async def _check_rights(row: _Row, context: CommandContext, invocation: Invocation) -> str:
    """The name of the guarded action that a command is; "" if it is none. Raises NotAllowed."""
    guarded = await row.find_guarded(context, invocation) if row.find_guarded else ""
    context.gate.check(invocation.person, invocation.thread, guarded)
    return guarded


async def offer_more(context: CommandContext, invocation: Invocation) -> CommandSelect | None:
    """What else a command can show; None if its reply is all there is."""
    row = _ROWS.get(invocation.command)
    return await row.offer(context, invocation) if row and row.offer else None


async def make_form(context: CommandContext, invocation: Invocation) -> InputForm | None:
    """The form that asks for a command's arguments.

    None if the command has none, or if the person may not run it with the form's arguments.
    """
    row = _ROWS.get(invocation.command)
    if row is None or row.form is None:
        return None
    form = await row.form(context, invocation)
    filled = replace(invocation, args={each.name: "" for each in form.fields})
    try:
        await _check_rights(row, context, filled)
    except NotAllowed:
        return None
    return form


async def complete(context: CommandContext, command: str, typed: Typed) -> Sequence[str]:
    """At most 25 different completions of at most 100 characters."""
    row = _ROWS.get(command)
    if row is None or row.complete is None:
        return ()
    words = dict.fromkeys(await row.complete(context, typed))
    return [word for word in words if len(word) <= _LONGEST_COMPLETION][:_MOST_COMPLETIONS]
