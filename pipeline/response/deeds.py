"""What an answer says that it did ("I also translated it", "ich habe es vorgelesen"): marked when no task did that."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Mapping

from pipeline.domain import Done, Outcomes, Plan
from pipeline.response.edits import Edits
from pipeline.response.vocabulary import FAILING

_NOBODY = ""
_DEEDS: Mapping[str, str] = {
    "translation": r"translated|übersetzt|traduit|traducido",
    "text-to-speech": r"read (?:it|this|that|them|the \w+)(?: out)? (?:aloud|out loud)|vorgelesen|lu[^.!?\n]{0,20}? (?:à voix haute|à haute voix)"
    r"|leído[^.!?\n]{0,20}? en voz alta",
    "automatic-speech-recognition": r"transcribed|transkribiert|transcrit|transcrito",
    _NOBODY: r"(?:searched|checked|browsed) (?:the )?(?:web|internet|online)|googled|e-?mailed|booked|ordered|purchased|deleted"
    r"|(?:im Internet|online) (?:gesucht|nachgesehen)|verschickt|gebucht|bestellt|gelöscht|envoyé|réservé|commandé|supprimé|enviado|reservado|borrado",
}
"""Which kind of task does what; the last ones nothing here can do."""
_SIGNS: Mapping[str, str] = {
    "translation": r"翻译了|翻訳しました",
    "text-to-speech": r"朗读了|読み上げました",
    "automatic-speech-recognition": r"转写了|文字起こししました",
}
_VERBS = "|".join(f"(?P<d{at}>{verbs})" for at, verbs in enumerate(_DEEDS.values()))
_ALSO = r"(?: also| then| just| even| already| aussi| également| ensuite| también| luego)*"
_SAID = re.compile(
    rf"\b(?:I(?:['’]ve| have)?{_ALSO} |j['’]ai{_ALSO} |(?<!\w)(?:lo |la )?he{_ALSO} |(?:ich habe|habe ich)\b(?:(?! nicht| nichts| leider)[^.!?\n]){{0,60}}? )(?:{_VERBS})\b"
    rf"|{'|'.join(f'(?P<z{list(_DEEDS).index(kind)}>{signs})' for kind, signs in _SIGNS.items())}",
    re.IGNORECASE,
)


def look_at_deeds(edits: Edits, plan: Plan, outcomes: Outcomes) -> None:
    """Marks what is said to have been done by the one who answers, where no task of that kind was done."""
    done = {task.kind.name for task in plan.tasks if isinstance(outcomes.get(task.id), Done)}
    kinds = list(_DEEDS)
    for found in edits.open(_SAID):
        name, said = next((name, said) for name, said in found.groupdict().items() if said)
        if kinds[int(name[1:])] not in done and not FAILING.search(found.group()):
            edits.mark(found.end() - len(said), found.end())
