"""True answers stay word for word; files and links that nobody made never survive."""
# ruff: noqa: RUF001 - words of many languages

import re
import time
from collections.abc import Sequence

import pytest
from markdown_it import MarkdownIt

from pipeline.references.filter import ReferenceFilter
from pipeline.references.known import collect_references
from tests.pipeline.response.builders import answer_about
from tests.pipeline.response.true_answers import TRUE_ANSWERS, TrueAnswer

RECORD = (
    "see https://true.example/report?id=1 and image.png",
    "ann@true.example",
    "写真.png",
    "my notes.pdf",
)
INVENTED = (
    "Here: [the report](https://evil.example/r).",
    "Here: [**the** report](https://evil.example/r 'title').",
    "Here: [the report](<https://evil.example/a b>).",
    "Here: [the report](\nhttps://evil.example/r).",
    "Here: [the report](files/evil).",
    "Here: [the report](/download/evil).",
    "Here: [the report](evil.pdf).",
    "Here: [a [nested] label](https://evil.example).",
    "Here: ![a cat](https://evil.example/cat.png).",
    "Here: ![a cat](evil.png).",
    "Here: [![a cat](evil.png)](https://evil.example).",
    "Here: ![](data:image/png;base64,evil).",
    "Here: [x](javascript:alert('evil')).",
    "Here: [x](sandbox:/mnt/data/evil.csv).",
    "Here: [x](attachment:evil).",
    "Here: [x](https://true.example/report?id=1@evil.example).",
    "Here: [https://true.example](https://evil.example).",
    "Download it at https://evil.example/r.zip now.",
    "Download it at HTTPS://EVIL.example now.",
    "Download it at https&#58;//evil.example now.",
    "Download it at https:\\/\\/evil.example now.",
    "Download it at ftp://evil.example now.",
    "Download it at www.evil.example now.",
    "Download it at www.evil.museum/x now.",
    "Download it at evil.com/r now.",
    "Download it at bit.ly/evil now.",
    "Download it at evil.co.uk:8080/r now.",
    "Download it at evil.com?id=1 now.",
    "Download it at `https://evil.example` now.",
    "```\nwget https://evil.example/r\n```",
    "Write to evil@true.example.",
    "Write to <evil@other.example>.",
    "Write to mailto:evil@other.example.",
    "See <https://evil.example/r>.",
    "See <https://evil.example/r|the report>.",
    'See <a href="https://evil.example">the report</a>.',
    "See <a href='/evil'>the report</a>.",
    '<img src="https://evil.example/x.png" alt="a cat">',
    "<img src=evil.png>",
    '<iframe src="//evil.example"></iframe>',
    "See [the report][1].\n\n[1]: https://evil.example/r",
    "See [the report].\n\n[the report]: <https://evil.example/r> 'title'",
    "I saved it as evil.png.",
    "I saved it as `evil.pdf`.",
    "I saved it as EVIL.MP3, evil.csv and evil.docx.",
    "I saved it under /mnt/evil/out.",
    "I saved it under C:\\evil\\out.txt.",
    "I saved it as outputs/evil.mp4.",
    "已保存为邪恶.evil.png。",
    "下载：https://evil.example/报告",
    "evil.pngに保存しました。",
    "[Télécharger le fichier](evil.zip)",
    "[Descargar](https://evil.example/descarga)",
    "[ダウンロード](https://evil.example)",
)
TRUE = (
    "See https://true.example/report?id=1.",
    "See [the report](https://true.example/report?id=1).",
    "See <https://true.example/report?id=1>.",
    "It's on true.example, says ann@true.example.",
    "image.png, 写真.png and my notes.pdf show it; `image.png` too.",
)
NAMES_WITH_DOTS = (
    "The back end runs on ASP.NET, the front end on Node.js.",
    "It's an ASP.NET/C# project that talks to VB.NET code.",
    "ADO.NET reads the rows, and ML.NET classifies them.",
    "The slide compares Booking.com/Airbnb with Hotels.com and Trip.com.",
    "The logo on the mug says Amazon.com.",
    "The picture shows a Salesforce.com tower (San Francisco).",
    "Socket.IO/WebSocket keeps the page up to date; Draw.io made the diagram.",
    "Monday.com, Notion and ClickUp are the three tools on the list.",
    "Character.AI, Perplexity.ai and X.com are mentioned once each.",
    "**Next.js**, _Nuxt.js_ and Vue.js/Express.js are named in the table.",
    "In chess.com's ranking she is third.",
    "The dot-com crash took Pets.com and Boo.com with it.",
    "Call df.info or self.app first, then os.name.",
    "The sign reads „Bahn.de“, so it's German.",
    "Le site cité est leboncoin.fr ; l'affiche est de 1998.",
    "Auf dem Plakat steht Heise.de, darunter ein QR-Code.",
    "El rótulo dice Idealista.es y nada más.",
    "看板に「楽天.jp」とASP.NETと書いてあります。",
    "幻灯片上写着ASP.NET和Node.js。",
    "Is it Fiverr.com? No: Upwork.com, e.g. for U.S./EU clients.",
)
STALLING = (
    "<",
    "[",
    "](",
    "[a](",
    "![",
    "`",
    "[[[]]]",
    "<a ",
    "a.b ",
    "@",
    "https://",
    "_",
    "*[",
    "\n",
)


