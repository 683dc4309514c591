"""Figures with known results."""

import pytest

from evaluation.figures import compute_average, compute_kappa, compute_percentile, compute_rate


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(8, 10, 49.0, 94.3), (0, 10, 0.0, 27.8), (10, 10, 72.2, 100.0), (50, 100, 40.4, 59.6)],
)
def test_a_rate_has_wilsons_interval(hits: int, count: int, low: float, high: float) -> None:
    score = compute_rate([True] * hits + [False] * (count - hits))

    assert (score.value, score.requests) == (100 * hits / count, count)
    assert (round(score.low, 1), round(score.high, 1)) == (low, high)


def test_an_average_lies_in_its_interval_and_is_the_same_each_time() -> None:
    fractions = [(90.0, 1.0), (70.0, 1.0), (20.0, 1.0)]

    score = compute_average(fractions)

    assert score.value == 60.0
    assert score.low < score.value < score.high
    assert score == compute_average(fractions)


@pytest.mark.parametrize(
    ("yes", "first_only", "second_only", "no", "expected"),
    [(20, 5, 10, 15, 0.4), (10, 0, 0, 10, 1.0), (5, 5, 5, 5, 0.0), (0, 5, 5, 0, -1.0)],
)
def test_kappa_corrects_agreement_for_chance(
    yes: int, first_only: int, second_only: int, no: int, expected: float
) -> None:
    pairs = [(True, True)] * yes + [(False, False)] * no
    pairs += [(True, False)] * first_only + [(False, True)] * second_only

    value = compute_kappa(pairs)

    assert value == pytest.approx(expected)


@pytest.mark.parametrize("pairs", [[], [(True, True)] * 3])
def test_kappa_is_not_defined_where_chance_explains_everything(
    pairs: list[tuple[bool, bool]],
) -> None:
    assert compute_kappa(pairs) is None


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [([4.0, 1.0, 3.0, 2.0], 50, 2.5), ([*range(101)], 95, 95.0), ([7.0], 95, 7.0)],
)
def test_percentiles_are_interpolated(values: list[float], percent: int, expected: float) -> None:
    assert compute_percentile(values, percent) == pytest.approx(expected)
