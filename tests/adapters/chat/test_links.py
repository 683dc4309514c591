"""Links that hold for who has them, for a while."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest

from adapters.chat.links import LIFETIME, Signer
from pipeline.domain import Attachment, FileHash, RunId

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FILE = Attachment(hash=FileHash("ab" * 32), media_type="video/mp4", name="a film.mp4", size=10)
RUN = RunId("run1")
SIGNER = Signer("https://troupe.example/", lambda: b"secret")


def query_of(link: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(link).query))


def test_a_link_holds_until_it_expires() -> None:
    query = query_of(SIGNER.link(FILE, RUN, NOW))

    assert SIGNER.find_run(FILE.hash, query, NOW + LIFETIME - timedelta(seconds=1)) == RUN
    assert SIGNER.find_run(FILE.hash, query, NOW + LIFETIME + timedelta(seconds=1)) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"run": "run2"},
        {"until": str(int(NOW.timestamp()) + 1)},
        {"until": "soon"},
        {"until": "9" * 5000},
        {"sign": "é"},
        {"sign": ""},
    ],
)
def test_a_link_holds_for_its_file_its_run_and_its_time_only(changed: dict[str, str]) -> None:
    query = query_of(SIGNER.link(FILE, RUN, NOW))

    assert SIGNER.find_run(FILE.hash, {**query, **changed}, NOW) is None
    assert SIGNER.find_run(FileHash("cd" * 32), query, NOW) is None


def test_a_new_secret_ends_links_that_were_given_out() -> None:
    keys = [b"new", b"old"]
    signer = Signer("https://troupe.example/", lambda: keys[-1])
    query = query_of(signer.link(FILE, RUN, NOW))

    assert signer.find_run(FILE.hash, query, NOW) == RUN
    keys.pop()
    assert signer.find_run(FILE.hash, query, NOW) is None


def test_without_a_public_address_there_are_no_links() -> None:
    assert Signer("", lambda: b"secret").link(FILE, RUN, NOW) == ""
