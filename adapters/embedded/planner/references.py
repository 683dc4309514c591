"""What a text points at: files of the thread by name, place or type, and earlier results."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from adapters.embedded.lexicon import phrases
from adapters.embedded.planner.tagging import RuleMatch, TaggedText, is_spaceless, tag, tokenize
from pipeline.domain import Attachment, NamedFile, Type

_PLACES = {**{str(at): at - 1 for at in range(1, 6)}, "first": 0, "last": -1}
_PLAIN = ("file.*", "nouns", "picture", "document", "table", "video", "sound-file", "screenshot")
_LEAST = 3
"""Letters of a word that tells files apart."""
_UNITS = (*"%:/x×°",)
"""Signs after a number that does not count files."""
_MOST_NUMBERED = 20
"""A larger number beside a word for a file is no file: "rotate image 90 right"."""
_ALIKE = ({Type.AUDIO, Type.VIDEO}, {Type.IMAGE, Type.DOCUMENT, Type.TABLE})
"""Types of files that people call by each other's names."""
_THREAD = ("result.thread", "result.conversation")
_MOST_BETWEEN = 3
"""Words, or characters without spaces, between a person's name and the word for a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFile:
    """A file under the name people use for it. `turn` is the place of the one it came with."""

    name: str
    attachment: Attachment
    turn: int = -1
    made: bool = False
    """Whether the bot made it."""
    stem: tuple[str, ...] = ()
    """The words of its name, without the ending."""
    telling_words: frozenset[str] = frozenset()
    """Those that tell it from others: a result's repeat what was asked for."""

    @classmethod
    def of(cls, file: NamedFile, turn: int = -1, *, made: bool = False) -> "ThreadFile":
        """A file, its name looked up."""
        own = file.attachment.name
        stem = tokenize(own.rpartition(".")[0] or own)
        plain = (*_PLAIN, "idle", "little")
        telling = (word for word in stem if len(word) >= _LEAST and not tag(word).has(*plain))
        return cls(
            name=file.name,
            attachment=file.attachment,
            turn=turn,
            made=made,
            stem=stem,
            telling_words=frozenset(() if made else telling),
        )

    @property
    def type(self) -> Type:
        return self.attachment.type


@dataclass(frozen=True, slots=True)
class ResultName:
    """Words that name an earlier result or the thread, and where they stand.

    `kind`: what makes such a result, or "text", "answer", "thread", "conversation", or the name of
    the person whose message it is.
    """

    kind: str
    start: int
    end: int


def find_files(
    before: Sequence[ThreadFile],
    sent: Sequence[ThreadFile],
    types: Collection[Type],
    *texts: TaggedText,
    bare: bool = False,
) -> tuple[ThreadFile, ...]:
    """The files of these types that a task takes.

    They are the files that the first text naming any names; else those of this message; else those
    that came last, or the last one made. None if the words name a place that no file has.
    """
    pool = [file for file in (*before, *sent) if file.type in types]
    sent = [file for file in sent if file.type in types]
    for text in texts:
        meant = find_meant(_of_type(pool, text), text, _of_type(sent, text), bare=bare)
        if meant is not None:
            return meant
    earlier = _of_type(pool, texts[0])
    newest = [file for file in earlier if file.turn == earlier[-1].turn and not file.made]
    return tuple(_of_type(sent, texts[0]) or newest or earlier[-1:])


def find_meant(
    files: Sequence[ThreadFile],
    tagged: TaggedText,
    sent: Sequence[ThreadFile] = (),
    *,
    bare: bool = False,
) -> tuple[ThreadFile, ...] | None:
    """The files that a text names or points at; None where it does neither.

    `sent`: those of them that came with the text; `bare`: places stand for files by themselves.
    """
    named = find_named(files, tagged)
    if named or any(_numbers(tagged, file.type) for file in files):
        return named
    if not sent and _is_replaced(files, tagged):
        return tuple([file for file in files if file.turn < files[-1].turn][-1:]) or None
    if not sent and tagged.has("original"):
        return tuple([file for file in files if not file.made][-1:] or files[:1])
    if len(files) > 1 and tagged.has("previous"):
        return tuple([file for file in files if file not in (sent or files[-1:])][-1:]) or None
    return _find_placed(files, sent, tagged, bare=bare) if len(files) > 1 else None


