"""What the planner answers when there is nothing to do, or when it cannot tell what."""

from adapters.embedded.planner.deciding import Decision
from adapters.embedded.planner.lacking import spoken_of_in_vain
from adapters.embedded.planner.view import View
from adapters.embedded.planner.words import GREETING_SIGNS, GREETINGS, THANKS, THANKS_SIGNS, says
from pipeline.domain import Sentence

_ABOUT = [
    "what can you",
    "what do you do",
    "how do you work",
    "how does this work",
    "help",
    "who are you",
    "was kannst",
    "wie funktionier",
    "wer bist",
    "hilfe",
    "qué puedes",
    "que puedes",
    "cómo funciona",
    "quién eres",
    "ayuda",
    "tu sais faire",
    "tu peux faire",
    "comment tu marche",
    "qui es",
    "aide",
    "o que você",
    "cosa sai",
    "cosa puoi",
    "wat kun je",
    "что ты умеешь",
    "你能做",
    "你会做",
    "何ができ",
    "なにができ",
    "뭐 할 수",
    "neler yap",
]


def talk(view: View) -> Sentence:
    """The reply to a message that asks for no task."""
    low = view.text.lower()
    if not low.strip():
        return Sentence("planner-empty-with-files" if view.files else "planner-empty")
    if any(about in low for about in _ABOUT):
        return Sentence("planner-about")
    if says(low, THANKS) or _shows(low, THANKS_SIGNS):
        return Sentence("planner-welcome")
    if says(low, GREETINGS) or _shows(low, GREETING_SIGNS):
        return Sentence("planner-hello")
    return spoken_of_in_vain(view.text, view.types) or Sentence("planner-no-talk")


def _shows(text: str, signs: frozenset[str]) -> bool:
    """Whether a text is one of these signs and no words."""
    return bool(signs & {*text}) and not any(map(str.isalnum, text))


def question(decision: Decision, view: View) -> Sentence:
    """One short question instead of a guess."""
    first, second = decision.chosen.kinds, decision.chosen.second
    if not first or not second or not (set(first) ^ set(second)):
        return Sentence("planner-unsure-files" if view.files else "planner-unsure")
    return Sentence(
        "planner-unsure-between", {"first": _spelled(first), "second": _spelled(second)}
    )


def _spelled(kinds: tuple[str, ...]) -> str | Sentence:
    """Several kinds in the order in which they would be done."""
    if len(kinds) == 1:
        return kinds[0]
    return Sentence("planner-and", {"first": _spelled(kinds[:-1]), "second": kinds[-1]})
