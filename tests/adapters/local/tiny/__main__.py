"""Builds all tiny models in a folder; a program, so that torch stays out of the tests' process."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

import torch
import transformers

from tests.adapters.local.tiny import pictures, sounds, words

MODELS = {
    "classifier": words.classifier,
    "entailment": words.entailment,
    "tagger": words.tagger,
    "gap-filler": words.gap_filler,
    "embedder": words.embedder,
    "finder": words.finder,
    "writer": words.writer,
    "talker": words.talker,
    "rewriter": words.rewriter,
    "summarizer": words.summarizer,
    "translator": words.translator,
    "translator-of-a-pair": words.translator_of_a_pair,
    "translator-of-a-hundred": words.translator_of_a_hundred,
    "picture-classifier": pictures.classifier,
    "detector": pictures.detector,
    "segmenter": pictures.segmenter,
    "depth-guesser": pictures.depth_guesser,
    "any-picture-classifier": pictures.any_classifier,
    "any-detector": pictures.any_detector,
    "captioner": pictures.captioner,
    "line-reader": pictures.line_reader,
    "seeing-talker": pictures.seeing_talker,
    "questioned": pictures.questioned,
    "film-classifier": pictures.film_classifier,
    "listener": sounds.listener,
    "timed-listener": sounds.timed_listener,
    "sound-classifier": sounds.classifier,
    "speaker": sounds.speaker,
}


GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")


def build(folder: Path) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    for name, make in (MODELS | _painters()).items():
        make(folder / "tiny" / name)


def _painters() -> dict[str, Callable[[Path], None]]:
    if importlib.util.find_spec("diffusers") is None:
        return {}
    from tests.adapters.local.tiny import painters  # noqa: PLC0415 - an extra

    return {
        "painter": painters.painter,
        "editor": painters.editor,
        "inpainter": painters.inpainter,
        "film-maker": painters.film_maker,
        "animator": painters.animator,
        **{f"controlnet-{guide}": painters.controlled for guide in GUIDES},
    }


if __name__ == "__main__":
    build(Path(sys.argv[1]))
