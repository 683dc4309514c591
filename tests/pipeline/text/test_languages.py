"""Languages as people, planners and model cards write them."""

import pytest

from pipeline.text.languages import find_language, normalize_code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Japanese", "ja"),
        ("japanisch", "ja"),
        ("日本語", "ja"),
        ("ja", "ja"),
        ("ja-JP", "ja"),
        ("jpn_Jpan", "ja"),
        (" Brazilian  Portuguese", "pt"),
        ("Simplified Chinese", "zh"),
        ("cmn", "zh"),
        ("Norwegian Bokmål", "no"),
        ("nb", "no"),
        ("alemán", "de"),
        ("allemand", "de"),
        ("deu", "de"),
        ("ZH_Hant", "zh"),
        ("iw", "he"),
        ("Cebuano", "ceb"),
        ("Mandarin", "zh"),
        ("farsi", "fa"),
        ("Português", "pt"),
        ("Portuguese (Brazil)", "pt"),
        ("Chinese (Simplified)", "zh"),
        ("language (of nobody)", ""),
        ("code", ""),
        ("jap", ""),
        ("a language that nobody knows", ""),
        ("", ""),
    ],
)
def test_a_language_is_known_by_name_and_by_code(name: str, code: str) -> None:
    assert find_language(name) == code


def test_a_code_is_no_name() -> None:
    assert normalize_code("Japanese") == ""
    assert normalize_code("zh-Hans-CN") == "zh"
