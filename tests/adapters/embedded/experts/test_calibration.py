"""The measured certainty of the embedded experts."""

import json
from pathlib import Path

import pipeline.domain
from adapters.embedded.experts import embedded_models
from pipeline.domain import Confidence, confidence_of

_TABLE = json.loads(Path(pipeline.domain.__file__).with_name("calibration.json").read_text("utf-8"))


def test_every_measured_model_is_an_embedded_one_with_enough_samples() -> None:
    assert _TABLE.keys() <= {model.id for model in embedded_models()}
    assert all(
        row["count"] >= 200 and row["right"] >= 0.97 for rows in _TABLE.values() for row in rows
    )


def test_the_table_in_the_repository_can_be_read() -> None:
    assert all(confidence_of(1.0, model) is Confidence.VERY for model in _TABLE)
    assert confidence_of(1.0, "a model that nobody measured") is None
