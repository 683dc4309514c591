"""Figures as people write them, and columns of them."""

import re
from collections.abc import Sequence

_NOISE = re.compile(r"[\s\u00a0\u202f€$£¥₹%'’]|EUR|USD|GBP|CHF")
_MOSTLY = 0.8


def figure(text: str) -> float | None:
    """1,234.5 and 1.234,5 and € 12 and 12 % as a number; None for what is none."""
    bare = _NOISE.sub("", text).replace("\N{MINUS SIGN}", "-")
    if re.fullmatch(r"-?\d{1,3}(\.\d{3})+(,\d+)?", bare) and ("," in bare or bare.count(".") > 1):
        bare = bare.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", bare):
        bare = bare.replace(",", "")
    elif re.fullmatch(r"-?\d+,\d+", bare):
        bare = bare.replace(",", ".")
    try:
        return (
            float(bare)
            if re.fullmatch(r"-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", bare, re.IGNORECASE)
            else None
        )
    except ValueError:
        return None


def is_numeric(cells: Sequence[str]) -> bool:
    """Whether most of what stands in a column are figures."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and sum(figure(cell) is not None for cell in filled) >= _MOSTLY * len(
        filled
    )


def shown(value: float) -> str:
    """A figure without needless digits."""
    return f"{value:,.10g}" if abs(value) < 1e15 else f"{value:g}"  # noqa: PLR2004
