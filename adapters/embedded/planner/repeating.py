"""Requests that say only what is to be other than in an earlier one: "again", "the same with this one", "no, the second one", "in Spanish instead"."""

# ruff: noqa: RUF001, SIM905 - words of many scripts

import re
from collections.abc import Sequence
from dataclasses import replace

from adapters.embedded.planner.asked import is_mere_talk, lacks_file
from adapters.embedded.planner.words import idle, language_in, language_word
from pipeline.domain import Context, NamedFile, Request, Turn

_LONGEST = 60
"""Characters of a request that may be one of these."""
_AGAIN = (
    r"(?:please\s+|bitte\s+)?(?:(?:(?:try|do|run|make)\s+)?(?:(?:it|that|this)\s+)?(?:again|once more|one more time)|retry|"
    r"(?:(?:versuch\w*|mach\w*|probier\w*)\s+)?(?:(?:das|es)\s+)?(?:noch\s?ein\s?mal|nochmals?|erneut)|"
    r"(?:essaie\s+)?encore(?: une fois)?|réessaie|recommence|refais(?:-le)?|"
    r"(?:(?:inténtalo|hazlo|prueba)\s+)?(?:otra vez|de nuevo)|repítelo|"
    r"ancora(?: una volta)?|di nuovo|riprova|rifallo|(?:tenta\s+)?(?:de novo|outra vez)|(?:probeer\s+(?:het\s+)?)?(?:nog een keer|opnieuw)|"
    r"(?:попробуй\s+)?(?:ещё|еще) раз|снова|tekrar(?: dene)?|bir daha|yeniden|다시(?: 해\s?줘)?|한 번 더|"
    r"再(?:来|试|做)?(?:一[次遍下])|再试试|重[试做来]|もう(?:一|1)[度回](?:やって|試して|お願い(?:します)?)?|再度|やり直して)"
    r"(?:\s+(?:please|bitte|s'il te plaît|stp|por favor|per favore|alsjeblieft))?"
)
_SAME = (
    r"(?:(?:and|now|please|ok|do|can you do|could you do|und|nun|jetzt|bitte|mach\w*|et|fais|maintenant|y|ahora|haz|e|fai|faz|en|doe|и|сделай)\s+)*"
    r"(?:(?:the )?same|ditto|dasselbe|das ?gleiche|ebenso|genauso|la même chose|pareil|idem|lo mismo|la stessa cosa|lo stesso|"
    r"[oa] mesm[oa](?: coisa)?|hetzelfde|то же(?: самое)?|aynısını|aynı şeyi)"
    r"(?=\s*(?:$|[.!?,:]|(?:thing|again|treatment|for|with|to|on|here|please|this|mit|für|bei|auf|hier|bitte|nochmal|pour|avec|sur|ici|"
    r"con|para|en|aquí|per|qui|com|aqui|met|voor|с|для|bunun|bu|bununla)\b))"
    r"|.{0,8}(?:也一样|一样处理|同样|照样|照做|也这样|同じ(?:ように|こと)|同様に|똑같이|마찬가지)"
)
_NO = (
    r"(?:no|nope|not that|oops|sorry|wait|nein|nicht|non|pas|perd[oó]n|pardon|désolée?|nee|não|нет|hayır)\b|不|错了|いや|いえ|違|아니"
    r"|.*(?:\bi meant?\b|\bi wanted\b|\binstead\b|\bich meine?\b|\bich meinte\b|\blieber\b|\bstattdessen\b|\bje voulais\b|\bplutôt\b|"
    r"\bquise decir\b|\bme refer[íi]a\b|\bmejor en\b|\ben vez\b|\bintendevo\b|\binvece\b|\bem vez\b|我是说|我指的是|改成|のほう|の方)"
)
_MEANT = _NO + r"|(?:and|now|und|et|y|e|en|и)\b"
_POINTS = (
    r"(?P<and>and|und|et|y|e|en|и|ve|那)?\s*(?:¿\s*y\s+|¿\s*)?(?:(?:for|with|on|in|about|mit|bei|auf|in dem|auf dem|pour|avec|sur|con|en|per)\s+)?"
    r"(?:this|that|these|here|this one|diese[rsnm]?|das|dem|hier|celle-ci|celui-ci|ça|ceci|celle-là|ici|esta|este|esto|aquí|questa|questo|qui|"
    r"deze|dit|это|эта|тут|bu|bunu|这[张个段份]?|この(?:写真|画像)?|これ|こちら|ここ|이거|이건)"
    r"(?:\s+(?:one|here|hier))?\s*(?P<ask>[呢は]?\s*[?？]|[呢は]$|も$)?[.!。！]*"
)
_HERE = frozenset(
    "here hier voici voilà tiens aquí ten toma ecco aqui tieni вот işte sure ok okay yes ja oui sí si here's 给 给你 在这里 这里 这是文件 どうぞ これです ここです 여기 여기요".split()
)


