"""The names of task kinds, and what language models write for them: one published table, and no guessing beyond it."""

import re
from collections.abc import Mapping

from pipeline.domain import TaskKind
from pipeline.table import KINDS

_SAME: Mapping[str, str] = {
    "text-classification": "sentiment analysis, sentiment classification, emotion classification, "
    "text categorization, content classification, text classifier, classify text",
    "token-classification": "named entity recognition, ner, entity extraction, entity recognition, "
    "token classification (named entity recognition), part-of-speech tagging, "
    "pos tagging, part-of-speech (pos) tagging, highlight named entities, "
    "dependency parsing, named entity extraction, entity recognizer",
    "text2text-generation": "text-to-text, text-to-text generation, text2text, paraphrasing, "
    "rewriting, text rewriting, text editing, grammar correction",
    "summarization": "text summarization, summarisation, summary, summarize, document summarization, "
    "summarizer, summarize text, text summarizer",
    "translation": "text translation, language translation, machine translation, translate, "
    "translator, translate text",
    "question-answering": "qa, extractive question answering, text question answering, "
    "natural language processing, answer question, question answerer",
    "conversational": "conversational response modeling, conversation, chat, dialogue, "
    "response generation, conversational response generation, chatbot",
    "text-generation": "generate text, text completion, story generation, text creation, text generator",
    "fill-mask": "mask filling, masked language modeling",
    "feature-extraction": "embedding, text embedding, sentence embedding",
    "sentence-similarity": "text similarity, text-to-text similarity, semantic similarity, "
    "similarity",
    "zero-shot-classification": "zero-shot text classification",
    "tabular-classification": "table classification, table detection, table recognition, "
    "tabular data classification",
    "tabular-regression": "table regression",
    "table-question-answering": "table qa, tabular question answering",
    "image-to-text": "image captioning, caption, captioning, image caption, image description, "
    "describe image, image captioner, captioner, caption image, caption generation, "
    "image description generation",
    "text-to-image": "image generation, image creation, generate image, image synthesis, "
    "image generator",
    "visual-question-answering": "vqa, image question answering, answer question about image",
    "image-classification": "classify image, image recognition, image categorization, image classifier",
    "object-detection": "detect objects, object recognition, face detection, object counting, "
    "object detector, detect object",
    "image-segmentation": "segmentation, semantic segmentation, instance segmentation, "
    "panoptic segmentation, background removal, segment image, image segmenter",
    "mask-generation": "segment anything",
    "depth-estimation": "monocular depth estimation, depth, depth map",
    "image-to-image": "image enhancement, image super resolution, super-resolution, colorization, "
    "image transformation, style transfer, image style transfer, image denoising, image upscaling",
    "image-text-to-image": "image editing, image edit, instruct-pix2pix, inpainting, image manipulation, "
    "image modification, object removal, edit image, image editor",
    "optical-character-recognition": "ocr, text recognition, text extraction, "
    "text detection, image text extraction",
    "document-question-answering": "document qa, docvqa, document visual question answering",
    "document-to-text": "document extraction, pdf-to-text, text extraction from documents, "
    "document text extraction",
    "automatic-speech-recognition": "asr, speech recognition, speech-to-text, audio-to-text, transcription, "
    "audio transcription, speech transcription, speech processing, transcribe, "
    "transcribe audio, transcriber, speech recognizer",
    "text-to-speech": "tts, speech synthesis, text-to-audio, speech generation, voice synthesis, "
    "generate speech, speech synthesizer, read aloud",
    "audio-classification": "emotion detection, emotion recognition, speech emotion recognition, "
    "speaker identification, sound classification, emotion-based classification, "
    "audio classifier, classify audio",
    "audio-to-audio": "audio enhancement, speech enhancement, noise reduction, source separation, "
    "audio editing, audio processing, audio segmentation, audio denoising, voice conversion, "
    "speech-to-speech",
    "text-to-video": "video generation, video creation, generate video, video generator",
    "image-to-video": "image animation",
    "video-classification": "video recognition, action recognition",
    "media-conversion": "resize, crop, trim, rotate, convert, transcode, format conversion, "
    "image resizing, video trimming, audio extraction",
    "canny-control": "canny, edge detection, canny edge detection",
    "hed-control": "hed, soft edge detection",
    "mlsd-control": "mlsd, line detection",
    "normal-control": "normal, normal map estimation, surface normal estimation",
    "openpose-control": "openpose, pose detection, pose estimation, human pose estimation",
    "scribble-control": "scribble",
    "seg-control": "seg",
}

_NEAREST: Mapping[str, str] = {
    "optical-character-recognition": "image-to-text",
    "document-to-text": "image-to-text",
    "text2text-generation": "text-generation",
    "fill-mask": "text-generation",
    "text-classification": "token-classification",
    "zero-shot-classification": "token-classification",
    "zero-shot-image-classification": "image-classification",
    "zero-shot-object-detection": "object-detection",
    "mask-generation": "image-segmentation",
    "image-to-video": "text-to-video",
    "table-question-answering": "document-question-answering",
    "tabular-regression": "tabular-classification",
}
"""What stands for a kind in a vocabulary that lacks it."""

TASKBENCH: Mapping[str, str] = {
    **{
        name.replace(" ", "-").casefold(): name
        for name in (
            "Audio Classification",
            "Audio-to-Audio",
            "Automatic Speech Recognition",
            "Conversational",
            "Depth Estimation",
            "Document Question Answering",
            "Image Classification",
            "Image Segmentation",
            "Image-to-Image",
            "Image-to-Text",
            "Object Detection",
            "Question Answering",
            "Sentence Similarity",
            "Summarization",
            "Tabular Classification",
            "Text Generation",
            "Text-to-Image",
            "Text-to-Speech",
            "Text-to-Video",
            "Token Classification",
            "Translation",
            "Visual Question Answering",
        )
    },
    "image-text-to-image": "Image Editing",
}
"""Kind → TaskBench's name for it: the 23 tools of its Hugging Face domain."""


def plain(name: str) -> str:
    """A name as it is compared: small letters, one dash between words."""
    return re.sub(r"[\s_-]+", "-", name.strip().casefold()).strip("-")


ALIASES: Mapping[str, str] = {
    plain(alias): kind for kind, aliases in _SAME.items() for alias in aliases.split(", ")
}
"""Other names of kinds that language models write → the kind."""


def kind_named(name: str, kinds: Mapping[str, TaskKind] = KINDS) -> TaskKind | None:
    """The kind that a name means among those there are, or None."""
    wanted = meant(name)
    return kinds.get(wanted) or kinds.get(_NEAREST.get(wanted, ""))


def meant(name: str) -> str:
    """The name of the kind that a name means, whether it is there or not; the name itself if it means none."""
    wanted = plain(name)
    if wanted in KINDS or wanted in ALIASES:
        return ALIASES.get(wanted, wanted)
    return _JOINED.get(_squeezed(_AROUND.sub("", wanted)), wanted)


_AROUND = re.compile(r"^.*\.|-(?:task|tool|model|api|pipeline)$|-#?\d+$")
"""What is put around a name: "functions.image_to_text", "Translation Tool", "1. Translation"."""


def _squeezed(name: str) -> str:
    return re.sub(r"[^\w]|_", "", re.sub(r"(?<=[a-z])2(?=[a-z])", "to", name))


_JOINED: Mapping[str, str] = {
    _squeezed(name): ALIASES.get(name, name) for name in (*ALIASES, *KINDS)
}
"""The same names as programs write them: "ImageToText", "image2text"."""
