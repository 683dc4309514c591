"""Sounds and films: what is said, what it is, reading aloud."""

from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.kinds.media import film, sound, wav
from adapters.local.table import Answer, as_json

_LONG = 30


def transcript(loaded: Loaded, asked: Asked) -> Answer:
    """Whisper tells the times; long sounds are heard in overlapping stretches."""
    points, rate = _heard(loaded, asked)
    long = len(points) > _LONG * rate
    whisper = loaded.model.config.model_type == "whisper"
    timed = {"return_timestamps": True} if whisper else {}
    chunks = {"chunk_length_s": _LONG} if long and not whisper else {}
    pipe = loaded.pipe("automatic-speech-recognition")
    found = pipe({"raw": points, "sampling_rate": rate}, **timed, **chunks)
    return as_json({"text": found["text"].strip(), **_chunks(found, len(points) / rate)})


def _chunks(found: Any, seconds: float) -> dict[str, Any]:
    """The last end is open when the sound stops in the middle of a word."""
    chunks = [
        {
            "text": chunk["text"],
            "timestamp": [chunk["timestamp"][0] or 0, chunk["timestamp"][1] or seconds],
        }
        for chunk in found.get("chunks", ())
    ]
    return {"chunks": chunks} if chunks else {}


def classes(loaded: Loaded, asked: Asked) -> Answer:
    points, rate = _heard(loaded, asked)
    pipe = loaded.pipe("audio-classification")
    heard = {"raw": points, "sampling_rate": rate}
    return as_json(pipe(heard, top_k=asked.whole("top_k", 5, 1, 1000)))


def _heard(loaded: Loaded, asked: Asked) -> tuple[Any, int]:
    rate = loaded.feature_extractor.sampling_rate
    return sound(asked, rate), rate


def speech(loaded: Loaded, asked: Asked) -> Answer:
    made = loaded.pipe("text-to-speech")(asked.text())
    return wav(made["audio"], int(made["sampling_rate"]))


def film_classes(loaded: Loaded, asked: Asked) -> Answer:
    """The pipeline would fetch addresses and read files by name; the pictures are given to the model here."""
    import torch

    frames = film(asked, asked.whole("num_frames", loaded.model.config.num_frames, 1, 64))
    prepare = loaded.video_processor or loaded.image_processor
    inputs = prepare(list(frames), return_tensors="pt").to(loaded.device, loaded.model.dtype)
    with torch.inference_mode():
        likely = loaded.model(**inputs).logits[0].float().softmax(-1)
    scores, places = likely.topk(min(asked.whole("top_k", 5, 1, 100), len(likely)))
    names = loaded.model.config.id2label
    pairs = zip(places.tolist(), scores.tolist(), strict=True)
    return as_json([{"label": names[place], "score": score} for place, score in pairs])
