"""Loads transformers' models and pipelines from folders."""

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
    """A function that loads transformers' pipeline for a task."""

    def load(model: ModelOnDisk, device: str) -> Any:
        from transformers import pipeline

        return pipeline(task, model=str(model.path), device=device)

    return load


def load_by_class(model: ModelOnDisk, device: str) -> LoadedModel:
    """Load a model by the class in its configuration, and its processor."""
    import transformers

    weights = getattr(transformers, model.cls).from_pretrained(model.path)
    processor = transformers.AutoProcessor.from_pretrained(model.path)
    return LoadedModel(weights.to(device).eval(), processor)


def choose_device(device: str) -> str:
    """For "auto", the GPU if there is one."""
    import torch

    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"
