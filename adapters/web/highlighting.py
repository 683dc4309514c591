"""Code in an answer with its words marked by classes, which the page colours."""

from functools import lru_cache

# fmt: off
LANGUAGES = frozenset({
    "bash", "c", "c++", "console", "cpp", "csharp", "css", "dart", "diff", "docker",
    "dockerfile", "go", "graphql", "haskell", "html", "ini", "java", "javascript", "js",
    "json", "julia", "kotlin", "latex", "lua", "matlab", "php", "pycon", "py", "python",
    "python3", "r", "rb", "rs", "ruby", "rust", "scala", "scss", "sh", "shell", "sql",
    "swift", "tex", "toml", "ts", "typescript", "xml", "yaml", "yml",
})
# fmt: on
"""Those whose reading takes a moment at most, whatever the code is: it was measured."""
_MAX_CODE = 6_000
"""Characters; time may grow with the square of them where code is no code."""
_MAX_LINE = 120
"""Characters of a line, for the same reason."""
_KEPT = 256
"""Pieces of code whose marks are remembered: a conversation is shown again and again."""


@lru_cache(_KEPT)
def highlight(code: str, language: str) -> str:
    """HTML of the code; "" if its language is not known, or it is too long to be marked."""
    if language not in LANGUAGES or len(code) > _MAX_CODE:
        return ""
    if max(map(len, code.split("\n"))) > _MAX_LINE:
        return ""
    from pygments import highlight as mark  # noqa: PLC0415 - slow to load
    from pygments.formatters import HtmlFormatter  # noqa: PLC0415
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415

    lexer = get_lexer_by_name(language, stripnl=False)
    return str(mark(code, lexer, HtmlFormatter(nowrap=True)))
