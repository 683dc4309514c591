import io
import stat
from pathlib import Path

import pytest
from dotenv import dotenv_values
from hypothesis import given
from hypothesis import strategies as st

from bot.setup.env_file import read_env, rewrite, write_env
from bot.setup.history import SettingsHistory
from pipeline.errors import SettingsError

OWN = "# mine\nTROUPE_PARALLEL=4   # few\n\nexport OPENAI_API_KEY='old one' # the first\nX=1"


def test_a_new_setting_comes_last_and_every_other_line_stays() -> None:
    assert rewrite(OWN, {"HF_TOKEN": "hf_1"}) == f"{OWN}\nHF_TOKEN=hf_1\n"


def test_a_setting_is_changed_in_its_place() -> None:
    changed = rewrite(OWN, {"OPENAI_API_KEY": "sk-new"})

    assert changed == "# mine\nTROUPE_PARALLEL=4   # few\n\nOPENAI_API_KEY=sk-new\nX=1"


def test_a_setting_is_taken_out_with_every_line_of_its_name_in_any_case() -> None:
    assert rewrite("hf_token=a\nX=1\nHF_TOKEN=b\n", {"HF_TOKEN": ""}) == "X=1\n"
    assert rewrite("hf_token=a\nX=1\nHF_TOKEN=b\n", {"HF_TOKEN": "c"}) == "X=1\nHF_TOKEN=c\n"


def test_line_ends_of_windows_stay() -> None:
    assert rewrite("A=1\r\n# b\r\n", {"HF_TOKEN": "c"}) == "A=1\r\n# b\r\nHF_TOKEN=c\n"


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))))
def test_what_is_written_is_read_back_or_refused(value: str) -> None:
    try:
        text = rewrite(OWN, {"HF_TOKEN": value})
    except SettingsError:
        assert "${" in value
        return
    read = dotenv_values(stream=io.StringIO(text))
    assert (read.get("HF_TOKEN") or "") == value


def test_a_new_file_is_only_for_its_owner(tmp_path: Path) -> None:
    write_env(tmp_path / ".env", "A=1\n")

    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [".env"]


@pytest.mark.parametrize("rights", [0o600, 0o640, 0o644])
def test_the_rights_of_a_file_stay(tmp_path: Path, rights: int) -> None:
    (tmp_path / "real").write_text("A=1\n")
    (tmp_path / "real").chmod(rights)
    (tmp_path / ".env").symlink_to("real")

    write_env(tmp_path / ".env", "A=2\n")

    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == rights
    assert (tmp_path / ".env").is_symlink()
    assert (tmp_path / "real").read_text() == "A=2\n"


def test_a_change_is_undone_to_the_byte(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text(OWN)
    SettingsHistory(tmp_path / "home", env).change("key", {"OPENAI_API_KEY": "a", "HF_TOKEN": "b"})
    assert env.read_text() != OWN

    history = SettingsHistory(tmp_path / "home", env)  # as after a restart
    assert history.undo() is not None

    assert env.read_text() == OWN
    assert history.last is None
    assert history.undo() is None


def test_undoing_the_first_change_deletes_the_file(tmp_path: Path) -> None:
    history = SettingsHistory(tmp_path / "home", tmp_path / ".env")
    history.change("key", {"HF_TOKEN": "b"})
    kept = tmp_path / "home" / "troupe-setup.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600

    history.undo()

    assert read_env(tmp_path / ".env") is None


def test_undoing_leaves_lines_that_were_added_since(tmp_path: Path) -> None:
    env, history = tmp_path / ".env", SettingsHistory(tmp_path / "home", tmp_path / ".env")
    env.write_text("HF_TOKEN=old\n")
    history.change("key", {"HF_TOKEN": "new"})
    env.write_text(env.read_text() + "TROUPE_PARALLEL=4\n")

    history.undo()

    assert env.read_text() == "HF_TOKEN=old\nTROUPE_PARALLEL=4\n"


def test_a_file_that_cannot_be_written_is_left_and_nothing_is_kept(tmp_path: Path) -> None:
    history = SettingsHistory(tmp_path / "home", tmp_path / "away" / ".env")

    with pytest.raises(SettingsError):
        history.change("key", {"HF_TOKEN": "b"})

    assert history.last is None
