"""The types of settings: each reads a value from text and checks it."""

from typing import Annotated

from pydantic import (
    AfterValidator,
    AnyWebsocketUrl,
    BeforeValidator,
    Field,
    HttpUrl,
    InstanceOf,
    PlainSerializer,
    ValidationError,
)

from adapters.files.places import split_bucket, split_folder
from adapters.network.certificates import check_certificates
from bot.places import PLACES
from pipeline.domain import Place
from pipeline.errors import SettingsError


def _split(value: object) -> object:
    """The words of a comma-separated text; any other value as it is."""
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    return value


def _check_address(kind: type[HttpUrl | AnyWebsocketUrl], example: str) -> AfterValidator:
    def check(value: str) -> str:
        try:
            if value:
                kind(value)
        except ValidationError:
            raise ValueError(f"an address like {example}") from None
        return value

    return AfterValidator(check)


def _check_addresses(addresses: tuple[str, ...]) -> tuple[str, ...]:
    try:
        for address in addresses:
            HttpUrl(address)
    except ValidationError:
        raise ValueError("addresses like http://127.0.0.1:11434/v1") from None
    return addresses


def _check_hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    if any("/" in host for host in hosts):
        raise ValueError("names of hosts like example.com")
    return hosts


def _check_database(url: str) -> str:
    if url:
        from adapters.store import parse_address  # noqa: PLC0415 - imports SQLAlchemy

        try:
            parse_address(url)
        except SettingsError as error:
            if names := error.sentence.args.get("names"):
                raise ValueError(f"an address without {names}") from None
            server = "postgresql://USER:PASSWORD@HOST/NAME, special characters as %XX"
            raise ValueError(f"sqlite:///PATH or {server}") from None
    return url


def _check_files(value: str) -> str:
    if value.startswith("s3://"):
        split_bucket(value)
    else:
        split_folder(value)
    return value


def _check_secret(text: str) -> str:
    if text:
        from bot.secret import SECRET_LENGTH, is_long_enough  # noqa: PLC0415 - imports aiohttp

        if not is_long_enough(text):
            raise ValueError(
                f"at least {SECRET_LENGTH} characters, such as those that openssl rand -hex 32 "
                "prints, or base64: and what base64 -w0 prints of the file secret in a TROUPE_HOME"
            )
    return text


def _check_certificates(path: str) -> str:
    if path:
        check_certificates(path)
    return path


def _read_places(value: object) -> object:
    """Places by their names. Raises ValueError for a name that there is not."""
    words, known = _split(value), {place.name: place for place in PLACES}
    if not isinstance(words, list | tuple):
        return words
    if any(isinstance(word, str) and word not in known for word in words):
        *others, last = map(repr, known)
        raise ValueError(f"{', '.join(others)} or {last}")
    return tuple(known[word] if isinstance(word, str) else word for word in words)


Words = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""A list; comma-separated in the environment."""
Blanks = Annotated[Words, AfterValidator(lambda words: tuple(" ".join(words).split()))]
"""A list whose parts may also be separated by blanks."""
Hosts = Annotated[Words, AfterValidator(_check_hosts)]
Addresses = Annotated[Words, AfterValidator(_check_addresses)]
Address = Annotated[str, _check_address(HttpUrl, "https://example.com")]
WebsocketAddress = Annotated[str, _check_address(AnyWebsocketUrl, "wss://example.com")]
Base = Annotated[Address, AfterValidator(lambda value: value.rstrip("/"))]
"""A base URL, without a trailing slash."""
Places = Annotated[
    tuple[InstanceOf[Place], ...],
    BeforeValidator(_read_places),
    PlainSerializer(lambda places: [place.name for place in places]),
]
Secret = Annotated[str, Field(repr=False)]
"""Text that is never shown."""
SigningSecret = Annotated[Secret, AfterValidator(_check_secret)]
DatabaseUrl = Annotated[Secret, AfterValidator(_check_database)]
FilesUrl = Annotated[str, AfterValidator(_check_files)]
"""A folder or a bucket."""
Certificates = Annotated[str, AfterValidator(_check_certificates)]
Count = Annotated[int, Field(ge=1)]
Positive = Annotated[float, Field(gt=0)]
