"""What a text points at: files of the thread by name, place or type, and earlier answers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from adapters.embedded.planner.lexicon import RuleMatch, TaggedText, lexicon, tag, tokenize
from pipeline.domain import Attachment, Type

_NOUNS = tuple(f"file.{kind}" for kind in ("image", "audio", "video", "document", "table"))
_PLACES = {
    **{f"place.{at}": at - 1 for at in range(1, 6)},
    "place.first": 0,
    "place.last": -1,
}
_COUNTS = tuple(f"count.{count}" for count in range(2, 6))
_PLAIN = (*_NOUNS, "nouns", "picture", "document", "table", "video", "sound-file", "screenshot")
_RANGE = ("-", "–")  # noqa: RUF001 - a range of numbers
_LEAST, _LONG = 3, 5
"""Letters of a word that tells files apart, and from which its beginning is enough."""
_STANDS_FOR: Mapping[Type, frozenset[Type]] = {
    Type.IMAGE: frozenset({Type.IMAGE, Type.VIDEO, Type.DOCUMENT}),
    Type.AUDIO: frozenset({Type.AUDIO, Type.VIDEO}),
    Type.VIDEO: frozenset({Type.VIDEO, Type.AUDIO}),
    Type.DOCUMENT: frozenset({Type.DOCUMENT, Type.IMAGE, Type.TABLE}),
    Type.TABLE: frozenset({Type.TABLE, Type.DOCUMENT, Type.IMAGE}),
}
"""Type that is spoken of → the types of files that people may mean."""
RESULTS: Mapping[str, frozenset[str]] = {
    "result.summary": frozenset({"summarization"}),
    "result.translation": frozenset({"translation"}),
    "result.transcript": frozenset({"automatic-speech-recognition"}),
    "result.answer": frozenset(),
    "result.description": frozenset({"image-to-text"}),
    "result.writing": frozenset({"text-generation", "text2text-generation", "conversational"}),
    "result.text": frozenset(),
    "result.version": frozenset({"translation"}),
}
"""Group of words → the kinds that make such a result; none where any may."""


@dataclass(frozen=True, slots=True)
class ThreadFile:
    """A file under the name people use for it. `turn` is the place of the one it came with."""

    name: str
    attachment: Attachment
    turn: int = -1
    made: bool = False
    """Whether the bot made it."""

    @property
    def type(self) -> Type:
        return self.attachment.type

    @property
    def stem(self) -> str:
        own = self.attachment.name
        return own.rpartition(".")[0] or own


@dataclass(frozen=True, slots=True)
class ResultName:
    """Words that name an earlier result: where they stand, and what the model reads instead."""

    group: str
    start: int
    end: int
    words: str
    stand_in: str


def find_files(
    before: Sequence[ThreadFile],
    sent: Sequence[ThreadFile],
    types: Collection[Type],
    said: str,
    whole: str,
) -> tuple[ThreadFile, ...]:
    """The files that a task takes of these types.

    Those that the words of the task (`said`) or the request (`whole`) name or point at, else those
    of this message, else the newest earlier one. None where a place is named that no file has.
    """
    pool = [file for file in (*before, *sent) if file.type in types]
    sent = [file for file in sent if file.type in types]
    for text in dict.fromkeys((said, whole) if said else ()):
        if named := named_files(pool, text):
            return named
        if text == said or len(mentioned_types(text)) < 2:  # noqa: PLR2004 - of several, which?
            pointed = _pointed_files(_of_type(pool, text), _of_type(sent, text), text)
            if pointed is not None:
                return pointed
    return tuple(_of_type(sent, said) or _of_type(pool, said)[-1:])


def meant_files(files: Sequence[ThreadFile], said: str) -> tuple[ThreadFile, ...]:
    """The files that a text names or points at; () where it does neither."""
    return (named_files(files, said) or _pointed_files(files, (), said) or ()) if files else ()


def only_says_which(said: str, files: Sequence[ThreadFile]) -> bool:
    """Whether a text says nothing but which files are meant."""
    names = {word for file in files for word in tokenize(file.attachment.name)}
    groups = ("correction", "idle", "the", "no", *_PLAIN, *_PLACES, "place.middle", *_COUNTS)
    left = tag(said).find_uncovered(
        *groups, "other", "previous", "original", "number", "what_about"
    )
    return all(word in names or word.isdigit() for word in left)


def named_files(files: Sequence[ThreadFile], said: str) -> tuple[ThreadFile, ...]:
    """The files that a text names, in the surest of the ways in which it names any."""
    tagged = tag(said)
    stems = [[word for word in tokenize(file.stem) if _tells_apart(word)] for file in files]
    words = [word for stem in stems for word in set(stem)]
    own = [{word for word in stem if words.count(word) == 1} for stem in stems]
    misspelt = [
        name
        for (_, end), word in zip(tagged.spans, tagged.words, strict=True)
        if tagged.text[end : end + 1] == "." and len(word) >= _LONG
        for name in get_close_matches(word, [file.stem.casefold() for file in files], 1, 0.8)
    ]
    ways = (
        [_has_number(file, tagged) or _has_name(file, tagged) for file in files],
        [any(_is_said(word, tagged) for word in mine) for mine in own],
        [file.stem.casefold() in misspelt for file in files],
    )
    for way in ways:
        if any(way):
            return tuple(file for file, yes in zip(files, way, strict=True) if yes)
    return ()


def mentioned_types(text: str) -> tuple[Type, ...]:
    """The types of files that a text speaks of as being there ("the picture"), in its order."""
    tagged = tag(text)
    there = []
    for match in tagged.find(*_NOUNS):
        between = tagged.before(match.first, "between")
        if tagged.before(between.first if between else match.first, "the"):
            there.append(match.group)
    return tuple(dict.fromkeys(Type(group.removeprefix("file.")) for group in there))


def absent_type(text: str, there: Collection[Type]) -> Type | None:
    """A type of file that a text speaks of, where nothing that may be meant is there."""
    gone = (kind for kind in mentioned_types(text) if not _STANDS_FOR[kind] & set(there))
    return next(gone, None)


def find_result_name(text: str) -> ResultName | None:
    """The first name of an earlier result in a text ("that summary"), with what leads to it."""
    tagged = tag(text)
    for match in tagged.matches:
        group, _, language = match.group.partition("@")
        if group not in RESULTS or (
            tagged.at(match.last, "of") and not tagged.at(match.last, "no_of")
        ):
            continue
        leader = "that" if group == "result.text" else "the"
        led = tagged.before(match.first, leader)
        if led is None and match.first:  # a word between: "the German translation"
            led = tagged.before(match.first - 1, leader)
        spaceless = language in ("zh", "ja")
        if led is None and (not spaceless or tagged.before(match.first, "of_before")):
            continue
        first, last = led.first if led else match.first, match.last
        for other in tagged.matches if group == "result.version" else ():
            if other.group.startswith("language."):  # "the version in German"
                first = other.first if other.last == first else first
                last = other.last if other.first - last in (0, 1) else last
        start, end = tagged.spans[first][0], tagged.spans[last - 1][1]
        stand_in = lexicon().words[f"stand_in@{language}"][0].replace("_", " ")
        return ResultName(group, start, end, text[start:end], stand_in)
    return None


def find_places(said: str, count: int) -> tuple[int, ...]:
    """The places that a text names among so many things, from 0; they may lie outside."""
    tagged = tag(said)
    places = _numbers(tagged)
    for match in tagged.find(*_PLACES):
        if not _is_measure(tagged, match):
            places |= _counted_places(tagged, match, count)
    if tagged.has("place.middle") and count > 2:  # noqa: PLR2004 - two have no middle
        places.add(count // 2)
    if places and tagged.has("except"):
        places = set(range(count)) - places
    return tuple(sorted(places))


def _tells_apart(word: str) -> bool:
    return len(word) >= _LEAST and not tag(word).has(*_PLAIN, "idle", "little")


def _is_said(word: str, tagged: TaggedText) -> bool:
    return any(
        word == said or (len(said) >= _LONG and word.startswith(said)) or said.startswith(word)
        for said in tagged.words
        if len(said) >= _LEAST and (word == said or len(word) >= _LONG)
    )


def _has_number(file: ThreadFile, tagged: TaggedText) -> bool:
    """Whether a text calls a file by its number among those of its type ("Bild 2")."""
    number = file.name.rpartition(" ")[2]
    after = {match.last for match in tagged.find(f"file.{file.type.value}")}
    after |= {match.last for match in tagged.find("number") if match.first in after}
    return any(tagged.words[at : at + 1] == (number,) for at in after)


def _has_name(file: ThreadFile, tagged: TaggedText) -> bool:
    stem = tokenize(file.stem)
    names = [tokenize(file.attachment.name)]
    if "".join(stem).isalpha() or len(stem) > 1:
        names += [stem] if any(_tells_apart(word) for word in stem) or len(stem) > _LEAST else []
    sizes = ((name, len(name)) for name in names if name)
    starts = range(len(tagged.words))
    return any(tagged.words[at : at + size] == name for name, size in sizes for at in starts)


def _of_type(files: Sequence[ThreadFile], said: str) -> list[ThreadFile]:
    """Those of the one type that is spoken of, if there are any."""
    kinds = mentioned_types(said)
    return [file for file in files if len(kinds) == 1 and file.type in kinds] or [*files]


def _pointed_files(
    pool: Sequence[ThreadFile], sent: Sequence[ThreadFile], said: str
) -> tuple[ThreadFile, ...] | None:
    """The files that a text points at; None where it points at none."""
    tagged, alone = tag(said), len(pool) < 2  # noqa: PLR2004 - nothing to choose from
    if not sent and tagged.has("original"):
        return tuple([file for file in pool if not file.made][-1:] or pool[:1])
    if tagged.has("previous") or (len(sent) < 2 and tagged.has("other")):  # noqa: PLR2004
        before = [file for file in pool if file not in sent] if sent else pool[:-1]
        return tuple(before[-1:]) or None
    if alone:
        return None
    last = [file for file in pool if file.turn == pool[-1].turn]
    group = sent or (last if len(last) > 1 else pool)
    places = find_places(said, len(group))
    inside = (f for f in (group, pool) if places and 0 <= places[0] <= places[-1] < len(f))
    if places:
        return tuple(files[at] for files in [*inside][:1] for at in places)
    together = tagged.has("all", "both") or (group[0].turn == group[-1].turn and tagged.has("them"))
    both = tagged.has("both") and not sent
    return tuple(group[-2:] if both else group) if together and not sent else None


def _is_measure(tagged: TaggedText, match: RuleMatch) -> bool:
    """Whether a word for a place means something else: the first ten seconds, a third."""
    after = match.last
    if counted := tagged.at(after, *_COUNTS):
        after = counted.last
    elif tagged.words[after : after + 1] and tagged.words[after].isdigit():
        after += 1
    elsewhere = (other.first <= match.first < other.last for other in tagged.find("no_place"))
    number = match.first > 0 and tagged.words[match.first - 1].isdigit()
    return any(elsewhere) or number or tagged.at(after, "measured") is not None


def _counted_places(tagged: TaggedText, match: RuleMatch, count: int) -> set[int]:
    """A place, or the first or last few where a number stands beside it."""
    place = _PLACES[match.group]
    beside = tagged.at(match.last, *_COUNTS) or tagged.before(match.first, *_COUNTS)
    beside = beside or tagged.at(match.last - 1, *_COUNTS)
    if beside and place in (0, -1):
        many = int(beside.group[-1])
        return {*range(many)} if place == 0 else {*range(max(count - many, 0), count)}
    return {place % max(count, place + 1)}


def _numbers(tagged: TaggedText) -> set[int]:
    """The places that follow a word for a file or a number sign: "images 1-3", "#2"."""
    found: set[int] = set()
    led, end = False, 0  # whether the number before counted, and where it ended
    for at, (word, (start, stop)) in enumerate(zip(tagged.words, tagged.spans, strict=True)):
        between, joint = tagged.text[end:start].strip(), tagged.at(at, "joint", "conjunction", "to")
        named = tagged.before(at, "number", *_NOUNS) or tagged.text[:start].endswith("#")
        if not (word.isdecimal() and len(word) < _LEAST):
            led = led and joint is not None
        elif (named or led) and tagged.text[stop : stop + 1] not in {*"%:/x×"}:
            ranged = led and (between in _RANGE or tagged.before(at, "to"))
            found |= set(range(max(found) if ranged and found else int(word) - 1, int(word)))
            led, end = True, stop
        else:
            led = False
    return {place for place in found if place >= 0}
