"""Tells whether a download from a platform is the file that was meant."""

from pipeline.domain import Blob, Link


def is_unexpected_page(blob: Blob, link: Link) -> bool:
    """Whether a download returned a web page, such as a sign-in page, instead of the file."""
    start = blob.data[:200].lstrip().lower()
    is_page = "html" in blob.media_type or start.startswith((b"<!doctype html", b"<html"))
    is_unknown_page = link.media_type == "text/html" and link.size < 0
    return is_page and not is_unknown_page and link.size != len(blob.data)
