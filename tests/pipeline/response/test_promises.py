"""Files that an answer says are there: left alone when the run made one of that type, marked when it did not."""

import pytest

from pipeline.domain import Media, Plan, Task, Text
from pipeline.response import check, check_reply
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import (
    CAPTION,
    DRAW,
    FILES,
    FILM,
    HEAR,
    PICTURE,
    SOUND,
    done,
    task,
)

SPEAK = task(0, "text-to-speech", text="hi")
CUT = task(0, "image-to-video", text="move it")


def described(text: str, said: str = "a cat on a mat") -> str:
    """What becomes of an answer where a picture was described and no file was made."""
    outcomes = {CAPTION.id: done("blip", text=Text(said))}
    return check(text, request("describe it", *FILES), Plan((CAPTION,)), outcomes).text


INVENTED = [
    ("A cat. I attached an audio.", "an audio (?)"),
    ("A cat. I've also attached a picture of it.", "a picture (?) of it"),
    ("A cat. I have attached the audio file for you.", "the audio file (?)"),
    ("A cat. Here is the recording.", "the recording (?)"),
    ("A cat. Here's your new drawing:", "your new drawing (?)"),
    ("A cat. The audio is attached below.", "The audio (?)"),
    ("A cat. Please find attached the PDF.", "the PDF (?)"),
    ("A cat. Listen to the recording below.", "the recording (?)"),
    ("A cat. I recorded a voice message for you.", "a voice message (?)"),
    ("A cat. I drew a small picture of it.", "a small picture (?)"),
    ("Eine Katze. Ich habe dir ein Bild angehängt.", "ein Bild (?)"),
    ("Eine Katze. Hier ist die Aufnahme.", "die Aufnahme (?)"),
    ("Eine Katze. Das Video findest du im Anhang.", "Das Video (?)"),
    ("Eine Katze. Ich habe ein Bild für dich gemalt.", "ein Bild (?)"),
    ("Un chat. Voici l'enregistrement.", "l'enregistrement (?)"),
    ("Un chat. J'ai joint une image.", "une image (?)"),
    ("Un gato. Aquí tienes la grabación.", "la grabación (?)"),
    ("Un gato. He creado una imagen para ti.", "una imagen (?)"),
    ("一只猫。我附上了一段音频。", "音频 (?)"),
    ("猫です。音声を添付しました。", "音声 (?)"),
]


@pytest.mark.parametrize(("text", "marked"), INVENTED)
def test_a_file_that_nobody_made_is_marked(text: str, marked: str) -> None:
    assert marked in described(text)


@pytest.mark.parametrize(
    "text",
    [
        "The attached picture shows a cat on a mat.",
        "Your picture shows a cat; the photo you attached is a good one.",
        "Here is the text of the picture: a cat on a mat.",
        "Here is what the picture shows: a cat on a mat.",
        "Here is the picture in words: a cat on a mat.",
        "Here is the picture's caption: a cat on a mat.",
        "Here is the image description: a cat on a mat.",
        "I did not find the picture easy, nor could I find a file in it: a cat.",
        "I looked at the picture and made a caption for the image.",
        "No audio is attached, and I have not made a picture; I can draw a picture, if you like.",
        "There is no recording. The picture is not attached.",
        "I described the picture and used the image you sent.",
        "Das Bild zeigt eine Katze; ich habe das Bild beschrieben.",
        "Hier ist der Text zum Bild: a cat on a mat.",
        "Hier ist das Bild in Worten: eine Katze.",
        "Es ist kein Bild angehängt. Das Foto im Anhang zeigt eine Katze.",
        "Voici le texte de l'image : un chat.",
        "Aquí está el texto de la imagen: un gato.",
        "这是一张猫的图片。",
        "猫の画像です。音声は添付していません。",
    ],
)
def test_what_is_said_of_the_persons_own_file_is_left_alone(text: str) -> None:
    assert "(?)" not in described(text)


@pytest.mark.parametrize(
    ("step", "value", "text"),
    [
        (DRAW, PICTURE, "I drew the picture. Here is the image of a cat, as a file."),
        (DRAW, PICTURE, "Hier ist das Bild; ich habe dir ein Bild von einer Katze gemalt."),
        (DRAW, PICTURE, "The picture is attached. Voici l'image. Aquí tienes la imagen."),
        (SPEAK, SOUND, "I recorded it: listen to the recording below. The audio is attached."),
        (SPEAK, SOUND, "Ich habe die Aufnahme angehängt. 我附上了一段音频。音声を添付しました。"),
        (CUT, FILM, "Here is the clip. I made an animation; the video is ready."),
    ],
)
def test_a_file_that_was_made_may_be_spoken_of(step: Task, value: Media, text: str) -> None:
    outcomes = {step.id: done("x", made=value)}

    assert check(text, request("do it"), Plan((step,)), outcomes).text == text


def test_another_file_than_the_one_that_was_made_is_marked() -> None:
    outcomes = {DRAW.id: done("flux", image=PICTURE)}

    told = check("Here is the picture. I attached an audio.", request("?"), Plan((DRAW,)), outcomes)

    assert told.text == "Here is the picture. I attached an audio (?)."


def test_what_an_expert_said_may_be_repeated() -> None:
    outcomes = {HEAR.id: done("whisper", text=Text("I attached a picture to the letter."))}

    text = "I attached a picture to the letter."

    assert check(text, request("?", *FILES), Plan((HEAR,)), outcomes).text == text


def test_a_reply_without_tasks_brings_no_file() -> None:
    assert "picture (?)" in check_reply("Here is the picture.", request("draw")).text
    story = "I drew a picture of a cat when I was six."
    assert check_reply(story, request("tell me a story")).text == story
