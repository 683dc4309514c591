"""What the words decide where the model goes by the file: done as asked, or declined."""

# ruff: noqa: RUF001 - punctuation of many scripts

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import LocalizedText
from tests.adapters.embedded.planner.builders import ANN, BOT, kinds, scene, told


@pytest.mark.parametrize(
    "text",
    [
        "turn this pdf into a Word file",
        "convert this pdf to word",
        "save it as docx",
        "make an Excel file of this document",
        "PDF in Word umwandeln",
        "convierte este pdf a word",
        "transforme ce pdf en word",
        "把这个pdf转换成word",
        "このPDFをWordに変換して",
    ],
)
def test_a_document_is_not_read_where_another_format_was_asked_for(text: str) -> None:
    assert told(text, "document").id == "planner-outside"


@pytest.mark.parametrize(
    "text",
    ["what is in this document?", "extract the text", "lies den Text aus", "提取文字"],
)
def test_a_document_is_still_read(text: str) -> None:
    assert kinds(text, "document") == ["document-to-text"]


@pytest.mark.parametrize(
    ("text", "sent", "kind"),
    [
        ("make it result.png", "image", "media-conversion"),
        ("convert it to result.mp3", "audio", "media-conversion"),
        ("wandle es in result.mp3 um", "audio", "media-conversion"),
        ("convierte el audio en result.mp3", "audio", "media-conversion"),
        ("turn it on its head", "image", "media-conversion"),
        ("stell es auf den Kopf", "image", "media-conversion"),
        ("ponlo boca abajo", "image", "media-conversion"),
        ("mets-la à l'envers", "image", "media-conversion"),
        ("上下颠倒", "image", "media-conversion"),
        ("逆さまにして", "image", "media-conversion"),
        ("turn it down a bit", "audio", "media-conversion"),
        ("drain the colour out of this", "image", "image-to-image"),
        ("Schwarzweißbild", "image", "image-to-image"),
        ("quita el color", "image", "image-to-image"),
        ("enlève les couleurs", "image", "image-to-image"),
        ("去掉颜色", "image", "image-to-image"),
        ("色を抜いて", "image", "image-to-image"),
    ],
)
def test_an_order_that_an_expert_understands_wholly_is_for_it(
    text: str, sent: str, kind: str
) -> None:
    assert kinds(text, sent) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "convert it to result.mp3",
        "wandle es in result.mp3 um",
        "conviértelo a result.mp3",
        "convertis-le en result.mp3",
        "result.mp3に変換して",
    ],
)
def test_the_name_of_a_file_to_be_made_is_not_missed(text: str) -> None:
    assert kinds(text, before=["audio"]) == ["media-conversion"]


@pytest.mark.parametrize(
    "text",
    [
        "replace the dog with a cartoon cat",
        "add a pencil to the picture",
    ],
)
def test_an_order_with_a_word_that_the_expert_does_not_know_is_not(text: str) -> None:
    assert kinds(text, "image") == ["image-text-to-image"]


@pytest.mark.parametrize(
    "text",
    [
        "read sales.csv aloud",
        "lies sales.csv vor",
        "lee sales.csv en voz alta",
        "lis sales.csv à voix haute",
        "朗读sales.csv",
        "sales.csvを読み上げて",
    ],
)
def test_a_table_that_is_read_aloud_is_asked_nothing(text: str) -> None:
    made = tasks(view(scene(text, "sales.csv")))

    assert not isinstance(made, LocalizedText)
    assert [task.kind.name for task in made] == ["document-to-text", "text-to-speech"]


@pytest.mark.parametrize(
    "text",
    [
        "draw a line chart of sales",
        "pie chart of expenses",
        "zeichne ein Liniendiagramm der Verkäufe",
        "dibuja un gráfico de líneas de las ventas",
        "dessine une courbe des ventes",
        "画一张销售额的折线图",
        "売上の折れ線グラフを描いて",
    ],
)
def test_a_chart_without_a_table_is_not_painted(text: str) -> None:
    asked = told(text)

    assert (asked.id, asked.args["type"]) == ("planner-lacks-file", "table")


