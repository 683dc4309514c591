"""Recorded runs of several tasks that went well: chains and graphs."""

from pipeline.domain import Media, Text
from tests.pipeline.response.recorded import (
    CAPTION,
    CLIP,
    DRAW,
    FILM,
    FIND,
    HEAR,
    OTHER,
    PICTURE,
    SCAN,
    SOUND,
    Recorded,
    boxes,
    done,
    image,
    labels,
    of,
    task,
)

CHAIN = (
    Recorded(
        "describe and speak",
        "describe it aloud",
        (
            (CAPTION, done("blip", text=Text("a boy on a bench"))),
            (task(1, "text-to-speech", text=of(0, "text")), done("bark", audio=SOUND)),
        ),
        "The picture shows a boy on a bench; the recording is below. It took 2 models.",
        "The picture shows a boy on a bench; listen to audio/out-7.mp3. It took 4 models.",
        ("4 (?) models",),
        ("out-7",),
    ),
    Recorded(
        "hear and sum up",
        "sum up the talk",
        (
            (HEAR, done("whisper", text=Text("We sold 420 chairs in June and 80 in July. " * 9))),
            (
                task(1, "summarization", text=of(0, "text")),
                done("bart", text=Text("Sales fell from 420 to 80.")),
            ),
        ),
        "In short: sales fell from 420 to 80.",
        "In short: sales rose from 420 to 840.",
        ("420 to 840 (?)",),
    ),
    Recorded(
        "translate and speak",
        "say good morning in French",
        (
            (
                task(0, "translation", text="good morning", language="French"),
                done("t5", text=Text("bonjour")),
            ),
            (task(1, "text-to-speech", text=of(0, "text")), done("mms", audio=SOUND)),
        ),
        "In French it is « bonjour »; you can hear it below.",
        "In French it is « bonsoir ».",
        ("« bonsoir » (?)",),
    ),
    Recorded(
        "pose and paint",
        "a girl in that pose",
        (
            (image("openpose-control"), done("pose", image=PICTURE)),
            (
                task(1, "openpose-text-to-image", text="a girl", image=of(0, "image")),
                done("sd", image=PICTURE),
            ),
        ),
        "Here is the girl in the same pose, made with acme/pose and acme/sd.",
        "Here is the girl, made with lllyasviel/sd-controlnet-openpose.",
        ("lllyasviel/sd-controlnet-openpose (?)",),
    ),
    Recorded(
        "read and translate",
        "what does the sign say?",
        (
            (image("optical-character-recognition"), done("ocr", text=Text("Achtung Stufe", 0.9))),
            (
                task(1, "translation", text=of(0, "text"), language="English"),
                done("opus", text=Text("Mind the step")),
            ),
        ),
        "The sign says “Achtung Stufe”, which means “Mind the step”.",
        "The sign says “Achtung Hund”, which means “Mind the step”.",
        ("“Achtung Hund” (?)", "“Mind the step”."),
    ),
    Recorded(
        "draw and move",
        "a dancing bear",
        (
            (task(0, "text-to-image", text="a bear"), done("flux", image=PICTURE)),
            (task(1, "image-to-video", image=of(0, "image")), done("svd", video=FILM)),
        ),
        "Here are the picture of the bear and the film.",
        "Here is the 25-second film in 1080 lines.",
        ("25 (?)", "1080 (?)"),
    ),
    Recorded(
        "caption and mood",
        "is the picture happy?",
        (
            (CAPTION, done("blip", text=Text("a smiling child"))),
            (
                task(1, "text-classification", text=of(0, "text")),
                done("mood", labels=labels(joy=0.88, anger=0.03)),
            ),
        ),
        "Yes: “a smiling child” expresses joy, rather surely (88 %).",
        "Yes: joy (80 %).",
        ("joy (88 %)",),
        ("80",),
    ),
    Recorded(
        "document and question",
        "who signed?",
        (
            (
                task(0, "document-to-text", document=Media(SCAN.attachment)),
                done("pdf", text=Text("Signed by Eva Roth, 3 pages")),
            ),
            (
                task(1, "question-answering", text=of(0, "text"), question="who signed?"),
                done("squad", text=Text("Eva Roth", 0.74)),
            ),
        ),
        "Eva Roth signed it; the model is fairly sure.",
        'It was signed by "Adam Smith" on 5 pages.',
        ('"Adam Smith" (?)', "5 (?)"),
    ),
    Recorded(
        "film and class",
        "which sport is it?",
        (
            (
                task(0, "video-classification", video=Media(CLIP.attachment)),
                done("mae", labels=labels(archery=0.66)),
            ),
        ),
        "It is archery, the model is fairly sure.",
        "It is archery (96 %).",
        ("archery (66 %)",),
        ("96",),
    ),
    Recorded(
        "table",
        "highest sales?",
        (
            (
                task(
                    0, "table-question-answering", question="highest?", table=Media(SCAN.attachment)
                ),
                done("tapas", text=Text("Oslo, 1 200")),
            ),
        ),
        "Oslo, with 1200.",
        "Oslo, with 1300.",
        ("1300 (?)",),
    ),
)

