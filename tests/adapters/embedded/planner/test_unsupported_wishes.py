"""Wishes that no kind fulfils are declined, and named where others stand beside them."""

import pytest

from adapters.embedded.planner import EmbeddedPlanner, tasks
from adapters.embedded.planner.view import view
from pipeline.domain import LocalizedText, Proposed, Repaired, Replied
from tests.adapters.embedded.planner.builders import ANN, BOT, kinds, request, scene, taken, told

DECLINED = {"planner-outside", "planner-no-talk"}


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("remind me tomorrow at 9", []),
        ("remind me tomorrow at 9", ["image"]),
        ("convert 250 USD to EUR", []),
        ("book a flight to Lisbon", []),
        ("restart the staging server", []),
        ("put a password on this pdf", ["document"]),
        ("sign this pdf for me", ["document"]),
        ("fill in this form with my details", ["document"]),
        ("email this to Anna", ["document"]),
        ("erinnere mich morgen um neun", []),
        ("unterschreib das bitte für mich", ["document"]),
        ("rappelle-moi demain à neuf heures", []),
        ("imprime-le en deux exemplaires", ["document"]),
        ("recuérdame mañana a las nueve", []),
        ("ponle contraseña antes de enviarlo", ["document"]),
        ("明日の9時にリマインドして", []),
        ("このPDFに電子署名して", ["document"]),
        ("明早九点提醒我", []),
        ("帮我在这份PDF上签个字", ["document"]),
    ],
)
def test_what_no_kind_does_is_declined(text: str, sent: list[str]) -> None:
    assert told(text, *sent).id in DECLINED


@pytest.mark.parametrize(
    ("text", "sent", "kind"),
    [
        ("merge these two PDFs", ["document", "document"], "document-conversion"),
        ("only pages 2-3", ["document"], "document-conversion"),
        ("split it into single pages", ["document"], "document-conversion"),
        ("rotate all pages by 90 degrees", ["document"], "document-conversion"),
        ("convert this pdf to images", ["document"], "document-conversion"),
        ("put these pictures into one pdf", ["image", "image"], "document-conversion"),
        ("dreh alle Seiten um 90 Grad", ["document"], "document-conversion"),
        ("fusionne ces deux pdf", ["document", "document"], "document-conversion"),
        ("une estos dos pdf", ["document", "document"], "document-conversion"),
        ("この2つのPDFを結合して", ["document", "document"], "document-conversion"),
        ("把这两个pdf合并", ["document", "document"], "document-conversion"),
        ("sort by revenue", ["table"], "table-conversion"),
        ("convert this csv to excel", ["table"], "table-conversion"),
        ("nur die Zeilen mit Betrag über 500", ["table"], "table-conversion"),
        ("make a bar chart", ["table"], "table-to-chart"),
        ("camembert des dépenses", ["table"], "table-to-chart"),
        ("月別売上の折れ線グラフ", ["table"], "table-to-chart"),
        ("remove the metadata", ["image"], "media-conversion"),
        ("What is in this PDF?", ["document"], "document-to-text"),
        ("What is in this PDF", ["document"], "document-to-text"),
    ],
)
def test_pages_tables_and_charts_are_planned(text: str, sent: list[str], kind: str) -> None:
    assert kinds(text, *sent) == [kind]


def test_documents_are_merged_in_one_task_whose_order_has_no_names_of_files() -> None:
    made = tasks(view(scene("merge cover.pdf and body.pdf", "cover.pdf body.pdf")))

    assert taken(made) == ["cover.pdf", "body.pdf"]
    assert not isinstance(made, LocalizedText)
    assert "cover" not in str(made[0].args["text"])


async def test_a_clause_that_no_task_does_is_named() -> None:
    said = request("transcribe this and book a flight to Lisbon", "audio")

    parts = [part async for part in EmbeddedPlanner().plan(said)]

    (proposed,) = (part.task for part in parts if isinstance(part, Proposed))
    assert proposed.kind.name == "automatic-speech-recognition"
    (left,) = (part.repair.what for part in parts if isinstance(part, Repaired))
    assert left.id == "planner-not-done"
    assert "book a flight to Lisbon" in str(left.args["words"])


async def test_how_long_a_summary_shall_be_is_named() -> None:
    said = request("summarize this in two sentences", "document")

    parts = [part async for part in EmbeddedPlanner().plan(said)]

    (left,) = (part.repair.what for part in parts if isinstance(part, Repaired))
    assert (left.id, left.args["words"]) == ("planner-not-done", "two sentences")


async def test_a_declined_wish_is_answered_in_the_readers_language() -> None:
    (part,) = [part async for part in EmbeddedPlanner().plan(request("restart it", locale="de"))]

    assert isinstance(part, Replied)
    assert "tasks" in part.text
    assert part.is_refusal


@pytest.mark.parametrize("text", ["when was the lamp first lit?", "Wann brannte sie zuletzt?"])
def test_two_documents_are_both_asked(text: str) -> None:
    assert taken(tasks(view(scene(text, "a.pdf b.pdf")))) == ["a.pdf", "b.pdf"]


def test_of_earlier_files_all_of_the_last_message_that_had_any_are_asked() -> None:
    before = ((ANN, "", "old.pdf"), (ANN, "here are both", "a.pdf b.pdf"))

    made = tasks(view(scene("when is the rent due?", "", *before)))

    assert taken(made) == ["a.pdf", "b.pdf"]


@pytest.mark.parametrize(
    "text", ["what did we decide?", "was haben wir beschlossen?", "qu'est-ce qu'on a décidé ?"]
)
def test_what_people_decided_is_asked_of_their_thread(text: str) -> None:
    before = ((ANN, "Let us meet on Friday at ten.", ""), (ANN, "Good, Friday it is.", ""))

    made = tasks(view(scene(text, "", *before)))

    assert not isinstance(made, LocalizedText)
    assert made[0].kind.name == "question-answering"
    assert "Friday" in str(made[0].args["context"])


def test_tldr_sums_up_the_thread() -> None:
    before = ((ANN, "Let us meet on Friday at ten.", ""), (ANN, "Good, Friday it is.", ""))

    made = tasks(view(scene("tl;dr", "", *before)))

    assert not isinstance(made, LocalizedText)
    assert made[0].kind.name == "summarization"


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("Troupe, when is it due?", True),
        ("hey Troupe: when is it due?", True),
        ("when is it due, troupe?", True),
        ("Troupe said it is due on Friday", False),
        ("ask Ann, not Troupe's words", False),
    ],
)
def test_its_own_name_is_known(text: str, *, called: bool) -> None:
    seen = view(scene(text, "", (ANN, "", "a.pdf"), (BOT, "A contract.", "")))

    assert seen.called == called
    assert not called or "roupe" not in seen.text
