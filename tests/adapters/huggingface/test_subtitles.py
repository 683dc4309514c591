"""Subtitles read as players expect them."""

from adapters.huggingface.decode import Cue, format_srt


def test_cues_are_numbered_in_order_with_times() -> None:
    cues = (Cue(3661.5, 3663.25, " there "), Cue(0.0, 1.2, "Hello"))

    assert format_srt(cues) == (
        "1\n00:00:00,000 --> 00:00:01,200\nHello\n\n2\n01:01:01,500 --> 01:01:03,250\nthere\n"
    )


def test_a_cue_ends_when_the_next_begins_and_lasts_long_enough_to_be_seen() -> None:
    written = format_srt((Cue(0.0, 9.0, "a"), Cue(2.0, 2.0, "b"), Cue(5.0, None, "c")))

    assert [line for line in written.splitlines() if "-->" in line] == [
        "00:00:00,000 --> 00:00:02,000",
        "00:00:02,000 --> 00:00:02,400",
        "00:00:05,000 --> 00:00:08,000",
    ]


def test_long_words_are_broken_into_lines_and_silence_is_left_out() -> None:
    written = format_srt((Cue(0.0, 4.0, "word " * 20), Cue(4.0, 5.0, "  ")))

    assert all(len(line) <= 42 for line in written.splitlines())
    assert written.count("-->") == 1
    assert format_srt(()) == ""
