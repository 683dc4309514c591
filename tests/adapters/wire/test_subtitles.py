"""Transcripts with times become subtitles, in either way of telling them."""

import pytest

from adapters.wire.decode import decode_subtitles

SRT = b"1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n00:00:01,500 --> 00:00:04,500\nthere\n"


@pytest.mark.parametrize(
    "said",
    [
        {
            "chunks": [
                {"text": "Hello", "timestamp": [0, 1.5]},
                {"text": "there", "timestamp": [1.5, None]},
            ]
        },
        [
            {
                "chunks": [
                    {"text": "Hello", "timestamp": [None, 1.5]},
                    {"text": "there", "timestamp": [1.5, 4.5]},
                ]
            }
        ],
        {"segments": [{"text": " Hello", "start": 0, "end": 1.5}, {"text": "there", "start": 1.5}]},
    ],
)
def test_times_become_subtitles(said: object) -> None:
    (file,) = decode_subtitles(said)

    assert (file.name, file.data) == ("subtitles.srt", SRT)


@pytest.mark.parametrize(
    "said", [{"text": "hello"}, [], "x", {"chunks": "many"}, {"chunks": []}, {"segments": [{}]}]
)
def test_without_times_there_are_none(said: object) -> None:
    assert decode_subtitles(said) == ()


def test_times_have_hours_long_words_are_broken_into_lines_and_silence_is_left_out() -> None:
    spoken = {"text": " word " * 20, "timestamp": [3661.5, 3663.25]}

    (file,) = decode_subtitles({"chunks": [{"text": "  ", "timestamp": [0, 1]}, spoken]})

    number, times, *lines = file.data.decode().splitlines()
    assert (number, times) == ("1", "01:01:01,500 --> 01:01:03,250")
    assert all(len(line) <= 42 for line in lines)
