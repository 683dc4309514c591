"""Signed links to files that a platform does not take; they expire."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import quote

from pipeline.domain import Attachment, FileHash

LIFETIME = timedelta(days=7)
Sign = Callable[[Attachment], str]
"""A link to a file that works for a while; "" where there is no public address."""
_MOST_DIGITS = 15


def sign_nothing(_: Attachment) -> str:
    """Without a public address there are no links."""
    return ""


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs links below a public address with a secret. No address: there are no links."""

    public_url: str
    secret: bytes = field(repr=False)

    def link(self, file: Attachment, now: datetime) -> str:
        """A link that works for whoever has it until it expires; "" without a public address."""
        if not self.public_url:
            return ""
        until = int((now + LIFETIME).timestamp())
        name = quote(file.name, safe="")
        sign = self._sign(file.hash, until)
        return f"{self.public_url.rstrip('/')}/files/{file.hash}/{name}?until={until}&sign={sign}"

    def holds(self, file: FileHash, until: str, sign: str, now: datetime) -> bool:
        """Whether a link was signed by us, and has not expired."""
        is_number = until.isascii() and until.isdigit() and len(until) <= _MOST_DIGITS
        if not is_number or int(until) < now.timestamp():
            return False
        return hmac.compare_digest(
            self._sign(file, int(until)).encode(), sign.encode(errors="replace")
        )

    def _sign(self, file: FileHash, until: int) -> str:
        return hmac.new(self.secret, f"{file}:{until}".encode(), hashlib.sha256).hexdigest()