@pytest.mark.parametrize("text", ["draw a bar at night", "draw a picture of a table"])
def test_a_picture_with_a_word_for_charts_is_painted(text: str) -> None:
    assert kinds(text) == ["text-to-image"]


@pytest.mark.parametrize("text", ["top 3 only", "the top 3", "nur die Top 3", "solo el top 3"])
def test_the_best_rows_of_a_sorted_table_are_cut_out_of_it(text: str) -> None:
    turns = ((ANN, "sort by revenue, highest first", "sales.csv"), (BOT, "Sorted.", "sorted.csv"))
    made = tasks(view(scene(text, "", *turns)))

    assert not isinstance(made, LocalizedText)
    assert [task.kind.name for task in made] == ["table-conversion"]


@pytest.mark.parametrize("sent", [(), ("audio",)])
def test_words_that_nobody_knows_are_no_wish(sent: tuple[str, ...]) -> None:
    assert told("something more jazzy please", *sent).id == "planner-outside"


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("how many frames does this gif have?", "image"),
        ("how many pixels wide is this?", "image"),
        ("wie viele Pixel breit ist das Bild?", "image"),
        ("这张图片分辨率是多少？", "image"),
        ("この画像の解像度は？", "image"),
        ("how long is this recording?", "audio"),
        ("wie lang ist diese Aufnahme?", "audio"),
        ("¿cuánto dura esta grabación?", "audio"),
        ("combien de temps dure cet enregistrement ?", "audio"),
        ("这段录音有多长？", "audio"),
        ("この録音は何分ですか？", "audio"),
        ("この曲のBPMいくつ？", "audio"),
        ("what format is this video?", "video"),
        ("can you tell me how long this video is", "video"),
    ],
)
def test_a_question_about_the_file_itself_is_not_answered_with_something_else(
    text: str, sent: str
) -> None:
    assert told(text, sent).id == "planner-outside"


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("what does he say?", "audio"),
        ("turn it 90 degrees to the right?", "image"),
        ("can you make it 640 px wide?", "image"),
        ("wie viele Leute sind auf dem Bild?", "image"),
    ],
)
def test_other_questions_are_still_answered(text: str, sent: str) -> None:
    assert kinds(text, sent)


@pytest.mark.parametrize(
    "text",
    [
        *("post this in #general for me", "tweet this", "tweete das", "publica esto", "publie ça"),
        *("发到推特", "これをツイートして", "poste das in #allgemein", "post the text in #general"),
        *("replace Smith with Schmidt in this text", "remplace Smith par Schmidt dans ce texte"),
        *("この文書のSmithをSchmidtに置き換えて", "remove the second paragraph of this text"),
        *("sort the lines of this text", "reverse this text", "sortiere die Zeilen in diesem Text"),
        "replace every Smith with Schmidt in this doc and send it back",
    ],
)
def test_a_document_is_not_read_out_for_another_wish(text: str) -> None:
    assert told(text, "document").id == "planner-outside"


@pytest.mark.parametrize(
    "text",
    [
        *("read this please", "read the voucher code", "read it", "lies das bitte"),
        *("lee esto por favor", "读一下这个", "lis ça s'il te plaît"),
    ],
)
def test_what_is_to_be_read_is_no_recording_unless_asked_for(text: str) -> None:
    assert kinds(text, "image") == ["optical-character-recognition"]


@pytest.mark.parametrize("text", ["read it to me", "lies es mir vor", "léemelo", "读给我听"])
def test_what_is_to_be_heard_still_is_a_recording(text: str) -> None:
    assert kinds(text, "image")[-1] == "text-to-speech"


@pytest.mark.parametrize(
    "text", ["sum of paid", "Summe von bezahlt", "suma de pagado", "somme de payé", "paid的总和"]
)
def test_the_sum_of_a_column_is_no_summary(text: str) -> None:
    assert kinds(text, "table") == ["table-question-answering"]


@pytest.mark.parametrize(
    "text",
    [
        "résumé de cette vidéo https://youtu.be/abc",
        "génère un QR code vers https://example.com",
        "erzeuge einen QR-Code für https://example.com",
        "generate a QR code for https://example.com",
    ],
)
def test_nothing_new_is_promised_about_what_an_address_leads_to(text: str) -> None:
    assert told(text).id == "planner-outside"
