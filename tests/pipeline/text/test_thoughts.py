"""Thoughts within replies, in the dialects of the models, whole and in pieces of any size."""

import pytest

from pipeline.text.thoughts import ThoughtFilter, remove_thoughts

ANSWER = "Hello! It is 5 < 7 [sic]."
HARMONY = "<|channel|>analysis<|message|>Perhaps {}?<|end|><|start|>assistant"


def said(reply: str, size: int, *, are_unopened: bool = False) -> str:
    thoughts = ThoughtFilter(are_unopened=are_unopened)
    pieces = (reply[at : at + size] for at in range(0, len(reply), size))
    return "".join(map(thoughts.feed, pieces)) + thoughts.finish()


@pytest.mark.parametrize(
    "thought",
    [
        "<think>Perhaps {}?</think>\n\n",
        "\n<thinking>Perhaps</thinking>",
        "<think></think>\n<think>And again.</think>\n",
        "<seed:think>Perhaps</seed:think>",
        "[THINK]Perhaps [1] or </think>?[/THINK]",
        "◁think▷Perhaps◁/think▷",
        f"{HARMONY}<|channel|>final<|message|>",
        (
            f"{HARMONY}<|channel|>commentary<|message|>First.<|end|><|start|>assistant"
            "<|channel|>final<|message|>"
        ),
        "<|channel|>final<|message|>",
        f"{HARMONY}<|channel|>final <|constrain|>json<|message|>",
        "<THINK>Perhaps</think>\n",
        "[think]Perhaps[/Think]",
        "<longcat_think>Perhaps</longcat_think>",
        "<|inner_prefix|>Perhaps<|inner_suffix|>",
        "analysisThe user greets. Let's greet.assistantfinal",
        "<|channel>thought\nPerhaps\n<channel|>",
        "<unused94>thought\nPerhaps<unused95>",
        "<|START_THINKING|>Perhaps<|END_THINKING|><|START_RESPONSE|>",
        "Here is my thought process:\nPerhaps\nHere is my response:\n",
        "",
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_only_the_answer_is_said(thought: str, size: int) -> None:
    assert said(f"{thought}{ANSWER}", size) == ANSWER
    assert remove_thoughts(f"{thought}{ANSWER}") == ANSWER


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("<|channel|>final<|message|>", "<|return|>"),
        (f"{HARMONY}<|channel|>final<|message|>", "<|return|>"),
        ("<think>So</think><answer>\n", "</answer><|im_end|>\n"),
        ("", "<|eot_id|><|end|>"),
        ("", "<\uff5cend\u2581of\u2581sentence\uff5c>"),
        ("<think>So</think><answer>\n", "</answer>"),
        ("<|START_THINKING|>So<|END_THINKING|><|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ],
)
def test_the_marks_around_an_answer_are_no_part_of_it(begin: str, end: str, size: int) -> None:
    assert said(f"{begin}{ANSWER}{end}", size) == ANSWER


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "A thought ends with </think>, and then comes the answer:\n\n`</think>`",
        "<answer>42</answer> is the tag that they ask for.",
        "analysis of the data shows a rise",
        "analysisOf is a function, and assistantFinal another",
        "<thin ice> <think>no</think>",
        "<thi",
        "`<longcat_think>` and `</longcat_think>`",
        "```\n<THINK>\nSo\n</THINK>\n```\nThat is the form.",
        "The last mark is `<|return|>`.",
        "It is <b>bold</b>",
        "a <b> <c> <d> <e",
    ],
)
def test_a_text_about_thoughts_is_whole(text: str, size: int) -> None:
    assert said(text, size) == text
    assert remove_thoughts(text) == text


@pytest.mark.parametrize("end", ["</think>", "[/THINK]", "</seed:think>", "<channel|>"])
@pytest.mark.parametrize("size", [1, 1000])
def test_a_thought_may_begin_in_the_prompt(end: str, size: int) -> None:
    assert said(f"Perhaps {{}}?\n{end}\n\n{ANSWER}", size, are_unopened=True) == ANSWER


@pytest.mark.parametrize("beginning", ["<think>", "[THINK]", "<|channel|>analysis<|message|>"])
def test_a_thought_without_an_end_is_no_answer(beginning: str) -> None:
    assert remove_thoughts(f"{beginning}Perhaps") == ""


def test_a_thought_that_was_cut_off_is_no_answer() -> None:
    thoughts = ThoughtFilter(are_unopened=True)

    assert thoughts.feed("Perhaps ") + thoughts.finish(is_cut=True) == ""


def test_what_is_said_before_the_limit_is_kept_after_a_thought_with_a_beginning() -> None:
    thoughts = ThoughtFilter(are_unopened=True)

    heard = thoughts.feed("<think>Perhaps</think>Hel") + thoughts.feed("lo")

    assert heard + thoughts.finish(is_cut=True) == "Hello"


def test_many_thoughts_are_read_in_linear_time() -> None:
    hostile = "<think></think>" * 70_000

    assert len(said(hostile, len(hostile))) < len(hostile)
    assert said("<b> " * 20_000, 4) == "<b> " * 20_000
    assert remove_thoughts("```" * 50_000) == "```" * 50_000
