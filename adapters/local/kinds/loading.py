"""Models and pipelines of transformers, loaded from a folder."""

import gc
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


def start_torch(threads: int, device: str) -> str:
    """Import what is heavy once, keep it out of garbage collection, and return the device."""
    import torch
    import transformers
    import transformers.pipelines

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(threads)
    gc.freeze()
    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"
