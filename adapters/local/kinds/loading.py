"""Models and pipelines of transformers, loaded from a folder."""

from dataclasses import dataclass
from typing import Any

from adapters.local.inference import Load
from adapters.local.models_on_disk import ModelOnDisk


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model for which transformers has no pipeline, and its processor or tokenizer."""

    model: Any
    processor: Any


def load_by_pipeline(task: str) -> Load:
    """A loader by transformers' pipeline for a task."""

    def load(model: ModelOnDisk, device: str) -> Any:
        from transformers import pipeline

        return pipeline(task, model=str(model.path), device=device)

    return load


def load_by_class(model: ModelOnDisk, device: str) -> LoadedModel:
    """The class that the model's configuration names, and its processor."""
    import transformers

    weights = getattr(transformers, model.cls).from_pretrained(model.path)
    processor = transformers.AutoProcessor.from_pretrained(model.path)
    return LoadedModel(weights.to(device).eval(), processor)


def choose_device(wanted: str) -> str:
    """The graphics card for "auto" where there is one."""
    import torch

    if wanted != "auto":
        return wanted
    return "cuda" if torch.cuda.is_available() else "cpu"
