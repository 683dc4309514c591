"""Sounds: transcripts, reading aloud, voice conversion."""

import io
import json
import wave
from functools import cache
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from adapters.local.loaded_models import LoadedModel, load_by_class
from adapters.local.models_on_disk import find_companion
from pipeline.errors import BadInput

_MAX_SECONDS = 30 * 60
_MAX_VOICE_SECONDS = 60
_CHUNK_SECONDS = 30
_LEXICON = Path(__file__).with_name("voice_words.json")


def _read_samples(request: InferenceRequest, rate: int) -> Any:
    """The sound as one channel of floats at a rate: WAV, FLAC, MP3, Ogg, M4A … Raises BadInput."""
    import av
    import numpy as np

    parts: list[Any] = [np.empty(0, dtype=np.float32)]
    try:
        with av.open(io.BytesIO(request.file("audio"))) as container:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=rate)
            for frame in (*container.decode(container.streams.audio[0]), None):
                parts += [piece.to_ndarray().reshape(-1) for piece in resampler.resample(frame)]
                if sum(map(len, parts)) > _MAX_SECONDS * rate:
                    break
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-sound-unreadable") from error
    samples = np.concatenate(parts)[: _MAX_SECONDS * rate]
    if not len(samples):
        raise BadInput("local-sound-unreadable")
    return samples


def read_sound(loaded: LoadedModel, request: InferenceRequest) -> Any:
    """A sound in the form that transformers' pipelines take."""
    (pipe,) = loaded.pipelines.values()
    rate = pipe.feature_extractor.sampling_rate
    return {"raw": _read_samples(request, rate), "sampling_rate": rate}


def _write_wav(samples: Any, rate: int) -> InferenceResponse:
    """Floats from -1 to 1, one channel, as 16-bit WAV."""
    import numpy as np

    flat = np.clip(np.asarray(samples, dtype=np.float32).reshape(-1), -1, 1)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))
        out.writeframes((flat * 32767).astype("<i2").tobytes())
    return InferenceResponse(file.getvalue(), "audio/wav")


def write_speech(output: Any) -> InferenceResponse:
    return _write_wav(output["audio"], int(output["sampling_rate"]))


def transcribe(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Whisper gives times; other models hear long sounds in overlapping chunks."""
    sound = read_sound(loaded, request)
    seconds = len(sound["raw"]) / sound["sampling_rate"]
    options: dict[str, Any] = {}
    if loaded.model.config.model_type == "whisper":
        options["return_timestamps"] = True
    elif seconds > _CHUNK_SECONDS:
        options["chunk_length_s"] = _CHUNK_SECONDS
    output = loaded.pipeline("automatic-speech-recognition")(sound, **options)
    chunks = []
    for chunk in output.get("chunks", ()):
        start, end = chunk["timestamp"]  # the last end is open when the sound stops within a word
        chunks.append({"text": chunk["text"], "timestamp": [start or 0, end or seconds]})
    return json_response({"text": output["text"].strip(), **({"chunks": chunks} if chunks else {})})


def load_voice_converter(path: Path, device: str) -> LoadedModel:
    """The vocoder is any HiFi-GAN for SpeechT5 in the same folder of models. Raises BadInput."""
    vocoder = find_companion(path, "SpeechT5HifiGan")
    if vocoder is None:
        raise BadInput("local-no-vocoder", model=path.name)
    loaded = load_by_class("SpeechT5ForSpeechToSpeech", "feature_extractor")(path, device)
    loaded.companion = load_by_class("SpeechT5HifiGan")(vocoder, device)
    return loaded


def asks_for_a_voice(prompt: str) -> bool:
    """Whether the prompt asks for another voice, which is all that is done here."""
    text = f" {' '.join(prompt.casefold().split())} "
    voice, other = (any(stem in text for stem in _load_stems(of)) for of in ("voice", "other"))
    return not prompt or (voice and not other)


@cache
def _load_stems(of: str) -> tuple[str, ...]:
    return tuple(json.loads(_LEXICON.read_text("utf-8"))[of])


def convert_voice(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """`speaker_embeddings` (an x-vector) is the new voice; all zeros without any."""
    import torch

    if not asks_for_a_voice(request.option("prompt", "")) or loaded.companion is None:
        raise BadInput("local-only-voices")
    vocoder, rate = loaded.companion.model, loaded.feature_extractor.sampling_rate
    sound = _read_samples(request, rate)[: _MAX_VOICE_SECONDS * rate]
    length = loaded.model.config.speaker_embedding_dim
    file = loaded.path / "speaker_embeddings.json"
    voice = request.parameters.get("speaker_embeddings")
    voice = voice or (json.loads(file.read_text()) if file.is_file() else [0.0] * length)
    if not isinstance(voice, list) or len(voice) != length:
        raise BadInput("local-no-voice", count=str(length))
    inputs = loaded.feature_extractor(audio=sound, sampling_rate=rate, return_tensors="pt")
    with torch.inference_mode():
        speech = loaded.model.generate_speech(
            inputs["input_values"].to(loaded.device),
            speaker_embeddings=torch.tensor([voice], dtype=loaded.model.dtype).to(loaded.device),
            vocoder=vocoder,
            maxlenratio=4.0,
        )
    return _write_wav(speech.float().cpu().numpy(), int(vocoder.config.sampling_rate))
