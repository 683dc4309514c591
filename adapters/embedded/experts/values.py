"""Figures, dates and addresses in a text: what kind of answer a question wants, and where such stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Wanted(StrEnum):
    """The kind of answer that a question wants."""

    AMOUNT = "amount"
    DATE = "date"
    PERCENT = "percent"
    EMAIL = "email"
    PHONE = "phone"
    WEB = "web"
    CODE = "code"
    NUMBER = "number"
    NAME = "name"
    PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Value:
    """Something of a kind in a line; `start` counts characters. `sure`: it can hardly be anything else."""

    text: str
    start: int
    sure: bool = True


_MONEY = r"(?:[€$£¥₹]|\b(?:EUR|USD|GBP|CHF|JPY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK)\b|\bFr\.|\bRs\.?)"
_FIGURE = r"[-−]?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|[-−]?\d+(?:[.,]\d{1,2})?(?![\d.,]\d)"
_MONTH = (
    r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|janv|févr|avr|juin|juil|août|déc"
    r"|ene|abr|ago|dic)[a-zéûäç]*\.?"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:de\s+|of\s+)?{_MONTH}\s+(?:de\s+)?\d{{4}}"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}})\b|\d{{4}}年\d{{1,2}}月\d{{1,2}}日",
    re.IGNORECASE,
)
_AMOUNT = re.compile(rf"(?:{_MONEY}\s*)?(?:{_FIGURE})(?:\s*{_MONEY})?")
_SIMPLE: Mapping[Wanted, re.Pattern[str]] = {
    Wanted.DATE: _DATE,
    Wanted.PERCENT: re.compile(r"\d+(?:[.,]\d+)?\s?%"),
    Wanted.EMAIL: re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w"),
    Wanted.PHONE: re.compile(r"\+?\(?\d[\d\s()/.-]{6,}\d"),
    Wanted.WEB: re.compile(r"https?://\S+|\bwww\.[\w./-]+\w"),
    Wanted.CODE: re.compile(r"(?=[\w./-]*\d)[A-Z\d][\w./-]{2,}(?<![.,])"),
    Wanted.NUMBER: re.compile(_FIGURE),
    Wanted.NAME: re.compile(
        r"\b(?![A-Z]{3}\b)[^\W\d_a-z][^\W\d_]+(?:\s+(?:of|de|von|van)?\s*[^\W\d_a-z][^\W\d_]+)*"
    ),
}

_ASKS_MONEY = (
    r"how much|how high|wie hoch|\brent\b|deposit|salary|miete|kaution|gehalt|loyer|alquiler|\btotal|amount|\bpay|price|cost|\bsum\b|balance|subtotal|\bvat\b|\btax|fee|betrag|gesamt|summe|preis|mwst|steuer|zahlen"
    r"|montant|combien|prix|\btva\b|cuánto|importe|precio|\biva\b|总|金额|合计|合計|金額|价格"
)
_ASKS: tuple[tuple[Wanted, str], ...] = (
    (Wanted.NAME, r"^\W*(?:who|whom|whose|wer|wem|qui|quién|谁|誰)\b"),
    (Wanted.EMAIL, r"e-?mail|correo"),
    (Wanted.PHONE, r"phone|telephone|call|fax|telefon|téléphone|teléfono|电话|電話"),
    (Wanted.WEB, r"website|web ?page|url|homepage"),
    (Wanted.PERCENT, r"percent|%|rate|prozent|pour ?cent|porcentaje"),
    (Wanted.DATE, r"\bwhen\b|\bdate\b|\bdated\b|\bday\b|deadline|expir|\bdue (?:by|on|date)|wann|datum|quand|cuándo|fecha|何时|日期|いつ|日付"),
    (Wanted.CODE, r"\b(?:number|no\.|nr\.?|id|code|reference|iban|nummer|numéro|número)\b(?! of)|编号|番号"),
    (Wanted.NUMBER, r"\bnumber of\b"),
    (Wanted.AMOUNT, _ASKS_MONEY),
    (Wanted.NUMBER, r"how many|how old|how long|how far|wie viele|wie lange|wie alt|combien|cuántos|cuántas|quantity|多少|いくつ"),
    (Wanted.NAME, r"\bwho\b|\bwhom\b|\bwhose\b|\bwhere\b|which (?:person|city|country|company|place)|\bwer\b|\bwo\b|\bqui\b|\boù\b|quién|dónde|谁|哪里|誰|どこ"),
)  # fmt: skip


def wanted(question: str) -> Wanted:
    """The kind of answer that a question wants; prose when it does not show."""
    asked = question.casefold()
    return next((kind for kind, words in _ASKS if re.search(words, asked)), Wanted.PROSE)


def found(kind: Wanted, line: str) -> list[Value]:
    """What stands in a line of a kind, from left to right."""
    if kind is Wanted.AMOUNT:
        return _amounts(line)
    if kind is Wanted.NUMBER:
        line = _DATE.sub(lambda date: " " * len(date.group()), line)
    pattern = _SIMPLE.get(kind)
    return (
        [Value(hit.group().strip(), hit.start()) for hit in pattern.finditer(line)]
        if pattern
        else []
    )


def _amounts(line: str) -> list[Value]:
    """Sums of money: with a currency or decimals for sure, other figures only perhaps; no dates and no percentages."""
    bare = _DATE.sub(lambda date: " " * len(date.group()), line)
    bare = re.sub(r"\d+(?:[.,]\d+)?\s?%", lambda rate: " " * len(rate.group()), bare)
    hits = [(hit.group().strip(), hit.start()) for hit in _AMOUNT.finditer(bare)]
    return [Value(text, start, _money(text)) for text, start in hits]


def _money(text: str) -> bool:
    return bool(re.search(_MONEY, text) or re.search(r"[.,]\d{2}\b", text))
