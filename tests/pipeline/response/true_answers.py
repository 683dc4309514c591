"""True answers of a language model about given records, as data: none of them may be changed.

Each row: language, request, files of the thread, what the steps found, the answer.
"""
# ruff: noqa: RUF001 - words of many languages; prose in one line

from typing import NamedTuple


class TrueAnswer(NamedTuple):
    """A request with its record, and an honest answer."""

    locale: str
    asked: str
    files: tuple[str, ...]
    found: tuple[str, ...]
    answer: str


TRUE_ANSWERS = tuple(
    TrueAnswer(*row)
    for row in (
        # English
        (
            "en",
            "when is it open?",
            ("sign.jpg",),
            ("OPEN MON-FRI 9-17",),
            "It's open Monday to Friday, 9 am to 5 pm.",
        ),
        (
            "en",
            "how did the vote go?",
            ("minutes.pdf",),
            ("The motion passed 7:2.",),
            "The motion passed by seven votes to two. Nine members voted.",
        ),
        (
            "en",
            "how many zebras?",
            ("a.png", "b.png", "c.png"),
            ("2 zebra", "2 zebra", "2 zebra"),
            "There are two zebras in each of the three pictures: 6 in total.",
        ),
        (
            "en",
            "what is image.png?",
            ("image.png",),
            ("a cat on a mat",),
            "image.png is a photo of a cat on a mat.",
        ),
        (
            "en",
            "which version do I need?",
            ("setup.pdf",),
            ("requires Python 3.11 or newer",),
            "You need Python 3.11 or newer, e.g. 3.11.4, 3.12 or 3.13.",
        ),
        (
            "en",
            "what is it built with?",
            ("slide.png",),
            ("Node.js / Vue.js / ASP.NET Core 8.0",),
            (
                "It's built with Node.js, Vue.js and ASP.NET Core 8.0 "
                "(i.e. a JavaScript front end and/or a .NET back end)."
            ),
        ),
        (
            "en",
            "sum the invoices",
            ("1.pdf", "2.pdf"),
            ("Total 120.50", "Total 79.50"),
            "Together they come to $200.00 (120.50 + 79.50), i.e. an average of $100.00.",
        ),
        (
            "en",
            "show me the code",
            (),
            ("def f(x): return x[0]",),
            (
                "```python\ndef f(x):\n    return x[0] + rows[2][1]  # <b>not</b> "
                "a link\n```\nCall it as `f([1, 2])` or `handlers[1](event)`."
            ),
        ),
        (
            "en",
            "as a table",
            ("sales.csv",),
            ("Q1 10\nQ2 30",),
            (
                "| quarter | revenue | share |\n| --- | ---: | ---: |\n| Q1 | "
                "10 | 25 % |\n| Q2 | 30 | 75 % |\n\nQ2 was **three times** Q1."
            ),
        ),
        (
            "en",
            "what did Anna say?",
            ("call.wav",),
            ("Anna: I'll send it by Friday",),
            "Anna said: \"I'll send it by Friday.\" She didn't name a time.",
        ),
        (
            "en",
            "where can I read more?",
            ("poster.png",),
            ("Read more at https://example.com/tours?id=7",),
            "The poster points to https://example.com/tours?id=7.",
        ),
        (
            "en",
            "is https://a.example/x_(y) mentioned?",
            (),
            ("No",),
            (
                "No, https://a.example/x_(y) is not mentioned; "
                "see [your link](https://a.example/x_(y))."
            ),
        ),
        (
            "en",
            "who wrote it?",
            ("letter.pdf",),
            ("Yours, Dr. J. R. Smith, Ph.D., jr.smith@example.org",),
            "Dr. J. R. Smith, Ph.D. wrote it; the address given is jr.smith@example.org.",
        ),
        (
            "en",
            "compare",
            ("a.png", "b.png"),
            ("cat", "dog"),
            "1. **a.png**: a cat\n2. **b.png**: a dog\n\n> Both are pets, w/o doubt; odds 50/50.",
        ),
        (
            "en",
            "how long is it?",
            ("film.mp4",),
            ("00:03:25",),
            "It runs 3 min 25 s, a little over three and a half minutes minus five seconds.",
        ),
        (
            "en",
            "convert it",
            ("photo.heic",),
            ("done",),
            "I converted photo.heic; the second of the two steps took longest [0].",
        ),
        (
            "en",
            "what's the ratio?",
            (),
            ("16:9",),
            "It's 16:9, so 1920x1080 or 3840×2160 fit; x[i] < y and a <b are fine too.",
        ),
        (
            "en",
            "explain the note",
            ("scan.png",),
            ("see note [12], p. 3",),
            "It refers to note [12] on p. 3.",
        ),
        (
            "en",
            "what does the tag do?",
            (),
            ("<br>",),
            "`<br>` breaks the line, `<a href>` makes a link, and 5 > 3 while 2 < 3.",
        ),
        (
            "en",
            "speed?",
            (),
            ("27.8 m/s",),
            "27.8 m/s is about 100 km/h (62 mph), roughly 9/10 of the limit; /kæt/ is unrelated.",
        ),
        # German
        (
            "de",
            "Wann ist offen?",
            ("schild.jpg",),
            ("Mo-Fr 9-17 Uhr",),
            (
                "Geöffnet ist montags bis freitags von neun "
                "bis siebzehn Uhr, also acht Stunden am Tag."
            ),
        ),
        (
            "de",
            "Wie hoch ist die Rechnung?",
            ("rechnung.pdf",),
            ("Netto 221,34\nUSt 19 % 42,06\nBrutto 263,40",),
            (
                "Die Rechnung beläuft sich auf **263,40 €** "
                "brutto (netto 221,34 €, d. h. 42,06 € USt)."
            ),
        ),
        (
            "de",
            "Wer kommt?",
            ("mail.txt",),
            ("Herr Müller und Frau Groß kommen am 3.",),
            "Herr Müller und Frau Groß, z. B. am 3. des Monats, d.h. nächste Woche.",
        ),
        (
            "de",
            "Wie viele Hunde?",
            ("a.jpg", "b.jpg"),
            ("1 dog", "3 dog"),
            "Auf a.jpg ist ein Hund, auf b.jpg sind es drei: zusammen vier.",
        ),
        (
            "de",
            "Was steht in Übersicht.pdf?",
            ("Übersicht.pdf",),
            ("Umsatz 1,2 Mio.",),
            "In Übersicht.pdf steht ein Umsatz von 1,2 Mio. € (ca. 1.200.000).",
        ),
        (
            "de",
            "Wo kann ich buchen?",
            ("flyer.png",),
            ("www.beispiel.de/buchen",),
            "Laut Flyer unter www.beispiel.de/buchen.",
        ),
        (
            "de",
            "Welche Version?",
            (),
            ("v2.4.1-rc1",),
            "Installiert ist v2.4.1-rc1, die Vorabversion von 2.4.1 bzw. der 2.4er-Reihe.",
        ),
        (
            "de",
            "Zitat?",
            ("rede.wav",),
            ("Wir schaffen das",),
            "Sie sagt: „Wir schaffen das“, zum zweiten Mal nach 12:30 Uhr.",
        ),
        ("de", "Größe?", (), ("3 cm",), "Etwa 3 cm, also ≈ 1,2″ und/oder rund 1/10 des Bildes."),
        ("de", "Befehl?", (), ("ls -la",), "Mit `ls -la ~/.config` bzw. `cat x | grep y[0]`."),
        # French
        (
            "fr",
            "C'est ouvert quand ?",
            ("panneau.jpg",),
            ("9h-17h",),
            "C'est ouvert de 9 heures à 17 heures, soit huit heures par jour.",
        ),
        (
            "fr",
            "Le total ?",
            ("facture.pdf",),
            ("Total 1 263,40 €",),
            "Le total s'élève à « 1 263,40 € », c.-à-d. environ 1 300 €.",
        ),
        (
            "fr",
            "Combien de chats ?",
            ("a.png", "b.png"),
            ("2 cat", "1 cat"),
            "Il y a deux chats sur a.png et un sur b.png : trois en tout.",
        ),
        (
            "fr",
            "Qui parle ?",
            ("appel.mp3",),
            ("Bonjour, ici M. Dupont",),
            "C'est M. Dupont ; il dit : « Bonjour ».",
        ),
        (
            "fr",
            "Où écrire ?",
            ("lettre.png",),
            ("contact@exemple.fr",),
            "On peut écrire à contact@exemple.fr.",
        ),
        ("fr", "Quel rang ?", (), ("1er",), "Il est arrivé 1er, devant le 2e et la 3e, à 10 h 05."),
        (
            "fr",
            "Résume-moi rapport.docx",
            ("rapport.docx",),
            ("Le chiffre d'affaires monte.",),
            "D'après rapport.docx, le chiffre d'affaires monte (cf. p. 2).",
        ),
        (
            "fr",
            "Et le code ?",
            (),
            ("a[1]",),
            "Le premier élément est `a[0]`, le deuxième `a[1]`; n'utilise pas a[2] ici.",
        ),
        (
            "fr",
            "Le lien ?",
            ("affiche.png",),
            ("https://exemple.fr/a-b_c",),
            "Voici [le lien de l'affiche](https://exemple.fr/a-b_c).",
        ),
        ("fr", "Tableau", (), ("x 1",), "| x | y |\n|---|---|\n| 1 | 2 |"),
        # Spanish
        (
            "es",
            "¿Cuándo abre?",
            ("cartel.jpg",),
            ("L-V 9-17",),
            "Abre de lunes a viernes, de nueve de la mañana a cinco de la tarde.",
        ),
        (
            "es",
            "¿Cuánto es?",
            ("factura.pdf",),
            ("Total 263,40 €",),
            "El total es de 263,40 €, o sea, unos doscientos sesenta y tres euros.",
        ),
        (
            "es",
            "¿Cuántos perros?",
            ("a.png", "b.png"),
            ("2 dog", "2 dog"),
            "Hay dos perros en cada foto: cuatro en total.",
        ),
        (
            "es",
            "¿Qué dice?",
            ("nota.ogg",),
            ("Llego a las 3",),
            "Dice: «Llego a las 3»; probablemente p. ej. a las 15:00.",
        ),
        (
            "es",
            "¿Dónde está foto final.png?",
            ("foto final.png",),
            ("una playa",),
            "En foto final.png se ve una playa.",
        ),
        (
            "es",
            "¿Versión?",
            (),
            ("Ubuntu 24.04 LTS",),
            "Es Ubuntu 24.04 LTS; la anterior era la 22.04.",
        ),
        ("es", "¿Enlace?", ("web.png",), ("ejemplo.es/ayuda",), "La página es ejemplo.es/ayuda."),
        ("es", "¿Lista?", (), ("pan, leche",), "- pan\n- leche\n\nSon dos cosas; [nada más]."),
        (
            "es",
            "¿Votos?",
            ("acta.pdf",),
            ("7 a favor, 2 en contra",),
            "Siete a favor y dos en contra: votaron nueve.",
        ),
        ("es", "¿Música?", ("tema.flac",), ("jazz",), "tema.flac suena a jazz de los años 50/60."),
        # Chinese
        (
            "zh",
            "几点开门？",
            ("招牌.jpg",),
            ("9:00-17:00",),
            "营业时间是上午九点到下午五点，共8小时。",
        ),
        (
            "zh",
            "报告.pdf里有什么？",
            ("报告.pdf",),
            ("总额 263.40 元",),
            "报告.pdf里写着总额为263.40元。",
        ),
        (
            "zh",
            "一共多少只？",
            ("a.png", "b.png"),
            ("2 zebra", "2 zebra"),
            "a.png和b.png里各有两只斑马，一共四只。",
        ),
        (
            "zh",
            "网址是什么？",
            ("海报.png",),
            ("详情见https://example.cn/活动",),
            "海报上的网址是https://example.cn/活动。",
        ),
        (
            "zh",
            "版本？",
            (),
            ("Python 3.11",),
            "需要Python 3.11及以上（例如3.12），用`x[0]`取第一个。",
        ),
        # Japanese
        (
            "ja",
            "何時から？",
            ("看板.jpg",),
            ("9:00〜17:00",),
            "営業時間は午前9時から午後5時までです。",
        ),
        ("ja", "写真.pngは何？", ("写真.png",), ("猫",), "写真.pngには猫が1匹写っています。"),
        (
            "ja",
            "合計は？",
            ("領収書.pdf",),
            ("合計 ¥1,263",),
            "合計は「¥1,263」で、税込みです（第2項）。",
        ),
        (
            "ja",
            "議決は？",
            ("議事録.txt",),
            ("賛成7、反対2",),
            "賛成七、反対二で、九人が投票しました。",
        ),
        (
            "ja",
            "リンクは？",
            ("poster.png",),
            ("https://example.jp/a",),
            "詳しくは https://example.jp/a をご覧ください。",
        ),
    )
)
"""Sixty, in six languages."""
