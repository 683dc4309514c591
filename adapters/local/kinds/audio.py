"""Speech recognition, text to speech, and decoding of sounds."""

import io
import wave
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from pipeline.errors import BadInput

_MAX_SECONDS = 30 * 60
_CHUNK_SECONDS = 30


def read_sound(pipe: Any, request: InferenceRequest) -> Any:
    """Decode a sound to mono floats, as transformers' pipelines take it. Raises BadInput."""
    import av
    import numpy as np

    rate = pipe.feature_extractor.sampling_rate
    parts: list[Any] = []
    try:
        with av.open(io.BytesIO(request.file("audio")), "r") as container:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=rate)
            for frame in (*container.decode(container.streams.audio[0]), None):
                parts += [piece.to_ndarray().reshape(-1) for piece in resampler.resample(frame)]
                if sum(map(len, parts)) > _MAX_SECONDS * rate:
                    break
        return {"raw": np.concatenate(parts)[: _MAX_SECONDS * rate], "sampling_rate": rate}
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-sound-unreadable") from error


def read_aloud(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Speech as mono 16-bit WAV."""
    import numpy as np

    output = pipe(request.text())
    samples = np.clip(np.asarray(output["audio"], dtype=np.float32).reshape(-1), -1, 1)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, int(output["sampling_rate"]), 0, "NONE", ""))
        out.writeframes((samples * 32767).astype("<i2").tobytes())
    unused = frozenset({"voice"} & request.parameters.keys())
    return InferenceResponse(file.getvalue(), "audio/wav", unused=unused)


def transcribe(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Whisper returns timestamps; other models get long sounds in overlapping chunks."""
    sound = read_sound(pipe, request)
    seconds = len(sound["raw"]) / sound["sampling_rate"]
    options: dict[str, Any] = {}
    if pipe.model.config.model_type == "whisper":
        options["return_timestamps"] = True
    elif seconds > _CHUNK_SECONDS:
        options["chunk_length_s"] = _CHUNK_SECONDS
    output = pipe(sound, **options)
    chunks = []
    for chunk in output.get("chunks", ()):
        start, end = chunk["timestamp"]  # the last end is None if the sound stops within a word
        chunks.append({"text": chunk["text"], "timestamp": [start or 0, end or seconds]})
    return json_response({"text": output["text"].strip(), **({"chunks": chunks} if chunks else {})})