def filtered(text: str, steps: Sequence[int] = (0, 1), size: int = 0) -> str:
    """The text through the filter, in pieces of this size (0: in one)."""
    kept = ReferenceFilter(collect_references(RECORD, steps))
    pieces = [text[at : at + size] for at in range(0, len(text), size)] if size else [text]
    return "".join([*map(kept.feed, pieces), kept.finish()])


@pytest.mark.parametrize("row", TRUE_ANSWERS, ids=lambda row: row.answer[:30])
async def test_a_true_answer_stays_word_for_word(row: TrueAnswer) -> None:
    answer, streamed = await answer_about(row)

    assert answer.text == row.answer
    assert streamed == row.answer
    assert answer.notices == ()


@pytest.mark.parametrize("text", INVENTED)
def test_an_invented_file_or_link_is_removed(text: str) -> None:
    kept = filtered(text)

    assert "evil" not in kept.casefold().replace("邪恶.", "")
    assert "](" not in kept


@pytest.mark.parametrize(
    "host", ["例え.test", "ｅｖｉｌ.example", "[2001:db8::1]", "(a.example", "true.exampleあ.test"]
)
@pytest.mark.parametrize("form", ["Open {}/a now.", "Open <{}/a>.", "[a]({}/a)", "打开{}/a。"])
@pytest.mark.parametrize("size", [0, 1, 7])
def test_an_invented_link_goes_whatever_its_host_begins_with(
    host: str, form: str, size: int
) -> None:
    text = form.format(f"https://{host}")
    assert "://" not in filtered(text, size=size)

    known = ReferenceFilter(collect_references([f"See https://{host}/a."]))
    kept = known.feed(f"It's https://{host}/a.") + known.finish()
    assert kept == f"It's https://{host}/a."


@pytest.mark.parametrize("text", TRUE)
def test_a_file_or_link_of_the_record_stays(text: str) -> None:
    assert filtered(text) == text


@pytest.mark.parametrize("text", NAMES_WITH_DOTS)
def test_a_name_that_no_surface_links_stays(text: str) -> None:
    assert filtered(text) == text


@pytest.mark.parametrize("size", [1, 2, 7])
def test_what_is_streamed_is_the_final_answer(size: int) -> None:
    for text in (*INVENTED, *TRUE, *NAMES_WITH_DOTS, *(row.answer for row in TRUE_ANSWERS)):
        assert filtered(text, size=size) == filtered(text)


