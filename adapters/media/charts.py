"""Charts of numbers as PNG, by matplotlib. Runs in a worker."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_WIDTH = 9.0
"""Inches, as the next."""
_HEIGHT = 5.4
_DOTS_PER_INCH = 130
_MOST_LABELS = 30
"""On an axis; of more, every second one is written, or every third …"""
_SLANTED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What a chart shows: `form` is bar, line, pie or scatter. A scatter plot has numbers for x."""

    form: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]
    x: Sequence[float] = ()
    x_title: str = ""
    y_title: str = ""


def draw(chart: Chart) -> tuple[bytes, bool]:
    """The chart as PNG, and whether all its characters could be drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.text import Text

    words = "".join([*chart.labels, *chart.series, chart.x_title, chart.y_title])
    family = _find_font(words)
    figure = Figure((_WIDTH, _HEIGHT), dpi=_DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _FORMS[chart.form](axes, chart)
    if chart.form != "pie":
        axes.set_xlabel(_escape(chart.x_title))
        axes.set_ylabel(_escape(chart.y_title))
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        if len(chart.series) > 1:
            axes.legend()
    for text in figure.findobj(match=Text):
        assert isinstance(text, Text)
        text.set_fontfamily([family, "DejaVu Sans"] if family else "DejaVu Sans")
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue(), bool(family)


def _draw_bars(axes: Any, chart: Chart) -> None:
    width = 0.8 / len(chart.series)
    for number, (name, values) in enumerate(chart.series.items()):
        places = [at - 0.4 + width * (number + 0.5) for at in range(len(values))]
        axes.bar(places, values, width, label=_escape(name))
    _write_labels(axes, chart.labels)


def _draw_lines(axes: Any, chart: Chart) -> None:
    for name, values in chart.series.items():
        axes.plot(range(len(values)), values, marker="o", markersize=4, label=_escape(name))
    _write_labels(axes, chart.labels)


def _draw_pie(axes: Any, chart: Chart) -> None:
    (values,) = chart.series.values()
    axes.pie(
        values,
        labels=[*map(_escape, chart.labels)],
        autopct="%.1f %%",
        startangle=90,
        counterclock=False,
    )
    axes.set_title(_escape(chart.y_title))


def _draw_points(axes: Any, chart: Chart) -> None:
    for name, values in chart.series.items():
        axes.scatter(chart.x, values, label=_escape(name), alpha=0.8)


_FORMS = {"bar": _draw_bars, "line": _draw_lines, "pie": _draw_pie, "scatter": _draw_points}


def _write_labels(axes: Any, labels: Sequence[str]) -> None:
    step = -(-len(labels) // _MOST_LABELS)
    places = range(0, len(labels), step)
    slanted = len(places) > _SLANTED
    axes.set_xticks(
        places,
        [_escape(labels[at]) for at in places],
        rotation=45 if slanted else 0,
        ha="right" if slanted else "center",
    )


def _escape(text: str) -> str:
    """A text without mathematics, shortened."""
    return text[:40].replace("$", r"\$")


def _find_font(words: str) -> str:
    """A family that has all the characters; "" if none is installed."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    needed = {ord(sign) for sign in words if not sign.isspace()}
    entries = sorted(
        font_manager.fontManager.ttflist, key=lambda entry: entry.name != "DejaVu Sans"
    )
    plain = (
        entry for entry in entries if entry.style == "normal" and "Last Resort" not in entry.name
    )
    return next(
        (entry.name for entry in plain if needed <= FT2Font(entry.fname).get_charmap().keys()), ""
    )