def _is_replaced(files: Sequence[ThreadFile], tagged: TaggedText) -> bool:
    """Whether something else is wanted than what the bot made last: "in grey instead"."""
    corrects = any(not tagged.at(match.last, "of") for match in tagged.find("instead"))
    return corrects and bool(files) and files[-1].made


def _find_placed(
    files: Sequence[ThreadFile], sent: Sequence[ThreadFile], tagged: TaggedText, *, bare: bool
) -> tuple[ThreadFile, ...] | None:
    """The files at the places that a text names, or all: of those that came with it, or last."""
    last = [file for file in files if file.turn == files[-1].turn]
    group = sent or (last if len(last) > 1 else files)
    if places := find_places(tagged, len(group), bare=bare):
        chosen = group if places[-1] < len(group) else files
        return tuple(chosen[at] for at in places) if places[-1] < len(chosen) else ()
    together = tagged.has("all", "both") or (group[0].turn == group[-1].turn and tagged.has("them"))
    return tuple(group[-2:] if tagged.has("both") else group) if together else None


def find_named(files: Sequence[ThreadFile], tagged: TaggedText) -> tuple[ThreadFile, ...]:
    """The files that a text names: in full, else by a word that no other file's name holds.

    In full is with the ending, or without it if that is no part of another's name in full, or by
    number ("Bild 2").
    """
    newest = {file.attachment.name: file.turn for file in files}
    whole = [
        file
        for file in files
        if file.turn == newest[file.attachment.name]  # versions of a file share its name
        and _holds(tagged.words, tokenize(file.attachment.name))
    ]
    parts = [other for file in whole for other in files if _holds(file.stem, other.stem)]
    in_full = [
        file
        for file in files
        if file in whole
        or file.name.rpartition(" ")[2] in _numbers(tagged, file.type)
        or (file.telling_words and _holds(tagged.words, file.stem) and file not in parts)
    ]
    shared = Counter(word for file in files for word in file.telling_words)
    own = {word for word, count in shared.items() if count == 1} & {*tagged.words}
    return tuple(in_full or (file for file in files if own & file.telling_words))


def only_says_which(tagged: TaggedText, files: Sequence[ThreadFile]) -> bool:
    """Whether a text says nothing but which files are meant."""
    names = {word for file in files for word in tokenize(file.attachment.name)}
    groups = ("correction", "idle", "the", "no", *_PLAIN, "place.*", "count.*", "number")
    left = tagged.find_uncovered(*groups, "other", "previous", "original", "what_about")
    return all(word in names or word.isdigit() for word in left)


def find_absent_type(tagged: TaggedText, there: Collection[Type]) -> Type | None:
    """A type of file that a text speaks of, where nothing that may be meant is there."""
    for kind in _spoken_types(tagged):
        if not any(kind in alike and alike & {*there} for alike in _ALIKE):
            return kind
    return None


def find_result_name(tagged: TaggedText) -> ResultName | None:
    """The first name of an earlier result in a text ("that summary"), with what leads to it."""
    for match in tagged.find("result.*"):
        if match.group not in _THREAD and tagged.at(match.last, "of"):
            continue
        led = tagged.before(match.first, "that" if match.group == "result.text" else "the")
        bare = is_spaceless(tagged.text) and not tagged.before(match.first, "of_before")
        if led or bare:
            start = tagged.spans[led.first if led else match.first][0]
            return ResultName(match.member, start, tagged.span(match)[1])
    return None


