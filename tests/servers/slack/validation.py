"""blocks.validate: what is wrong with blocks, a message or a view, without sending it."""

from tests.servers.slack import blocks, views
from tests.servers.slack.calls import SlackRefusal
from tests.servers.slack.workspace import Json


def validate(args: Json) -> Json:
    """Refuse what the methods that send it would refuse, with every reason."""
    given = [name for name in ("blocks", "message", "view") if args.get(name) is not None]
    if len(given) != 1:
        raise SlackRefusal("invalid_arguments")
    (name,) = given
    match name:
        case "view":
            problems = list(views.complaints(args["view"], str(args["view"].get("type"))))
        case "message":
            problems = list(blocks.complaints(args["message"].get("blocks", [])))
        case _:
            problems = list(blocks.complaints(args["blocks"]))
    if problems:
        errors = [{"pointer": "", "code": "failed_constraint", "message": p} for p in problems]
        raise SlackRefusal(f"invalid_{name}", errors=errors)
    return {}
