"""Token counts for the benchmarks: cl100k_base if tiktoken is available, else an estimate."""

from collections.abc import Callable

_RATE = 4.0
"""Characters per token of the planning prompt and its schema, measured with cl100k_base."""


def counter() -> tuple[str, Callable[[str], int]]:
    """The name of the method, and the function that counts."""
    try:
        import tiktoken  # noqa: PLC0415 - optional, for exact counts

        encoding = tiktoken.get_encoding("cl100k_base")
    except Exception:  # noqa: BLE001 - the library and its vocabulary are optional
        return "characters / 4", lambda text: round(len(text) / _RATE)
    return "cl100k_base", lambda text: len(encoding.encode(text, disallowed_special=()))