def find_message_name(tagged: TaggedText, people: Collection[str]) -> ResultName | None:
    """Words for a message beside the name of one of these people: "Anna's message"."""
    for match in tagged.find("message"):
        led = tagged.before(match.first, "the")
        for person in people:
            name = "".join(tokenize(person)[:1])
            at = next(
                (at for at, word in enumerate(tagged.words) if word in (name, f"{name}s")), -1
            )
            before, after = match.first - at - 1, at - match.last
            if at >= 0 and 0 <= before <= _MOST_BETWEEN:
                return ResultName(person, tagged.spans[at][0], tagged.span(match)[1])
            if led and 0 <= after <= _MOST_BETWEEN:
                return ResultName(person, tagged.spans[led.first][0], tagged.spans[at][1])
    return None


def find_places(tagged: TaggedText, count: int, *, bare: bool = False) -> tuple[int, ...]:
    """The places that a text names among so many files, from 0; they may lie outside.

    They stand beside a word for a file or a number of them ("the first report", "the last two"),
    unless `bare`.
    """
    places = set[int]()
    for match in tagged.find("place.*"):
        place = _PLACES[match.member]
        beside = tagged.at(match.last, "count.*") or tagged.before(match.first, "count.*")
        is_file = bare or beside or _is_of_file(tagged, match)
        if not is_file or _is_measure(tagged, match, beside):
            continue
        if beside and place in (0, -1):
            many = int(beside.member)
            places |= {*(range(count)[:many] if place == 0 else range(count)[-many:])}
        else:
            places.add(place % max(count, place + 1))
    return tuple(sorted(places))


def _spoken_types(tagged: TaggedText) -> tuple[Type, ...]:
    """The types of files that a text speaks of as being there ("the picture"), in its order."""
    there = []
    for match in tagged.find("file.*"):
        between = tagged.before(match.first, "between")
        if tagged.before(between.first if between else match.first, "the"):
            there.append(Type(match.member))
    return tuple(dict.fromkeys(there))


def _of_type(files: Sequence[ThreadFile], tagged: TaggedText) -> list[ThreadFile]:
    """Those of the one type that is spoken of, if there are any."""
    kinds = _spoken_types(tagged)
    return [file for file in files if len(kinds) == 1 and file.type in kinds] or [*files]


def _holds(words: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the words of a name stand together among others."""
    return bool(name) and f" {' '.join(name)} " in f" {' '.join(words)} "


def _numbers(tagged: TaggedText, kind: Type) -> set[str]:
    """The numbers that files of a type are called by: "images 1 and 3", "#2"."""
    numbers, led = set[str](), False
    for at, (word, (start, stop)) in enumerate(zip(tagged.words, tagged.spans, strict=True)):
        if word.isdecimal():
            led = led or tagged.before(at, f"file.{kind.value}", "number") is not None
            led = (led or tagged.text[:start].endswith("#")) and not (
                tagged.text[stop : stop + 1] in _UNITS
                or phrases("unit").concepts(" ".join(tagged.words[at + 1 : at + 2]))
                or int(word) > _MOST_NUMBERED
            )
            numbers |= {word} if led else set()
        else:
            led = led and tagged.at(at, "joint", "conjunction") is not None
    return numbers


def _is_of_file(tagged: TaggedText, match: RuleMatch) -> bool:
    """Whether a word for a place stands beside one for a file, or holds one."""
    after = tagged.skip(match.last, "between", "of_before", "conjunction", "the", "place.*")
    nouns = tagged.find(*_PLAIN, "files")
    return any(match.first <= noun.first <= after or noun.last == match.first for noun in nouns)


def _is_measure(tagged: TaggedText, match: RuleMatch, beside: RuleMatch | None) -> bool:
    """Whether a word for a place means something else: the first ten seconds, 30 seconds."""
    after = beside.last if beside and beside.first == match.last else match.last
    after += tagged.words[after : after + 1] != () and tagged.words[after].isdigit()
    number = match.first > 0 and tagged.words[match.first - 1].isdigit()
    return number or tagged.at(after, "measured", "no_place") is not None
