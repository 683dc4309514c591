"""The installation's secret, which signs the cookies of web sessions and links to files.

It is derived from TROUPE_SECRET, which programs with different homes have in common, or it is in a
file of the home folder. That is read whenever it is needed, so that a running program notices when
it was renewed. Copied into TROUPE_SECRET, it also holds for programs with other homes: what it has
signed still counts when one becomes several.
"""

import base64
import hmac
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path

from adapters.web.options import SECRET_BYTES
from pipeline.errors import SettingsError

SECRET_LENGTH = 32
"""Characters of TROUPE_SECRET, or bytes of the file that it is a copy of, at least."""
_COPIED = "base64:"
"""What TROUPE_SECRET begins with when the rest is a file's content."""
_PURPOSE = b"troupe installation secret"


def find_secret(home: Path, text: str) -> Callable[[], bytes]:
    """What reads the secret as it is now; `text` is that of TROUPE_SECRET, or "".

    A derived one is as long as one that was renewed: nobody knows whether TROUPE_SECRET was
    changed, so cookies of the first edition, which nothing signs, do not count with it.
    """
    if text.startswith(_COPIED):
        copied = _read_copied(text)
        return lambda: copied
    if text:
        derived = hmac.digest(text.encode(), _PURPOSE, "sha512")
        return lambda: derived
    return partial(load_installation_secret, home / "secret")


def is_long_enough(text: str) -> bool:
    """Whether TROUPE_SECRET can't be guessed. A copy that is malformed is none."""
    try:
        return len(_read_copied(text) if text.startswith(_COPIED) else text) >= SECRET_LENGTH
    except ValueError:
        return False


def _read_copied(text: str) -> bytes:
    return base64.b64decode(text.removeprefix(_COPIED), validate=True)


def load_installation_secret(path: Path) -> bytes:
    """The secret; created once, atomically, readable by its owner only."""
    if not path.exists() or path.stat().st_size < SECRET_BYTES:
        _write_secret(path, SECRET_BYTES)
    return path.read_bytes()


def was_renewed(path: Path) -> bool:
    """Whether everybody was signed out once."""
    return path.exists() and path.stat().st_size > SECRET_BYTES


def derive_link_key(secret: bytes, token: str) -> bytes:
    """The key for links to files: another one for each token, so that a new token ends them."""
    return hmac.digest(secret, token.encode(), "sha256") if token else secret


def sign_everybody_out(home: Path, text: str) -> None:
    """Renew the secret: whatever the old one signed is no longer valid. Raises SettingsError.

    `text` is that of TROUPE_SECRET: whoever set it has to change it.
    """
    if text:
        raise SettingsError("secret-is-set", command="openssl rand -hex 32")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_secret(home / "secret", 2 * SECRET_BYTES)  # longer than the first: see `WebOptions`
    except OSError as error:
        problem = error.strerror or str(error)
        raise SettingsError("home-unwritable", folder=str(home), problem=problem) from error


def _write_secret(path: Path, size: int) -> None:
    temporary = path.with_suffix(".new")
    temporary.touch(mode=0o600)
    temporary.write_bytes(secrets.token_bytes(size))
    temporary.replace(path)
