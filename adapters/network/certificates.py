"""Which certificates are trusted: the system's, and the operator's besides."""

import re
import ssl
from functools import cache
from pathlib import Path

_HASHED = re.compile(r"[0-9a-f]{8}\.\d+")


def check_certificates(path: str) -> None:
    """Raises ValueError if OpenSSL finds no certificate in a PEM file or a folder."""
    if Path(path).is_dir():
        if not _is_hashed(path):
            raise ValueError("a folder of certificates (prepare it with `openssl rehash`)")
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=path)
    except OSError:  # it cannot be read, or holds none
        raise ValueError("a PEM file with certificates") from None


@cache
def load_trust(certificates: tuple[str, ...]) -> ssl.SSLContext:
    """The TLS context of all clients. `certificates` are trusted besides the system's.

    OpenSSL itself takes SSL_CERT_FILE and SSL_CERT_DIR *instead* of the system's file and folder,
    each for itself, so that the effect differs between systems; its own paths leave that out.
    """
    paths = ssl.get_default_verify_paths()
    file = paths.openssl_cafile if Path(paths.openssl_cafile).is_file() else None
    folder = paths.openssl_capath if _is_hashed(paths.openssl_capath) else None
    if file or folder:
        context = ssl.create_default_context(cafile=file, capath=folder)
    else:  # a Python that was built for another system
        from httpx2 import create_ssl_context  # noqa: PLC0415 - a tenth of a second

        context = create_ssl_context(trust_env=False)
    if certificates:
        # Authorities of companies are seldom made to the letter, which newer Pythons check, and
        # their file may hold the authority that signs without the one above it.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    for path in certificates:
        is_folder = Path(path).is_dir()
        context.load_verify_locations(**{"capath" if is_folder else "cafile": path})
    return context


def _is_hashed(folder: str) -> bool:
    path = Path(folder)
    return path.is_dir() and any(_HASHED.fullmatch(entry.name) for entry in path.iterdir())