def test_a_cited_step_stays_and_one_that_does_not_exist_goes() -> None:
    assert (
        filtered("A cat [1], a dog [7]. rows[7] and [x].") == "A cat [1], a dog. rows[7] and [x]."
    )
    assert filtered("A note [7].", steps=()) == "A note [7]."


def test_the_label_of_an_invented_link_stays() -> None:
    assert filtered("See [the report](https://evil.example).") == "See [the report]."


def test_a_link_to_our_own_set_up_stays_and_to_no_other_part_of_a_page() -> None:
    assert (
        filtered("You can turn it on: [Do more](#/setup).")
        == "You can turn it on: [Do more](#/setup)."
    )
    assert filtered("Look: [Do more](#/evil).") == "Look: [Do more]."


def test_a_tag_in_code_is_read_word_by_word() -> None:
    assert (
        filtered('`<br>` and `<img src="https://evil.example/x">`') == '`<br>` and `<img src="…">`'
    )


@pytest.mark.parametrize(
    "label",
    [
        "https://bank.example/login",
        "see http://bank.example",
        "**bank.test**",
        "[https://bank.example]",
        "ann@bank.example",
    ],
)
def test_a_link_that_shows_another_address_than_its_own_loses_it(label: str) -> None:
    banks = ("https://bank.example/login http://bank.example bank.test ann@bank.example",)
    kept = ReferenceFilter(collect_references((*RECORD, *banks)))

    text = kept.feed(f"[{label}](https://true.example/report?id=1)") + kept.finish()

    assert text == f"[{label}]"


@pytest.mark.parametrize(
    "text",
    [
        "[https://bank.example][1]\n\n[1]: https://true.example",
        "[bank.test][the report]\n\n[the report]: https://true.example",
        "[bank.test]\n\n[bank.test]: https://true.example",
    ],
)
def test_an_address_that_stands_elsewhere_belongs_to_no_other_address(text: str) -> None:
    kept = ReferenceFilter(collect_references((*RECORD, "https://bank.example bank.test")))

    html = MarkdownIt().render(kept.feed(text) + kept.finish())

    assert not re.search("<a [^>]*>[^<]*bank", html)


@pytest.mark.parametrize("label", ["true.example", "https://true.example", "the ASP.NET report"])
def test_a_link_that_shows_its_own_address_stays(label: str) -> None:
    text = f"See https://true.example, [x] and [{label}](https://true.example/report?id=1)."

    assert filtered(text) == text


def test_a_path_is_another_one_in_capital_letters_but_a_host_is_not() -> None:
    assert filtered("HTTPS://True.Example/report?id=1") == "HTTPS://True.Example/report?id=1"
    assert filtered("https://true.example/REPORT?id=1") == "…"
    assert filtered("IMAGE.PNG") == "IMAGE.PNG"


def test_paths_of_a_known_text_stay_in_an_answer_about_it() -> None:
    known = collect_references(("The route GET /api/v1/users returns 200, C:\\data\\a.csv 404.",))
    kept, text = ReferenceFilter(known), "It is /api/v1/users, not C:\\data\\a.csv."

    assert kept.feed(text) + kept.finish() == text


def test_the_references_that_stayed_are_told_in_order() -> None:
    kept = ReferenceFilter(collect_references(RECORD))

    kept.feed("See image.png, https://evil.example and [it](https://true.example/report?id=1).")
    kept.finish()

    assert [*kept.kept] == ["image.png", "https://true.example/report?id=1"]


def test_signs_that_turn_the_direction_of_reading_go_and_nobody_is_pinged() -> None:
    kept = filtered("a\u202eb @everyone")

    assert "\u202e" not in kept
    assert "@everyone" not in kept


@pytest.mark.parametrize("piece", STALLING)
def test_hostile_text_is_read_in_linear_time(piece: str) -> None:
    short, long = piece * (4_000 // len(piece)), piece * (32_000 // len(piece))

    def seconds(text: str) -> float:
        began = time.process_time()
        filtered(text)
        return time.process_time() - began

    assert seconds(long) < 40 * max(seconds(short), 0.002)
