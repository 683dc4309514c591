"""Which kind of task a model is for: what its card says, else what its configuration says."""

import re
from collections.abc import Mapping
from typing import Any

_OTHER_NAMES: Mapping[str, str] = {
    "image-text-to-text": "image-to-text",
    "keypoint-detection": "openpose-control",
    "ner": "token-classification",
    "sentiment-analysis": "text-classification",
    "text-to-audio": "text-to-speech",
    "vqa": "visual-question-answering",
}

# fmt: off
_CLASSES: tuple[tuple[str, str], ...] = (  # the first that fits; more particular ones stand first
    (r"^LayoutLM.*ForQuestionAnswering", "document-question-answering"),
    (r"^ViltForQuestionAnswering|^BlipForQuestionAnswering", "visual-question-answering"),
    (r"^TapasForQuestionAnswering", "table-question-answering"),
    (r"ForQuestionAnswering$", "question-answering"),
    (r"^(Whisper|Speech2Text|Moonshine|SeamlessM4Tv?2?)For(ConditionalGeneration|SpeechToText)|ForCTC$|^SpeechT5ForSpeechToText", "automatic-speech-recognition"),
    (r"^SpeechT5ForSpeechToSpeech", "audio-to-audio"),
    (r"^(Blip|Blip2|Git|Kosmos2|Llava|PaliGemma|Qwen2VL|Idefics3).*For(ConditionalGeneration|CausalLM)", "image-to-text"),
    (r"^Pix2StructForConditionalGeneration", "visual-question-answering"),
    (r"^VisionEncoderDecoderModel", "image-to-text"),
    (r"^Marian|^M2M100ForConditionalGeneration", "translation"),
    (r"^(VitsModel|BarkModel)|ForTextToSpeech$|ForTextToWaveform$|^MusicgenForConditionalGeneration", "text-to-speech"),
    (r"ForConditionalGeneration$", "text2text-generation"),
    (r"^(Wav2Vec2|Hubert|WavLM|UniSpeech|SEW|Data2VecAudio|Whisper).*ForSequenceClassification$", "audio-classification"),
    (r"ForSequenceClassification$", "text-classification"),
    (r"For(Audio|AudioFrame)Classification$", "audio-classification"),
    (r"ForVideoClassification$", "video-classification"),
    (r"ForTokenClassification$", "token-classification"),
    (r"For(MaskedLM|PreTraining)$", "fill-mask"),
    (r"(ForCausalLM|LMHeadModel)$", "text-generation"),
    (r"^(OwlViT|Owlv2|GroundingDino)ForObjectDetection", "zero-shot-object-detection"),
    (r"ForObjectDetection$", "object-detection"),
    (r"^CLIPSegForImageSegmentation", ""),  # no kind of its own: inpainting uses it
    (r"For(Semantic|Universal|Instance|Image)?Segmentation$", "image-segmentation"),
    (r"ForImageClassification$", "image-classification"),
    (r"ForDepthEstimation$", "depth-estimation"),
    (r"^Sam(HQ)?Model$", "mask-generation"),
    (r"ForPoseEstimation$", "openpose-control"),
    (r"^(CLIP|Siglip2?|AltCLIP|Align)Model$", "zero-shot-image-classification"),
    (r"Model$", "feature-extraction"),
)
_PAINTERS: tuple[tuple[str, str], ...] = (  # diffusers' pipelines by their names
    (r"ImageToVideo|VideoDiffusion|I2V", "image-to-video"),
    (r"TextToVideo|^Wan|Mochi|LTX|CogVideoX|AnimateDiff|HunyuanVideo", "text-to-video"),
    (r"InstructPix2Pix|Kontext|ImageEdit|Inpaint", "image-text-to-image"),
    (r"Img2Img|Upscale", "image-to-image"),
    (r"Pipeline$", "text-to-image"),
)
# fmt: on
_GUIDES = (
    ("canny",),
    ("hed", "softedge"),
    ("mlsd",),
    ("normal",),
    ("openpose", "pose"),
    ("scribble", "sketch"),
    ("depth",),
    ("seg",),
)  # fmt: skip
_ENTAILMENT = re.compile(r"^entail", re.IGNORECASE)


def tag(card: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """The kind; "" when neither card nor configuration tells."""
    said = card.get("pipeline_tag")
    if isinstance(said, str) and said and said != "text-classification":
        return _OTHER_NAMES.get(said, said)
    found = _by_class(config)
    if found == "text-classification" and entails(config):
        return "zero-shot-classification"
    return found


def entails(config: Mapping[str, Any]) -> bool:
    """Whether a classifier tells if one sentence follows from another: then it can be given any labels."""
    names = config.get("label2id") or {}
    return any(_ENTAILMENT.match(str(name)) for name in names)


def control(config: Mapping[str, Any]) -> bool:
    """Whether this is a ControlNet."""
    return config.get("_class_name") == "ControlNetModel"


def guide(model: str) -> str:
    """What a ControlNet is guided by, which only its name tells."""
    name = model.casefold()
    found = next((words for words in _GUIDES if any(word in name for word in words)), None)
    return f"{found[0]}-text-to-image" if found else ""


def _by_class(config: Mapping[str, Any]) -> str:
    if isinstance(name := config.get("_class_name"), str):
        return _first(_PAINTERS, name)
    classes = config.get("architectures") or ()
    return _first(_CLASSES, str(classes[0])) if classes else ""


def _first(rules: tuple[tuple[str, str], ...], name: str) -> str:
    return next((kind for pattern, kind in rules if re.search(pattern, name)), "")
