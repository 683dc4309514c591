"""REST: answers to interactions, and the webhook that goes with each of them."""

from tests.servers.discord import payloads
from tests.servers.discord.messages import Answer, apply_edit, fill
from tests.servers.discord.modals import check_modal
from tests.servers.discord.rules import check_message, invalid
from tests.servers.discord.schema import check_choice
from tests.servers.discord.values import COMMAND, EPHEMERAL, LOADING, Json, Message, Refusal
from tests.servers.discord.world import Call, Interaction, World

PING, SLASH, COMPONENT, AUTOCOMPLETE, MODAL = 1, 2, 3, 4, 5
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL_ANSWER = 4, 5, 6, 7, 8, 9
ALLOWED = {
    SLASH: {MESSAGE, DEFER, MODAL_ANSWER},
    COMPONENT: {MESSAGE, DEFER, DEFER_UPDATE, UPDATE, MODAL_ANSWER},
    AUTOCOMPLETE: {CHOICES},
    MODAL: {MESSAGE, DEFER, DEFER_UPDATE, UPDATE},
}
DEADLINE = 3.0
MOST_FOLLOWUPS = 5
"""Where the bot is no member."""


def callback(world: World, call: Call) -> Answer:
    """The first answer, within three seconds and once."""
    use = _interaction(world, call.path["token"])
    took = call.at - use.at
    if use.callback is not None:
        repeat = Refusal(400, 40060, "Interaction has already been acknowledged.")
        raise repeat
    if took > DEADLINE or world.faults.interactions_too_late:
        late = not world.faults.interactions_too_late
        raise Refusal(404, 10062, "Unknown interaction", fault=late)
    kind = call.body.get("type")
    if kind not in ALLOWED[use.kind]:
        raise invalid("type", f"{kind} does not answer an interaction of kind {use.kind}")
    _first_answer(world, use, call, kind)
    use.callback = {"type": kind} | (call.body.get("data") or {})
    use.acknowledged_after = took
    world.ring()
    return (200, _response(world, use)) if call.query.get("with_response") == "1" else (204, None)


def _response(world: World, use: Interaction) -> object:
    kind = use.callback["type"] if use.callback else 0
    shown = {MESSAGE: use.original, UPDATE: use.message}.get(kind)
    kept = {"id": str(use.id), "type": use.kind}
    if use.original is not None:
        kept["response_message_id"] = str(use.original.id)
        kept["response_message_ephemeral"] = bool(use.original.flags & EPHEMERAL)
    if shown is None:
        return {"interaction": kept}
    resource = {"type": kind, "message": payloads.message(shown, world.address)}
    return {"interaction": kept, "resource": resource}


def _first_answer(world: World, use: Interaction, call: Call, kind: int) -> None:
    data = call.body.get("data") or {}
    inner = Call(name=call.name, path=call.path, query=call.query, body=data, files=call.files)
    if kind == CHOICES:
        _check_choices(data)
    elif kind == MESSAGE:
        check_message(data, interaction=True)
        use.original = _say(world, use, inner)
    elif kind == DEFER:
        if set(data) - {"flags"}:
            raise invalid("data", "a deferral carries nothing but flags")
        use.original = _thinking(world, use, data.get("flags", 0))
    elif kind == MODAL_ANSWER:
        check_modal(data)
    elif kind == UPDATE and use.message is not None:
        apply_edit(world, use.message, inner)


def _check_choices(data: dict[str, list[dict[str, str]]]) -> None:
    choices = data.get("choices", [])
    if len(choices) > 25:
        raise invalid("choices", "Must be 25 or fewer in length.")
    for choice in choices:
        check_choice(choice)


def _describe(use: Interaction) -> Json:
    """The interaction, as messages that answer it tell of it."""
    told: Json = {"id": str(use.id), "type": use.kind, "user": payloads.user(use.person)}
    told["authorizing_integration_owners"] = use.owners
    if use.original is not None:
        told["original_response_message_id"] = str(use.original.id)
    if use.kind == COMPONENT and use.message is not None:
        told["interacted_message_id"] = str(use.message.id)
    if use.trigger is not None:
        told["triggering_interaction_metadata"] = _describe(use.trigger)
    return told


def _say(world: World, use: Interaction, call: Call) -> Message:
    said = Message(world.ids.next(), use.place, world.bot, call.body.get("content") or "")
    said.type = COMMAND if use.kind in (SLASH, MODAL) else said.type
    said.interaction = _describe(use)
    fill(world, said, call)
    if said.flags & EPHEMERAL:
        said.seen_only_by = use.person.id
    return world.add_message(said)


def _thinking(world: World, use: Interaction, flags: int) -> Message:
    said = Message(world.ids.next(), use.place, world.bot, "", type=COMMAND, flags=flags | LOADING)
    said.interaction = _describe(use)
    if flags & EPHEMERAL:
        said.seen_only_by = use.person.id
    return world.add_message(said)


def _interaction(world: World, token: str) -> Interaction:
    use = world.interactions.get(token)
    if use is None:
        raise Refusal(404, 10062, "Unknown interaction", fault=True)
    return use


def _answered(world: World, call: Call) -> Interaction:
    use = world.interactions.get(call.path["token"])
    if world.faults.tokens_expired:
        raise Refusal(401, 50027, "Invalid Webhook Token")
    if use is None or use.callback is None:
        raise Refusal(404, 10015, "Unknown Webhook", fault=True)
    return use


def follow_up(world: World, call: Call) -> Answer:
    """A further message; the first one after a deferral takes its place."""
    use = _answered(world, call)
    check_message(call.body, interaction=True)
    if use.is_by_person_alone and len(use.followups) >= MOST_FOLLOWUPS:
        why = "This interaction has reached its maximum number of follow up messages."
        raise Refusal(400, 40094, why)
    waiting = use.original
    if waiting is not None and waiting.flags & LOADING:
        waiting.flags &= ~LOADING
        waiting.content = call.body.get("content") or ""
        fill(world, waiting, call)
        world.tell_message("MESSAGE_UPDATE", waiting)
        return 200, payloads.message(waiting, world.address)
    said = _say(world, use, call)
    use.followups.append(said)
    return 200, payloads.message(said, world.address)


def _found(world: World, call: Call) -> Message:
    use = _answered(world, call)
    if call.path["message"] == "@original":
        said = use.original or use.message
    else:
        known = [m for m in [use.original, *use.followups] if m is not None]
        said = next((m for m in known if m.id == int(call.path["message"])), None)
    if said is None or said.deleted:
        raise Refusal(404, 10008, "Unknown Message")
    return said


def get(world: World, call: Call) -> Answer:
    return 200, payloads.message(_found(world, call), world.address)


def edit(world: World, call: Call) -> Answer:
    said = _found(world, call)
    said.flags &= ~LOADING
    apply_edit(world, said, call)
    return 200, payloads.message(said, world.address)


def delete(world: World, call: Call) -> Answer:
    world.remove(_found(world, call))
    return 204, None
