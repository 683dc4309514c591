"""Loading: transformers' pipelines, and the model classes of tasks that transformers 5 has no pipeline for."""

import gc
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_PARTS = ("tokenizer", "image_processor", "feature_extractor", "processor", "video_processor")


@dataclass(slots=True)
class Loaded:
    """A model on its device, with what prepares its input. Its pipelines share it."""

    model: Any
    device: str
    path: Path
    tokenizer: Any = None
    image_processor: Any = None
    feature_extractor: Any = None
    processor: Any = None
    video_processor: Any = None
    pipes: dict[str, Any] = field(default_factory=dict)

    def pipe(self, task: str) -> Any:
        """The pipeline for a task over this model."""
        if task not in self.pipes:
            from transformers import pipeline

            parts = {name: part for name in _PARTS if (part := getattr(self, name)) is not None}
            self.pipes[task] = pipeline(task, model=self.model, device=self.device, **parts)
        return self.pipes[task]

    def modules(self) -> list[Any]:
        """Whatever has weights."""
        return [self.model]


def piped(task: str) -> Callable[[Path, str], Loaded]:
    """A family that a pipeline loads."""

    def load(path: Path, device: str) -> Loaded:
        from transformers import pipeline

        pipe = pipeline(task, model=str(path), device=device)
        parts = {name: getattr(pipe, name, None) for name in _PARTS}
        return Loaded(pipe.model, device, path, pipes={task: pipe}, **parts)

    return load


def classed(auto: str) -> Callable[[Path, str], Loaded]:
    """A family of text models that an AutoModel class loads."""

    def load(path: Path, device: str) -> Loaded:
        import transformers

        model = getattr(transformers, auto).from_pretrained(path).to(device).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(path)
        return Loaded(model, device, path, tokenizer=tokenizer)

    return load


def settle(threads: int, wished: str) -> str:
    """Import what is heavy, once, and have the collector of garbage leave it alone; the device that is there."""
    import torch
    import transformers
    import transformers.modeling_utils
    import transformers.pipelines

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(threads)
    gc.freeze()
    if wished != "auto":
        return wished
    return "cuda" if torch.cuda.is_available() else "cpu"


def weigh(loaded: Any) -> int:
    """The bytes of all weights."""
    tensors = {
        tensor.data_ptr(): tensor.numel() * tensor.element_size()
        for module in loaded.modules()
        for tensor in (*module.parameters(), *module.buffers())
    }
    return sum(tensors.values())
