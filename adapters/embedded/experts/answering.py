"""Answers taken out of a text: the line that fits a question best, and in it the figure, date or name that was asked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adapters.embedded.experts.tokens import rarity, sentences, tokens
from adapters.embedded.experts.values import Value, Wanted, found, wanted

_SAME: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "total sum amount gesamt gesamtbetrag betrag summe rechnungsbetrag montant importe pay cost price due zahlen 合计 合計 总计 金额",
        "vat tax mwst ust tva iva gst steuer",
        "subtotal zwischensumme netto net",
        "date datum fecha issu dat",
        "due deadline fällig échéance vencimiento payable",
        "invoice rechnung facture factura bill",
        "number no nr nummer numéro número id",
        "phone telephone tel telefon téléphone teléfono call",
        "mail email e-mail",
        "customer client kunde bill billed",
    )
)
_FINAL = re.compile(
    r"grand total|total (?:amount )?(?:due|to pay|payable)|amount (?:due|payable)|balance due|invoice total|total ttc|net à payer"
    r"|total à payer|total a pagar|importe total|gesamtbetrag|rechnungsbetrag|zahlbetrag|endbetrag|gesamtsumme|to pay|应付|总计|合計|合计",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"sub-?\s?total|zwischensumme|sous-total|excl|before tax|\bnet(?:to)?\b|\bht\b|\bhors\b|items?\b|qty|quantity|discount|rabatt|already paid"
    r"|\bvat\b(?!.*incl)|\btax\b(?!.*incl)|mwst(?!.*inkl)|\btva\b|\biva\b|小计|小計",
    re.IGNORECASE,
)
_ASKS_TOTAL = re.compile(
    r"total|amount|how much|pay\b|sum\b|cost|gesamt|betrag|summe|montant|combien|cuánto|importe|合计|总|合計|金额|金額",
    re.IGNORECASE,
)
_BILL = frozenset(
    {"invoice", "bill", "receipt", "order", "rechnung", "facture", "factura", "money", "owe"}
)
_LABEL = re.compile(r"^(?P<label>[^:：\t]{2,60})(?:[:：]\s*|\t+)(?P<value>\S.*)$")
_MONEY = set(_SAME[0])
_BILL_WORDS = frozenset(word for one in _BILL for word in tokens(one))
_FULL_LINE = 45
_MONEY_SIGNS = "€$£¥₹"
_ENDS = (".", "!", "?", ":", "。", "！", "？")
_ENOUGH = 0.12


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found: the answer, the line it stands in, and how sure that is, from 0 to 1."""

    text: str
    line: str
    score: float


def from_lines(question: str, text: str) -> Answer | None:
    """The answer in a document of short lines (an invoice, a form), else in its sentences; None when nothing fits."""
    lines = [one for part in _paragraphs(text) for one in _units(part)]
    kind = wanted(question)
    if _asks_total(question, kind) and (sum_ := _item(question, lines) or _total(lines)):
        return sum_
    if kind in (Wanted.PROSE, Wanted.NAME):
        return _labelled(question, lines) or from_sentences(question, text)
    return _typed(question, kind, lines) or from_sentences(question, text)


def from_sentences(question: str, text: str) -> Answer | None:
    """The answer in running text: the sentence that shares the most telling words, or what was asked for in it."""
    said = set(tokens(question))
    units = [one for part in _paragraphs(text) for one in sentences(part)]
    ranked = _ranked(question, [one for one in units if not set(tokens(one)) <= said])
    if not ranked:
        return None
    score, best = ranked[0]
    kind = wanted(question)
    fresh = [v for v in found(kind, best) if not set(tokens(v.text)) <= said]
    if len({value.text for value in fresh}) == 1 and kind is not Wanted.PROSE:
        return Answer(fresh[0].text, best, min(score, 0.9))
    return Answer(best, best, min(score, 0.8))


def _paragraphs(text: str) -> list[str]:
    """Lines, those of running text joined: a long line without an end goes on in the next."""
    joined: list[str] = []
    for line in (line.strip() for line in text.splitlines() if line.strip()):
        if joined and _goes_on(joined[-1], line):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined


def _goes_on(line: str, following: str) -> bool:
    if "\t" in line or "\t" in following or line.endswith(_ENDS) or len(line) < _FULL_LINE:
        return False
    return following[0].islower() or not (line[-1].isdigit() or line[-1] in _MONEY_SIGNS)


def _units(paragraph: str) -> list[str]:
    """Running text as sentences; a line with columns stays whole."""
    return [paragraph] if "\t" in paragraph else sentences(paragraph)