GRAPH = (
    Recorded(
        "two pictures",
        "caption both",
        (
            (CAPTION, done("blip", text=Text("a cat"))),
            (
                image("image-to-text", Media(OTHER.attachment), 1),
                done("blip", text=Text("a red car")),
            ),
        ),
        "image 1 shows a cat, image 2 a red car.",
        "image 1 shows a cat, image 7 a “blue van”.",
        ("7 (?)", "“blue van” (?)"),
    ),
    Recorded(
        "find and describe",
        "what is there, and how many?",
        (
            (FIND, done("detr", boxes=boxes(boat=6), image=PICTURE)),
            (image("image-to-text", number=1), done("blip", text=Text("boats on a lake"))),
        ),
        "There are 6 boats on a lake.",
        "There are 16 boats on a lake with 4 penguins.",
        ("6 boats", "4 (?)", "penguins (?)"),
        ("16",),
    ),
    Recorded(
        "three ways",
        "describe, find, classify",
        (
            (CAPTION, done("blip", text=Text("a dog on grass"))),
            (image("object-detection", number=1), done("detr", boxes=boxes(dog=1), image=PICTURE)),
            (
                image("image-classification", number=2),
                done("vit", labels=labels(corgi=0.81, collie=0.11)),
            ),
        ),
        "A dog on grass: 1 dog was found, probably a corgi (81 %) and hardly a collie (11 %).",
        "A dog on grass, a corgi (18 %) or collie (81 %).",
        ("corgi (81 %)", "collie (11 %)"),
        ("18 %",),
    ),
    Recorded(
        "two languages",
        "say hello in German and French",
        (
            (
                task(0, "translation", text="hello", language="German"),
                done("t5", text=Text("hallo")),
            ),
            (
                task(1, "translation", text="hello", language="French"),
                done("t5", text=Text("bonjour")),
            ),
        ),
        "In German: “hallo”. In French: “bonjour”.",
        "In German: `hallo`. In French: `salut toi`.",
        ("`salut toi` (?)",),
    ),
    Recorded(
        "picture and sound",
        "draw and say it",
        (
            (DRAW, done("flux", image=PICTURE)),
            (task(1, "text-to-speech", text="a cat"), done("bark", audio=SOUND)),
        ),
        "Here are the picture and the recording.",
        "See [the picture](./images/cat.png) and [listen](attachment:speech9.wav).",
        ("See the picture and listen",),
        ("./images", "attachment:", "speech9"),
    ),
    Recorded(
        "wide graph",
        "all of it",
        (
            (FIND, done("detr", boxes=boxes(cup=2), image=PICTURE)),
            (image("image-to-text", number=1), done("blip", text=Text("cups on a table"))),
            (task(2, "text-to-speech", text=of(1, "text")), done("bark", audio=SOUND)),
            (
                task(3, "translation", text=of(1, "text"), language="German"),
                done("t5", text=Text("Tassen auf einem Tisch")),
            ),
        ),
        "2 cups on a table („Tassen auf einem Tisch“), with a recording.",
        "12 cups on a table („Gläser auf dem Tisch“).",
        ("2 cups", "„Gläser auf dem Tisch“ (?)"),
        ("12",),
    ),
)
