"""Links to the files of an answer: for anybody, signed, and valid for a while."""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import quote

from pipeline.domain import Attachment, FileHash, RunId

LIFETIME = timedelta(days=7)
"""How long a link is valid."""
_MOST_DIGITS = 15
"""Digits of the time in a link. `int` is slow for a number of any length."""

Sign = Callable[[Attachment, RunId], str]
"""Makes an expiring link to a file of a run's answer; "" without a public URL."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs links under a public URL; without a URL it makes none.

    `secret`: the key as it is now. Links that were signed with another one are no longer valid.
    """

    public_url: str
    secret: Callable[[], bytes] = field(repr=False)

    def link(self, file: Attachment, run: RunId, now: datetime) -> str:
        """A link for anybody to a file of a run's answer; "" without a public URL.

        It is valid until it expires, or the run is forgotten.
        """
        if not self.public_url:
            return ""
        name, query = quote(file.name, safe=""), self.sign(file.hash, run, now + LIFETIME)
        return f"{self.public_url.rstrip('/')}/files/{file.hash}/{name}?{query}"

    def sign(self, file: FileHash, bound_to: str, expires: datetime) -> str:
        """The query of a link to a file, which ends with the run or share it is `bound_to`."""
        until = int(expires.timestamp())
        sign = self._sign(file, bound_to, until)
        return f"run={quote(bound_to, safe='')}&until={until}&sign={sign}"

    def find_run(self, file: FileHash, query: Mapping[str, str], now: datetime) -> RunId | None:
        """The run of a link that we signed, from its query; None if it is not valid (any more)."""
        run, until, sign = query.get("run", ""), query.get("until", ""), query.get("sign", "")
        is_number = until.isascii() and until.isdigit() and len(until) <= _MOST_DIGITS
        if not is_number or int(until) < now.timestamp():
            return None
        expected = self._sign(file, run, int(until)).encode()
        return RunId(run) if hmac.compare_digest(expected, sign.encode(errors="replace")) else None

    def _sign(self, file: FileHash, run: str, until: int) -> str:
        signed = f"{file}:{until}:{run}".encode(errors="replace")
        return hmac.digest(self.secret(), signed, "sha256").hex()