def _asks_total(question: str, kind: Wanted) -> bool:
    asked = _ASKS_TOTAL.search(question) and not _PARTIAL.search(question)
    return kind is Wanted.AMOUNT and bool(asked)


def _item(question: str, lines: Sequence[str]) -> Answer | None:
    """What one thing on a bill costs, when the question names it."""
    asked = [
        word for word in tokens(question) if not _meant(word, _MONEY) and word not in _BILL_WORDS
    ]
    priced = [line for line in lines if any(value.sure for value in found(Wanted.AMOUNT, line))]
    fits = [line for line in priced if set(asked) & set(tokens(line)) and not _FINAL.search(line)]
    return _typed(" ".join(asked), Wanted.AMOUNT, fits) if fits else None


def _total(lines: Sequence[str]) -> Answer | None:
    """The sum at the end of a bill: beside "Total due" and the like, else beside the last plain "Total"."""
    found_: list[tuple[int, int, Answer]] = []
    for place, line in enumerate(lines):
        final = bool(_FINAL.search(line))
        if not final and (
            _PARTIAL.search(line) or not re.search(r"\btotal\b|summe", line, re.IGNORECASE)
        ):
            continue
        if value := _beside(lines, place, Wanted.AMOUNT):
            score = 0.95 if final else 0.85
            found_.append((final, place, Answer(value.text, line, score if value.sure else 0.5)))
    return max(found_, key=lambda one: one[:2])[2] if found_ else None


def _typed(question: str, kind: Wanted, lines: Sequence[str]) -> Answer | None:
    """The value of a kind beside the words of the question."""
    said = frozenset(tokens(question))
    for score, line in _ranked(question, lines):
        if near := _beside(lines, lines.index(line), kind, said):
            return Answer(near.text, line, min(score, 0.9) * (1.0 if near.sure else 0.7))
    only = {value.text: line for line in lines for value in found(kind, line) if value.sure}
    if len(only) == 1 and kind not in (Wanted.CODE, Wanted.NUMBER, Wanted.AMOUNT):
        value, line = next(iter(only.items()))
        return Answer(value, line, 0.6)
    return None


def _beside(
    lines: Sequence[str], place: int, kind: Wanted, said: frozenset[str] = frozenset()
) -> Value | None:
    """The last value on a line for sums of money, the first after its label for others; else the one on the next line alone.

    What was `said` in the question is no answer to it.
    """
    here = [value for value in found(kind, lines[place]) if not set(tokens(value.text)) <= said]
    sure = [value for value in here if value.sure] or here
    if sure:
        return sure[-1] if kind is Wanted.AMOUNT else sure[0]
    below = found(kind, lines[place + 1]) if place + 1 < len(lines) else []
    alone = len(below) == 1 and len(below[0].text) >= 0.85 * len(lines[place + 1])
    return below[0] if alone else None


def _labelled(question: str, lines: Sequence[str]) -> Answer | None:
    """The value behind a label that the question names ("Customer: ...")."""
    labels = {line: match for line in lines if (match := _LABEL.match(line))}
    names = [match["label"] for match in labels.values()]
    ranked = _ranked(question, names)
    if not ranked or ranked[0][0] < 0.5:  # noqa: PLR2004 - at least half of what was asked
        return None
    score, name = ranked[0]
    line, match = next((line, match) for line, match in labels.items() if match["label"] == name)
    return Answer(match["value"].strip(), line, min(score, 0.9))


def _ranked(question: str, units: Sequence[str]) -> list[tuple[float, str]]:
    """Units that share telling words with the question, the best first, with the share of the question they cover."""
    asked = set(tokens(question))
    words = [set(tokens(unit)) for unit in units]
    rare = rarity([list(one) for one in words])
    weights = {word: rare.get(word, max(rare.values(), default=1.0)) for word in asked}
    whole = sum(weights.values()) or 1.0
    scores = [sum(weights[word] * _share(word, one) for word in asked) / whole for one in words]
    ranked = sorted(zip(scores, range(len(units)), strict=True), key=lambda one: (-one[0], one[1]))
    return [(score, units[place]) for score, place in ranked if score > _ENOUGH]


def _share(word: str, words: set[str]) -> float:
    """1 for a word that is among words, a little less for one that means the same."""
    return 1.0 if word in words else 0.8 if _meant(word, words) else 0.0


def _meant(word: str, words: set[str]) -> bool:
    """Whether a word or another for the same is among words."""
    return word in words or any(word in same and same & words for same in _SAME)
