"""Links that hold for who has them, for a while."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

from adapters.chat.uploads import LIFETIME, Signer
from pipeline.domain import Attachment, FileHash

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FILE = Attachment(FileHash("ab" * 32), "video/mp4", "a film.mp4", 10)
SIGNER = Signer("https://troupe.example/", b"secret")


def test_a_link_holds_until_it_expires() -> None:
    query = parse_qs(urlsplit(SIGNER.link(FILE, NOW)).query)
    until, sign = query["until"][0], query["sign"][0]

    assert SIGNER.is_valid(FILE.hash, until, sign, NOW + LIFETIME - timedelta(seconds=1))
    assert not SIGNER.is_valid(FILE.hash, until, sign, NOW + LIFETIME + timedelta(seconds=1))


def test_a_link_holds_for_its_file_and_its_time_only() -> None:
    query = parse_qs(urlsplit(SIGNER.link(FILE, NOW)).query)
    until, sign = query["until"][0], query["sign"][0]

    assert not SIGNER.is_valid(FileHash("cd" * 32), until, sign, NOW)
    assert not SIGNER.is_valid(FILE.hash, str(int(until) + 1), sign, NOW)
    assert not SIGNER.is_valid(FILE.hash, "soon", sign, NOW)
    assert not SIGNER.is_valid(FILE.hash, "9" * 5000, sign, NOW)
    assert not SIGNER.is_valid(FILE.hash, until, "é", NOW)
    assert not Signer("", b"other").is_valid(FILE.hash, until, sign, NOW)


def test_without_a_public_address_there_are_no_links() -> None:
    assert Signer("", b"secret").link(FILE, NOW) == ""
