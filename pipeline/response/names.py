"""Names in an answer: none of persons, animals or places that neither the request nor an expert gave, where experts looked at files."""

# ruff: noqa: RUF001 - signs that people type

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.domain import FILE_TYPES, Plan, Request, Type
from pipeline.response.edits import Edits
from pipeline.response.record import READING, Record
from pipeline.response.tongues import is_english, is_foreign, is_german, language_of, other_letters
from pipeline.response.vocabulary import LARGE, normal

_SEVERAL = re.compile(
    r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?(?P<name>[A-Z][a-zà-öø-ÿ]+(?:[ -](?:von |van |de |of )?[A-Z][a-zà-öø-ÿ]+)+)\b"
)
_SINGLE = re.compile(r"(?<![\w'’.@/#-])(?P<name>[A-Z][a-zà-öø-ÿ]{2,})(?![\w/@]|-\w|\.\w)")
_LEADS = re.compile(
    r"\b(?:name (?:is|was|may be|might be|seems to be)|named|called|nicknamed|Mr\.?|Mrs\.?|Ms\.?|Dr\.|Prof\."
    r"|Name(?: (?:des|der|von) \w+)? (?:ist|lautet)|(?<!as )heißt|namens|Herrn?"
    r"|nommée?|nom (?:du |de la |de l['’]|de )\w+ est|Mme|Mlle|se llaman?|llamad[oa]|nombre (?:del|de la|de) \w+ es|Sra?\."
    r"|si chiama(?:no)?|se chama|chamad[oa]|heet|genaamd|[ms]['’]appell(?:e|ent)) (?P<name>[A-ZÀ-Ý][a-zà-öø-ÿ]+)(?![\w/@]|\.\w)"
)
"""Words that a name follows, also where capital letters say little."""
_NO_NAMES = frozenset({"Folgendes", "Sie", "Ihr", "Ihnen", "Es", "It", "The", "This"})
_HEADING = re.compile(r"^[ \t]*(?:#|\*\*|- \*\*)[^\n]*$", re.MULTILINE)
_WITHIN = re.compile(r"[^\W\d_][,;]?['’]?[ \u00a0][*_(]*\Z")
"""Before a word that does not begin a sentence."""
_NUMBERED = re.compile(r"[ \u00a0]#?(?:\d|[A-Z]\b)")
_LIKE_NAMES = re.compile(r"\b(?:[A-ZÀ-Ý][a-zà-öø-ÿ]{2,}|[a-zà-öø-ÿ]{5,})")
"""Captions are often without capital letters; short words are like too many names."""
_SAME, _LONGER = 4, 3
_ROMANCE = frozenset({"fr", "es", "it", "pt"})
_CAPITAL = re.compile(r"[A-ZÀ-Ý]")
_TABLE = Path(__file__).with_name("names.txt")


@dataclass(frozen=True, slots=True)
class _Given:
    """The names that people and experts gave."""

    known: Record
    words: str
    names: frozenset[str]

    def has(self, name: str) -> bool:
        """Whether a name was given, also by its last part or in another form of it ("Rom", "Rome")."""
        rest = name.partition(" ")[2] or name
        words = re.split(r"[ -]", rest)
        if all(word in LARGE or word.removesuffix("s") in LARGE for word in words):
            return True
        if self.known.says(name) or self.known.says(rest):
            return True
        if f" {normal(name)} " in self.words:
            return True
        if any(self.known.says(other) for other in _variants().get(name, ())):
            return True
        last = _folded(name.rsplit(maxsplit=1)[-1])
        return any(
            abs(len(last) - len(other)) <= _LONGER
            and (last[:_SAME] == other[:_SAME] or last.startswith(other))
            for other in self.names
        )


def look_at_names(edits: Edits, known: Record, request: Request, plan: Plan) -> None:
    """Marks the names that nobody gave, as far as they can be told from other words in the answer's language."""
    kinds = [task.kind for task in plan.tasks]
    looked = any(FILE_TYPES & set(slot.types) for kind in kinds for slot in kind.takes)
    if not looked and not any(slot.type is Type.SPANS for kind in kinds for slot in kind.makes):
        return
    given = _given(known, request)
    translated = any(kind.name == "translation" for kind in kinds)
    alike = not translated and not any(map(other_letters, known.told))
    for heading in _HEADING.finditer(edits.text):
        if alike:
            _mark(edits, given, _well_known().finditer(edits.text, *heading.span()))
        edits.settle(*heading.span())
    if not _nouns_are_large(edits.text, request) and not any(map(other_letters, known.told)):
        _mark(edits, given, edits.open(_SEVERAL))
    if translated:
        return
    _mark(edits, given, edits.open(_LEADS))
    if _in_english(edits.text, known, request, plan) or _tells_by_capitals(edits.text, known):
        _mark(edits, given, _within_sentences(edits))
    if alike:
        _mark(edits, given, edits.open(_well_known()))


def _mark(edits: Edits, given: _Given, names: Iterator[re.Match[str]]) -> None:
    for found in names:
        if found["name"] not in _NO_NAMES and not given.has(found["name"]):
            edits.mark(found.start("name"), found.end())


def _nouns_are_large(text: str, request: Request) -> bool:
    """Whether an answer is in German; where its own words do not tell, as the person speaks."""
    asked = is_german(request.text) or request.person.locale.startswith("de")
    return is_german(text) or (asked and not is_english(text))


def _in_english(text: str, known: Record, request: Request, plan: Plan) -> bool:
    """Whether answer and results are in English: names have other forms in other languages."""
    answered = is_english(text) or (not is_foreign(text) and is_english(request.text))
    read = any(task.kind.name in READING for task in plan.tasks)
    if not answered or any(map(is_foreign, known.told)):
        return False
    return not read or is_english(" ".join(known.told[1:]))


def _tells_by_capitals(text: str, known: Record) -> bool:
    """Whether an answer is in a language that writes nothing but names large, and the results have no name in some other form."""
    found = known.told[1:]
    return language_of(text, "") in _ROMANCE and not any(map(_CAPITAL.search, found))


@cache
def _well_known() -> re.Pattern[str]:
    """Names that are nothing else, wherever they stand."""
    words = sorted({name for line in _table() for name in line}, key=len, reverse=True)
    return re.compile(rf"(?<![\w'’.@/#-])(?P<name>{'|'.join(words)})(?!['’]?[\w/@]|-\w|\.\w)")


@cache
def _table() -> tuple[tuple[str, ...], ...]:
    lines = _TABLE.read_text("utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line and line[0] not in "[#")


@cache
def _variants() -> Mapping[str, frozenset[str]]:
    """What a place is called elsewhere."""
    places = _TABLE.read_text("utf-8").partition("[places]\n")[2].splitlines()
    return {name: frozenset(line.split()) for line in places for name in line.split()}


def _within_sentences(edits: Edits) -> Iterator[re.Match[str]]:
    """Words with a capital letter that begin no sentence: English writes little else than names like that."""
    for found in edits.open(_SINGLE):
        within = _WITHIN.search(edits.text, max(0, found.start() - 8), found.start())
        if within and not _NUMBERED.match(edits.text, found.end()):
            yield found


def _given(known: Record, request: Request) -> _Given:
    """From the record, and from what was said in the thread."""
    said = [request.person.name, request.context.summary]
    said += [f"{turn.person.name} {turn.text}" for turn in request.context.turns]
    names = {_folded(name) for text in (*known.texts, *said) for name in _LIKE_NAMES.findall(text)}
    return _Given(known, f" {' | '.join(map(normal, said))} ", frozenset(names))


def _folded(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
