"""Sounds: transcripts, classes, reading aloud, voice conversion."""

import io
import json
import wave
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from adapters.local.loaded_models import LoadedModel
from adapters.local.models_on_disk import find_companions
from pipeline.errors import BadInput

_MAX_SECONDS = 30 * 60
_MAX_VOICE_SECONDS = 60
_CHUNK_SECONDS = 30
_LEXICON = Path(__file__).with_name("voice_words.json")


def read_sound(request: InferenceRequest, rate: int) -> Any:
    """The sound as one channel of floats at a rate: WAV, FLAC, MP3, Ogg, M4A … Raises BadInput."""
    import av
    import numpy as np

    data = request.file("audio")
    try:
        with av.open(io.BytesIO(data)) as container:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=rate)
            parts: list[Any] = []
            length = 0
            for frame in (*container.decode(container.streams.audio[0]), None):
                for resampled in resampler.resample(frame):
                    parts.append(resampled.to_ndarray().reshape(-1))
                    length += len(parts[-1])
                if length > _MAX_SECONDS * rate:
                    break
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-sound-unreadable") from error
    if not length:
        raise BadInput("local-sound-unreadable")
    return np.concatenate(parts)[: _MAX_SECONDS * rate]


def write_wav(samples: Any, rate: int) -> InferenceResponse:
    """Floats from -1 to 1, one channel, as 16-bit WAV."""
    import numpy as np

    flat = np.clip(np.asarray(samples, dtype=np.float32).reshape(-1), -1, 1)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes((flat * 32767).astype("<i2").tobytes())
    return InferenceResponse(file.getvalue(), "audio/wav")


def read_for_pipeline(loaded: LoadedModel, request: InferenceRequest) -> Any:
    """A sound in the form that transformers' pipelines take."""
    rate = loaded.feature_extractor.sampling_rate
    return {"raw": read_sound(request, rate), "sampling_rate": rate}


def write_speech(output: Any) -> InferenceResponse:
    return write_wav(output["audio"], int(output["sampling_rate"]))


def transcribe(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Whisper gives times; other models hear long sounds in overlapping chunks."""
    sound = read_for_pipeline(loaded, request)
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


@dataclass(slots=True)
class VoiceConverter:
    """SpeechT5 from speech to speech, its vocoder, and the voice that it speaks with."""

    model: Any
    device: str
    features: Any
    vocoder: Any
    voice: list[float]

    def modules(self) -> list[Any]:
        return [self.model, self.vocoder]


def load_voice_converter(path: Path, device: str) -> VoiceConverter:
    """The vocoder is any HiFi-GAN for SpeechT5 in the same folder of models. Raises BadInput."""
    import transformers

    vocoder = next(iter(find_companions(path, "SpeechT5HifiGan")), None)
    if vocoder is None:
        raise BadInput("local-no-vocoder", model=path.name)
    model = transformers.SpeechT5ForSpeechToSpeech.from_pretrained(path).to(device).eval()
    hifigan = transformers.SpeechT5HifiGan.from_pretrained(vocoder.path).to(device).eval()
    features = transformers.SpeechT5FeatureExtractor.from_pretrained(path)
    file = path / "speaker_embeddings.json"
    voice = json.loads(file.read_text()) if file.is_file() else []
    return VoiceConverter(model, device, features, hifigan, voice)


def asks_for_a_voice(prompt: str) -> bool:
    """Whether the prompt asks for another voice, which is all that is done here."""
    text = f" {' '.join(prompt.casefold().split())} "
    words = _load_lexicon()
    asks_otherwise = any(stem in text for stem in words["other"])
    return not prompt or (any(stem in text for stem in words["voice"]) and not asks_otherwise)


@cache
def _load_lexicon() -> dict[str, list[str]]:
    lexicon: dict[str, list[str]] = json.loads(_LEXICON.read_text("utf-8"))
    return lexicon


def convert_voice(converter: VoiceConverter, request: InferenceRequest) -> InferenceResponse:
    """`speaker_embeddings` (an x-vector) is the new voice; all zeros without any."""
    import torch

    if not asks_for_a_voice(request.string("prompt")):
        raise BadInput("local-only-voices")
    rate = converter.features.sampling_rate
    sound = read_sound(request, rate)[: _MAX_VOICE_SECONDS * rate]
    length = converter.model.config.speaker_embedding_dim
    voice = request.parameters.get("speaker_embeddings") or converter.voice or [0.0] * length
    if not isinstance(voice, list) or len(voice) != length:
        raise BadInput("local-no-voice", count=str(length))
    inputs = converter.features(audio=sound, sampling_rate=rate, return_tensors="pt")
    speaker = torch.tensor([voice], dtype=converter.model.dtype, device=converter.device)
    with torch.inference_mode():
        speech = converter.model.generate_speech(
            inputs["input_values"].to(converter.device),
            speaker_embeddings=speaker,
            vocoder=converter.vocoder,
            maxlenratio=4.0,
        )
    return write_wav(speech.float().cpu().numpy(), int(converter.vocoder.config.sampling_rate))