def taken_up(request: Request) -> Request:
    """The request as it is meant: an earlier one, where this one says only what is other about it."""
    text = request.text.strip().strip("¿¡").casefold()
    if len(text) > _LONGEST or not request.context.turns:
        return request
    earlier = _earlier(request)
    if earlier is None:
        return request
    asked, prior = earlier
    if request.files:
        goes_on = _same(text) or _points(text) or (asked and _hands_over(text))
        return _with_files(prior, request.files, asked=asked) if goes_on else request
    if re.fullmatch(rf"(?:{_AGAIN})[\s.!?。！？]*", text):
        return prior
    return _other_language(request, prior) or request


def corrected(request: Request) -> Request | None:
    """The earlier request for which other files of its thread may be meant ("no, the second one"); None where none is."""
    text = request.text.strip().casefold()
    if request.files or len(text) > _LONGEST or not (_same(text) or re.match(_MEANT, text)):
        return None
    earlier = _earlier(request)
    return earlier[1] if earlier and not earlier[0] else None


def with_files(prior: Request, files: Sequence[NamedFile]) -> Request:
    """An earlier request with other files in the place of its own."""
    return _with_files(prior, files, asked=False)


def _earlier(request: Request) -> tuple[bool, Request] | None:
    """The last request that was answered, as it was meant then; and whether the answer asked for a file."""
    turns, locale = request.context.turns, request.person.locale
    at = len(turns) - 1
    while at > 0:
        said = turns[at]
        asked = said.person.is_bot and lacks_file(said.text, locale)
        if said.person.is_bot and (asked or not is_mere_talk(said.text, locale)):
            before = _person_before(turns, at)
            return None if before is None else (asked, _as_of(request, before))
        at -= 1
    return None


def _person_before(turns: Sequence[Turn], at: int) -> int | None:
    return next((i for i in range(at - 1, -1, -1) if not turns[i].person.is_bot), None)


def _as_of(request: Request, at: int) -> Request:
    """The request that a turn was, with what stood before it."""
    turn, context = request.context.turns[at], request.context
    before = replace(context, turns=context.turns[:at])
    return taken_up(replace(request, text=turn.text, files=turn.files, unused=(), context=before))


def _with_files(prior: Request, files: Sequence[NamedFile], *, asked: bool) -> Request:
    if asked:
        return replace(prior, files=(*prior.files, *files))
    turns = tuple(replace(turn, files=()) for turn in prior.context.turns)
    return replace(prior, files=tuple(files), context=Context(turns))


def _same(text: str) -> bool:
    return bool(re.match(_SAME, text))


def _points(text: str) -> bool:
    """Whether a text is but "and this one?"."""
    match = re.fullmatch(_POINTS, text)
    return bool(match and (match["and"] or match["ask"]))


def _hands_over(text: str) -> bool:
    """Whether a text says nothing but "here you are"."""
    words = re.findall(r"[^\W_]+", text)
    return not words or words[0] in _HERE or idle(text)


def _other_language(request: Request, prior: Request) -> Request | None:
    """An earlier request with another language in it."""
    text = request.text.strip()
    now, then = language_in(text), language_in(prior.text)
    if not now or not then or now == then or not re.match(_NO, text.casefold()):
        return None
    said, other = language_word(prior.text), language_word(text)
    return replace(prior, text=other.join(prior.text.rsplit(said, 1)))
