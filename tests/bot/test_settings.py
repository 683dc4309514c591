"""Settings are read once; all problems are reported at once, each with its fix."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.environment import child_environment
from bot.setting_sources import find_odd_settings, read_settings
from bot.settings import Settings
from pipeline.errors import SettingsError
from tests.fakes.places import EMBEDDED, LLM


def test_nothing_need_be_set() -> None:
    settings = read_settings({})

    assert settings.web
    assert not any((settings.slack, settings.discord, settings.language_model))
    assert settings.database_url.startswith("sqlite:///")


def test_lists_are_separated_by_commas() -> None:
    assert read_settings({"TROUPE_PLACES": "embedded, llm"}).troupe_places == (EMBEDDED, LLM)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings(
            {
                "TROUPE_WEB_PORT": "eighty",
                "OPENAI_BASE_URL": "nowhere",
                "TROUPE_PLACES": "moon",
                "SLACK_BOT_TOKEN": "secret",
                "SLACK_API_BASE_URL": "slack",
                "DISCORD_GATEWAY_URL": "https://gateway.example",
            }
        )

    told = str(refused.value.sentence.args["problems"])
    for name in (
        "TROUPE_WEB_PORT",
        "OPENAI_BASE_URL",
        "TROUPE_PLACES",
        "SLACK_BOT_TOKEN",
        "SLACK_APP_TOKEN",
        "SLACK_API_BASE_URL",
        "DISCORD_GATEWAY_URL",
    ):
        assert name in told


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("OPENAI_BASE_URL", "an address like https://example.com or 'auto'"),
        ("HF_ENDPOINT", "an address like https://example.com"),
        ("TROUPE_LLM_NEARBY", "addresses like http://127.0.0.1:11434/v1"),
        ("DISCORD_GATEWAY_URL", "an address like wss://example.com"),
        ("TROUPE_WEB_PORT", "a whole number"),
        ("TROUPE_TASK_SECONDS", "a number"),
        ("TROUPE_WEB", "true or false"),
        ("TROUPE_LICENCE", "'any' or 'commercial'"),
        ("TROUPE_LLM_SEES_IMAGES", "true or false or 'auto'"),
        ("TROUPE_PLACES", "'hosted', 'llm', 'local' or 'embedded'"),
        (
            "TROUPE_DATABASE_URL",
            "sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME, special characters as %XX",
        ),
        ("TROUPE_FILES_URL", "a folder, file:///folder or s3://bucket/prefix"),
        ("TROUPE_FETCH_HOSTS", "names of hosts like example.com"),
    ],
)
def test_what_a_setting_must_be_is_told_without_what_it_is(name: str, valid: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({name: "ftp://me:hidden@nowhere,else"})

    told = str(refused.value.sentence.args["problems"])
    assert told == f"{name} must be {valid}."


@pytest.mark.parametrize("url", ["s3:/bucket/prefix", "s3:bucket", "file:/folder", "gs://bucket"])
def test_an_address_that_is_no_path_makes_no_folder_of_that_name(url: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({"TROUPE_FILES_URL": url})

    told = str(refused.value.sentence.args["problems"])
    assert told == "TROUPE_FILES_URL must be a folder, file:///folder or s3://bucket/prefix."


def test_parameters_of_a_database_that_are_not_known_are_named() -> None:
    address = "postgresql://me:hidden@host/name?sslmode=require"
    assert read_settings({"TROUPE_DATABASE_URL": address}).database_url == address

    with pytest.raises(SettingsError) as refused:
        read_settings({"TROUPE_DATABASE_URL": f"{address}&channel_binding=hidden&options=-x"})

    told = str(refused.value.sentence.args["problems"])
    assert told == "TROUPE_DATABASE_URL must be an address without channel_binding, options."


def test_a_page_open_to_others_needs_a_token() -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({"TROUPE_WEB_HOST": "0.0.0.0"})

    assert "TROUPE_WEB_TOKEN" in str(refused.value.sentence.args["problems"])


def test_the_owner_has_a_token_that_others_do_not_know() -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({"TROUPE_WEB_TOKEN": "same", "TROUPE_OWNER_TOKEN": "same"})

    assert "TROUPE_OWNER_TOKEN" in str(refused.value.sentence.args)


@pytest.mark.parametrize("text", ["correct horse", "base64:horse" * 4, "base64:aG9yc2U="])
def test_a_secret_that_could_be_guessed_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({"TROUPE_SECRET": text})

    assert "TROUPE_SECRET must be at least 32" in str(refused.value.sentence.args)
    assert text not in str(refused.value.sentence.args)


@pytest.mark.parametrize(
    ("given", "web"),
    [
        ({"DISCORD_TOKEN": "t"}, False),
        ({"DISCORD_TOKEN": "t", "TROUPE_WEB": "true"}, True),
        ({"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_MODE": "http", "SLACK_SIGNING_SECRET": "s"}, True),
    ],
)
def test_the_page_is_served_where_it_is_wanted(given: dict[str, str], web: bool) -> None:  # noqa: FBT001
    assert read_settings(given).web is web


OAUTH = {
    "SLACK_CLIENT_ID": "1.2",
    "SLACK_CLIENT_SECRET": "s",
    "SLACK_APP_TOKEN": "xapp-1",
    "TROUPE_SECRET_KEY": "k",
    "TROUPE_PUBLIC_URL": "https://troupe.example",
}


def test_slack_is_installed_by_oauth_unless_there_is_a_bot_token() -> None:
    oauth, one = read_settings(OAUTH), read_settings({**OAUTH, "SLACK_BOT_TOKEN": "xoxb-1"})

    assert (oauth.slack, oauth.slack_oauth, oauth.web) == (True, True, True)
    assert (one.slack, one.slack_oauth, one.web) == (True, False, False)


@pytest.mark.parametrize("missing", sorted(OAUTH))
def test_what_oauth_lacks_is_told(missing: str) -> None:
    given = {name: value for name, value in OAUTH.items() if name != missing}

    with pytest.raises(SettingsError) as refused:
        read_settings(given)

    assert f"{missing} is missing" in str(refused.value.sentence.args["problems"])


def test_a_misspelt_setting_is_told_with_the_nearest_known_one() -> None:
    notes = find_odd_settings(
        {"TROUPE_MODELL": "x", "TROUPE_ZZZZ": "x", "TROUPE_HOME": "x", "PATH": ""}
    )

    assert [(note.id, note.args.get("nearest")) for note in notes] == [
        ("setting-unknown", "TROUPE_MODEL"),
        ("setting-unknown-plain", None),
    ]


def test_misspelt_settings_in_files_are_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("TROUPE_WEBB=true\n")
    (tmp_path / "troupe.toml").write_text(
        "troupe_retention_dayz = 3\nweb_port = 8081\nhf_token = 'hf_x'\n"
    )

    names = {note.args["name"] for note in find_odd_settings()}

    assert names >= {"TROUPE_WEBB", "TROUPE_RETENTION_DAYZ", "WEB_PORT"}
    assert "HF_TOKEN" not in names


def test_the_environment_precedes_the_env_file_which_precedes_the_toml_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("troupe_workers", "troupe_patience", "troupe_max_file_mb")
    (tmp_path / "troupe.toml").write_text("".join(f"{name} = 7\n" for name in names))
    (tmp_path / ".env").write_text("TROUPE_WORKERS=8\nTROUPE_PATIENCE=8\n")
    monkeypatch.setenv("TROUPE_WORKERS", "9")
    monkeypatch.setenv("TROUPE_PATIENCE", "")  # as if it were not set

    settings = read_settings()

    given = settings.troupe_workers, settings.troupe_patience, settings.troupe_max_file_mb
    assert given == (9, 8, 7)


@pytest.mark.parametrize(
    ("name", "content"),
    [("troupe.toml", b"troupe_web_port 8951\n"), (".env", b"\xff\xfe TROUPE_WEB_PORT=8951\n")],
)
@pytest.mark.parametrize("read", [read_settings, find_odd_settings])
def test_a_file_of_settings_that_cannot_be_read_is_named(
    read: Callable[[], object],
    name: str,
    content: bytes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)

    with pytest.raises(SettingsError) as refused:
        read()

    assert refused.value.sentence.id == "settings-unreadable"


def test_a_setting_of_an_earlier_version_is_accepted_with_a_note() -> None:
    given = {"TROUPE_STREAMED_PLANNING": "true"}

    assert read_settings(given).web
    assert [note.id for note in find_odd_settings(given)] == ["setting-retired"]


def test_no_secret_is_shown_with_the_settings() -> None:
    """All settings named token, key, secret or database, in `repr` and in errors."""
    words = ("_token", "_key", "_secret", "database_url")
    secret = [name for name in Settings.model_fields if name.endswith(words)]
    formed = {
        "SLACK_BOT_TOKEN": "xoxb-hidden",
        "SLACK_APP_TOKEN": "xapp-hidden",
        "TROUPE_DATABASE_URL": "postgresql://me:hidden@host/name",
    }
    given = {name.upper(): f"hidden {name:>32}" for name in secret} | formed

    shown = repr(read_settings({**given, "TROUPE_HOME": "/srv"}))

    with pytest.raises(SettingsError) as refused:
        read_settings({**given, "TROUPE_WEB_PORT": "eighty"})
    assert "hidden" not in repr(refused.value.__cause__)
    assert len(secret) >= 9
    assert "/srv" in shown
    assert "hidden" not in shown


def test_a_proxy_is_that_of_its_scheme_else_that_of_all() -> None:
    both = read_settings({"HTTPS_PROXY": "one.test:1", "ALL_PROXY": "http://all.test:2"}).network
    one = read_settings(
        {"https_proxy": "one.test:1", "NO_PROXY": "a.test, b.test 10.0.0.0/8"}
    ).network

    assert [str(proxy.address) for proxy in (both.https, both.http) if proxy] == [
        "http://one.test:1",
        "http://all.test:2",
    ]
    assert [proxy.setting for proxy in (both.https, both.http) if proxy] == [
        "HTTPS_PROXY",
        "ALL_PROXY",
    ]
    assert (one.http, one.exceptions) == (None, ("a.test", "b.test", "10.0.0.0/8"))


def test_the_lower_case_name_of_a_variable_precedes_within_one_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".env").write_text(
        "https_proxy=file.test\nhttp_proxy=lower.test\nHTTP_PROXY=u.test"
    )
    monkeypatch.setenv("HTTPS_PROXY", "variable.test")

    settings = read_settings()

    assert (settings.https_proxy, settings.http_proxy) == ("variable.test", "lower.test")
    assert read_settings({"https_proxy": "", "HTTPS_PROXY": "a.test"}).https_proxy == "a.test"


def test_a_proxy_that_cannot_be_used_is_refused_without_its_password() -> None:
    socks = "socks5://ann:secret@proxy.test:1080"

    for given in ({"ALL_PROXY": socks}, {"ALL_PROXY": socks, "HTTPS_PROXY": "a.test:1"}):
        with pytest.raises(SettingsError) as refused:
            read_settings(given)
        told = str(refused.value.sentence.args["problems"])
        assert told.startswith("ALL_PROXY must be ")
        assert "secret" not in told
    unused = {"ALL_PROXY": socks, "HTTPS_PROXY": "a.test:1", "HTTP_PROXY": "a.test:1"}
    assert read_settings(unused).network.http


def test_certificates_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"):
        with pytest.raises(SettingsError) as refused:
            read_settings({name: str(tmp_path / "missing.pem")})
        assert str(refused.value.sentence.args["problems"]).startswith(f"{name} must be a PEM file")


def test_the_password_of_a_proxy_is_not_shown_with_the_settings() -> None:
    proxies = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY")

    settings = read_settings(dict.fromkeys(proxies, "http://ann:secret@a.test"))

    assert "secret" not in repr(settings) + repr(settings.network)


def test_child_processes_see_the_switches_of_libraries_and_no_secrets() -> None:
    switches = {
        "ORT_DISABLE_TELEMETRY": "1",
        "OMP_NUM_THREADS": "2",
        "TRANSFORMERS_OFFLINE": "1",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "PATH": "/bin",
    }
    others = ("HF_TOKEN", "OPENAI_API_KEY", "TROUPE_WEB_TOKEN", "NVIDIA_API_KEY", "HF_HUB_TOKEN")

    seen = child_environment({**switches, **dict.fromkeys(others, "secret"), "HOME": "/home/ann"})

    assert seen == switches
