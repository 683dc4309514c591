"""Expiring signed links to files that a platform does not accept."""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import quote

from pipeline.domain import Attachment, FileHash

LIFETIME = timedelta(days=7)
Sign = Callable[[Attachment], str]
"""Makes an expiring link to a file; "" without a public URL."""
_MOST_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs links under a public URL with a secret; without a URL it makes none."""

    public_url: str
    secret: bytes = field(repr=False)

    def link(self, file: Attachment, now: datetime) -> str:
        """A link that anybody can open until it expires; "" without a public URL."""
        if not self.public_url:
            return ""
        until = int((now + LIFETIME).timestamp())
        name = quote(file.name, safe="")
        sign = self._sign(file.hash, until)
        return f"{self.public_url.rstrip('/')}/files/{file.hash}/{name}?until={until}&sign={sign}"

    def is_valid(self, file: FileHash, until: str, sign: str, now: datetime) -> bool:
        """Whether we signed a link, and it has not expired."""
        is_number = until.isascii() and until.isdigit() and len(until) <= _MOST_DIGITS
        if not is_number or int(until) < now.timestamp():
            return False
        return hmac.compare_digest(
            self._sign(file, int(until)).encode(), sign.encode(errors="replace")
        )

    def _sign(self, file: FileHash, until: int) -> str:
        return hmac.new(self.secret, f"{file}:{until}".encode(), hashlib.sha256).hexdigest()
