"""Counting tokens for the benchmarks: with cl100k_base where tiktoken and its vocabulary are there,
else by the built-in guess.
"""

from collections.abc import Callable

from pipeline.prompts import tokens


def counter() -> tuple[str, Callable[[str], int]]:
    """How tokens are counted, and what counts them."""
    try:
        import tiktoken  # noqa: PLC0415 - counts exactly where it is there

        encoding = tiktoken.get_encoding("cl100k_base")
    except Exception:  # noqa: BLE001 - neither the library nor its vocabulary need be there
        return "guessed", tokens
    return "cl100k_base", lambda text: len(encoding.encode(text, disallowed_special=()))
