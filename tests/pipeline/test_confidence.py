"""How sure a model may be called: only what was measured is said."""

import pytest

from pipeline.domain import Calibration, CalibrationRow, Confidence, confidence_of

TABLE: Calibration = {
    "measured": (
        CalibrationRow(0.95, 0.99, 210),
        CalibrationRow(0.8, 0.9, 320),
        CalibrationRow(0.0, 0.6, 400),
    ),
    "hardly measured": (CalibrationRow(0.5, 1.0, 199),),
    "few at the top": (CalibrationRow(0.9, 1.0, 30), CalibrationRow(0.5, 0.9, 300)),
}


@pytest.mark.parametrize(
    ("model", "score", "confidence"),
    [
        ("measured", 0.96, Confidence.VERY),
        ("measured", 0.9, Confidence.FAIRLY),
        ("measured", 0.5, Confidence.NOT),
        ("measured", None, None),
        ("hardly measured", 1.0, None),
        ("few at the top", 1.0, Confidence.FAIRLY),
        ("few at the top", 0.2, Confidence.NOT),
        ("never measured", 0.99, None),
    ],
)
def test_certainty_is_what_was_measured_for_this_model(
    model: str, score: float | None, confidence: Confidence | None
) -> None:
    assert confidence_of(score, model, TABLE) is confidence
