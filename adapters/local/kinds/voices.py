"""One voice into another: SpeechT5 from speech to speech, with a vocoder beside it."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.media import sound, wav
from adapters.local.shelf import Shelf, root_of
from adapters.local.table import Answer
from pipeline.errors import BadInput

_LONGEST = 60
_ASKS = re.compile(r"voice|sound like|speak|stimme|sprich|kling|voz|voix|声|嗓", re.IGNORECASE)
_ASKS_ELSE = re.compile(
    r"nois|\bhum|hiss|clean|clear|separat|isolat|remov|without|strip|karaoke|loud|rausch|brumm|ohne|entfern|trenn|laut|"
    r"ruido|\bsin\b|quita|bruit|sans|enl[eè]v|supprim|噪|去|分离|ノイズ|雑音|消|除|話者分離",
    re.IGNORECASE,
)
_VOICE = "speaker_embeddings.json"
_VOCODER = "SpeechT5HifiGan"


@dataclass(slots=True)
class Voices:
    """The model, what prepares its input, what makes sound of its output, and the voice it speaks with."""

    model: Any
    device: str
    features: Any
    vocoder: Any
    voice: list[float]

    def modules(self) -> list[Any]:
        return [self.model, self.vocoder]


def load(path: Path, device: str) -> Voices:
    """The vocoder is any HiFi-GAN for SpeechT5 that lies there; the voice a list of numbers beside the weights. Raises BadInput."""
    import json

    import transformers as tr

    vocoder = next((one for one in Shelf([root_of(path)]).all() if one.cls == _VOCODER), None)
    if vocoder is None:
        raise BadInput("local-no-vocoder", model=path.name)
    model = tr.SpeechT5ForSpeechToSpeech.from_pretrained(path).to(device).eval()
    features = tr.SpeechT5FeatureExtractor.from_pretrained(path)
    made = tr.SpeechT5HifiGan.from_pretrained(vocoder.path).to(device).eval()
    file = path / _VOICE
    voice = json.loads(file.read_text()) if file.is_file() else []
    return Voices(model, device, features, made, voice)


def asks_for_a_voice(prompt: str) -> bool:
    """Whether the words want another voice, which is all that is done here; who says nothing wants that."""
    return not prompt or bool(_ASKS.search(prompt) and not _ASKS_ELSE.search(prompt))


def revoiced(voices: Voices, asked: Asked) -> Answer:
    """Who speaks is said by `speaker_embeddings` (an x-vector); without any it is nobody in particular: all zeros."""
    import torch

    if not asks_for_a_voice(asked.word("prompt")):
        raise BadInput("local-only-voices")
    rate = voices.features.sampling_rate
    points = sound(asked, rate)[: _LONGEST * rate]
    wanted = voices.model.config.speaker_embedding_dim
    given = asked.parameters.get("speaker_embeddings") or voices.voice or [0.0] * wanted
    if not isinstance(given, list) or len(given) != wanted:
        raise BadInput("local-no-voice", count=str(wanted))
    inputs = voices.features(audio=points, sampling_rate=rate, return_tensors="pt")
    speaker = torch.tensor([given], dtype=voices.model.dtype, device=voices.device)
    with torch.inference_mode():
        made = voices.model.generate_speech(
            inputs["input_values"].to(voices.device),
            speaker_embeddings=speaker,
            vocoder=voices.vocoder,
            maxlenratio=4.0,
        )
    return wav(made.float().cpu().numpy(), int(voices.vocoder.config.sampling_rate))
