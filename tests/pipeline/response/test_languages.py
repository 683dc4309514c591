"""Answers in other languages than the record's: what is right in them is left alone, what failed is told once."""

# ruff: noqa: RUF001 - words of many languages

import pytest

from pipeline.domain import Text
from pipeline.response import check
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import (
    BUSY,
    CAPTION,
    FILES,
    FIND,
    Recorded,
    boxes,
    done,
    of,
    task,
)

SPEAK = task(1, "text-to-speech", text=of(0, "text"))
THREE = Recorded(
    "three", "?", ((CAPTION, done("blip", text=Text("three cats on a sofa"))),), "", ""
)
FOUND = Recorded("found", "?", ((FIND, done("detr", boxes=boxes(cat=3, couch=1))),), "", "")
MUTE = Recorded("mute", "?", ((CAPTION, done("blip", text=Text("a cat"))), (SPEAK, BUSY)), "", "")
BLIND = Recorded("blind", "?", ((CAPTION, BUSY),), "", "")


def checked(run: Recorded, text: str) -> str:
    return check(text, request(run.asked, *FILES), run.plan, run.outcomes).text


COUNTED = [
    "There are three cats on a sofa.",
    "Auf dem Sofa sind drei Katzen.",
    "Il y a trois chats sur un canapé.",
    "Hay tres gatos en un sofá.",
    "沙发上有三只猫。",
    "ソファの上に三匹の猫がいます。",
    "Ci sono tre gatti su un divano.",
    "Há três gatos em um sofá.",
    "Er zitten drie katten op een bank.",
    "На диване сидят три кошки, всего видно трёх.",
    "소파 위에 고양이 세 마리가 있어요.",
    "Kanepede üç kedi var.",
    "Na kanapie są trzy koty.",
    "There are 3 cats.",
]


@pytest.mark.parametrize("text", COUNTED)
@pytest.mark.parametrize("run", [THREE, FOUND], ids=lambda run: run.name)
def test_a_count_that_was_translated_is_right(run: Recorded, text: str) -> None:
    assert checked(run, text) == text


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("There are five cats.", "five (?)"),
        ("Auf dem Sofa sind fünf Katzen.", "fünf (?)"),
        ("Il y a cinq chats.", "cinq (?)"),
        ("Hay cinco gatos.", "cinco (?)"),
        ("沙发上有五只猫。", "五 (?)"),
        ("Er zitten vijf katten.", "vijf (?)"),
        ("Há cinco gatos.", "cinco (?)"),
        ("Il y a vingt-trois chats.", "vingt-trois (?)"),
        ("There are twenty-three of them.", "twenty-three (?)"),
    ],
)
def test_another_count_is_marked_in_any_of_them(text: str, marked: str) -> None:
    assert marked in checked(THREE, text)


@pytest.mark.parametrize(
    "text",
    [
        "It shows a cat. Reading it aloud did not work.",
        "Es zeigt eine Katze. Das Vorlesen ist leider fehlgeschlagen.",
        "On voit un chat. La lecture de la voix a échoué.",
        "Se ve un gato. La voz no se pudo generar.",
        "图里有一只猫。语音生成失败。",
        "猫が写っています。音声の作成は失敗しました。",
        "Er is een kat te zien. Het voorlezen is helaas niet gelukt.",
        "Si vede un gatto. Purtroppo la voce non è disponibile.",
        "Vê-se um gato. Não foi possível gerar a voz.",
        "На снимке кошка. Озвучить не удалось.",
        "고양이가 보입니다. 음성 변환은 실패했습니다.",
        "Bir kedi görünüyor. Seslendirme maalesef yapılamadı.",
    ],
)
def test_a_failure_that_is_told_is_not_told_twice(text: str) -> None:
    assert checked(MUTE, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "De afbeelding kon helaas niet worden beschreven.",
        "Purtroppo l'immagine non è disponibile.",
        "Não foi possível descrever a imagem.",
        "Описать изображение не удалось.",
        "이미지를 설명할 수 없었습니다.",
        "Resim maalesef betimlenemedi.",
    ],
)
def test_a_picture_that_could_not_be_looked_at_is_told_once(text: str) -> None:
    assert checked(BLIND, text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Het is een kat.",
        "Tutto bene.",
        "Está tudo bem.",
        "Всё хорошо.",
        "잘 됐어요.",
        "Her şey yolunda.",
    ],
)
def test_a_failure_that_is_not_told_is_told(text: str) -> None:
    assert "Describing a picture did not work" in checked(BLIND, text)


def test_places_in_a_picture_are_no_thousands() -> None:
    text = "The first cat is at 100,100 and reaches to (140,150); 3 cats in all."

    assert checked(FOUND, text) == text
    assert "900,100 (?)" in checked(FOUND, "A cat is at 900,100.")
