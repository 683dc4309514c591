"""Which words of a request only say what is wanted, and which are left: what is to be worked on, if anything is."""

# ruff: noqa: SIM905 - lists of words

import re
from functools import lru_cache

from adapters.embedded.planner.concepts import bare, concepts, lexicon
from adapters.embedded.planner.words import is_idle, language_in

_WISHES = frozenset(
    "what which who when where why how how-many or not is can-you please tell want see say mean picture screenshot sound-file "
    "voice-note video document table written type-out text-word transcribe listen he speak-aloud read-word by-voice mood voice "
    "louder describe kind-of find mark format summary translate language about long sentiment names list classify similar embedding "
    "rewrite sound-like it result now again as in for-someone then also short labels-given edit-wish quoted letter turn-into write".split()
)
"""Concepts of words that say what is to be done, how, and with what kind of thing."""
_LITTLE = frozenset(
    "to of into from attached above below following here there joint jointe adjunto adjunta adjuntos allegato allegata anexo anexa "
    "angehängt angehängte angehängten beigefügt beigefügte beigefügten beiliegende bijgevoegde приложенный прикреплённый 첨부한 첨부된 ekteki ekli "
    "schreib schreibe write escribe écris sehr very really quickly quick brief briefly kurz schnell gern gerne bref vite rápido breve breviter nach aus von vom zum zur "
    "me mir moi us uns nous whole entire ganze ganzen entier entera completo tutto sentence sentences paragraph satz sätze letter "
    "brief lettre carta lettera article artikel artículo articolo message messages nachricht mensaje messaggio mail email one ones "
    "vat fasse monte monter haute alta para version voor two both beide beiden deux dos due these those auf ab vor um over em à au aux al alla del della van het uit op voor".split()
)
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_SIGNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LONGEST, _READ = 6, 1000
_PARTICLES = frozenset(
    "のをにはがでとへもやかねよなんくるすてしたれさまい的了把请給给我你您个這这那吧呢吗啊们里上下中以用让叫份段篇张個条幅附件添付成上げう"
)


def left(text: str) -> list[str]:
    """The words of a text that say more than what is wanted; of a long one, those of its beginning."""
    words = _WORD.findall(text[:_READ].lower())
    known = _known(words)
    return [word for at, word in enumerate(words) if at not in known and not _little(word)]


@lru_cache(maxsize=4096)
def is_wish(word: str) -> bool:
    """Whether a word is one of those with which things are asked for."""
    return not left(word)


def _known(words: list[str]) -> set[int]:
    """The places of words whose meaning belongs to a wish; of all words of a run that mean it together."""
    found: set[int] = set()
    for at, concept in concepts(words):
        if concept in _WISHES:
            found |= set(range(at, at + _run(words, at, concept)))
    return found


def _run(words: list[str], at: int, concept: str) -> int:
    """How many words mean this together."""
    known = lexicon()
    for size in range(min(_LONGEST, len(words) - at), 1, -1):
        some = [bare(word) for word in words[at : at + size]]
        meant = known.whole.get(" ".join(some), "") or known.characters.get("".join(some), "")
        if concept in meant.split():
            return size
    return 1


def _little(word: str) -> bool:
    return (
        is_idle(word)
        or bare(word) in _LITTLE
        or word in _LITTLE
        or word.isdigit()
        or (word in _PARTICLES if _SIGNS.match(word) else len(word) == 1 or bool(language_in(word)))
    )
