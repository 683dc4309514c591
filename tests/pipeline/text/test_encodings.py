"""Encodings of text files: found where they are certain, else said to be unknown."""

import pytest

from pipeline.text.encodings import decode, is_binary


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "Größe;5"),
        ("utf-16", "Größe;5"),
        ("utf-16-le", "Größe;5 and more words"),
        ("utf-16-le", "Имя;Вес\nАнна;54\nПётр;83\n"),
        ("utf-16-be", "名前;年齢\n田中一郎;30\n"),
        ("cp1252", "Name;Betrag\nMüller;2.300,75\nStraße;5\n"),
        ("cp1252", "Crème brûlée – 5,50 €"),
        ("cp1252", "Año;Niño"),
        ("cp1252", "Preço;Ação\nCoração;3"),
        ("cp1252", "Jönköping;Åre"),
        ("cp1250", "Miasto;Łódź\nKraków;Śląsk\nŻary;Zielona Góra"),
        ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"),
        ("cp1254", "Şehir;Nüfus\nİstanbul;15"),
        ("cp1251", "Город,Население\nМосква,12"),
        ("koi8_r", "Город,Население\nМосква,12"),
        ("cp1253", "Πόλη;Πληθυσμός\nΑθήνα;3"),
        ("gb18030", "城市,人口\n北京,2189\n上海,2487"),
        ("gb18030", "名称,abc产品A型,5"),
        ("big5", "城市,人口\n臺北,250\n高雄,270"),
        ("shift_jis", "名前,年齢\n田中,30\n鈴木,25"),
        ("euc_jp", "名前,年齢\n田中,30\n鈴木,25"),
        ("euc_kr", "도시,인구\n서울,970\n부산,340"),
    ],
)
def test_a_text_is_read_as_it_was_written(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp437", "Müller;Straße;café"),
        ("mac_roman", "Müller;Straße;café"),
        ("cp850", "Müller;Straße;café"),
        ("iso8859_2", "Miasto;Łódź\nKraków;Śląsk"),
        ("cp1255", "שלום עולם, זה מבחן"),
    ],
)
def test_what_is_not_certain_is_not_guessed(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) is None


def test_a_text_in_an_unknown_encoding_is_not_binary() -> None:
    assert not is_binary("Müller".encode("cp437"))
    assert is_binary(bytes(range(256)))
