"""Models of pictures."""

from pathlib import Path
from typing import Any

import transformers as tr

from tests.adapters.local.tiny.words import SIZES, tokenizer, vocabulary

SIDE = 32
_SEEING = {
    "image_size": SIDE,
    "patch_size": 16,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 37,
}
NAMES = {0: "cat", 1: "dog", 2: "car"}


def _prepared(path: Path, name: str, **more: Any) -> Any:
    """The image processor that does without torchvision."""
    sizes = {"size": {"height": SIDE, "width": SIDE}} | more
    made = getattr(tr, f"{name}Pil")(**sizes)
    made.save_pretrained(path)
    return made


def classifier(path: Path) -> None:
    _prepared(path, "ViTImageProcessor")
    tr.ViTForImageClassification(tr.ViTConfig(**_SEEING, id2label=NAMES)).save_pretrained(path)


def detector(path: Path) -> None:
    _prepared(path, "YolosImageProcessor", size={"shortest_edge": SIDE, "longest_edge": 4 * SIDE})
    config = tr.YolosConfig(
        **{**_SEEING, "image_size": [SIDE, SIDE]}, num_detection_tokens=5, id2label=NAMES
    )
    tr.YolosForObjectDetection(config).save_pretrained(path)


def segmenter(path: Path) -> None:
    _prepared(path, "SegformerImageProcessor")
    config = tr.SegformerConfig(
        depths=[1, 1, 1, 1],
        hidden_sizes=[8, 8, 16, 16],
        num_attention_heads=[1, 1, 2, 2],
        decoder_hidden_size=16,
        id2label=NAMES,
    )
    tr.SegformerForSemanticSegmentation(config).save_pretrained(path)


def depth_guesser(path: Path) -> None:
    _prepared(path, "GLPNImageProcessor", size_divisor=32)
    config = tr.GLPNConfig(
        depths=[1, 1, 1, 1],
        hidden_sizes=[8, 8, 16, 16],
        num_attention_heads=[1, 1, 2, 2],
        decoder_hidden_size=16,
    )
    tr.GLPNForDepthEstimation(config).save_pretrained(path)


def any_classifier(path: Path) -> None:
    """CLIP."""
    words, images = (
        tokenizer(path, longest=32),
        _prepared(path, "CLIPImageProcessor", crop_size={"height": SIDE, "width": SIDE}),
    )
    tr.CLIPProcessor(images, words).save_pretrained(path)
    text = {**SIZES, "vocab_size": len(vocabulary()), "eos_token_id": 3}
    config = tr.CLIPConfig(text_config=text, vision_config=dict(_SEEING), projection_dim=16)
    tr.CLIPModel(config).save_pretrained(path)


def any_detector(path: Path) -> None:
    """OWL-ViT."""
    words, images = tokenizer(path, longest=16), _prepared(path, "OwlViTImageProcessor")
    tr.OwlViTProcessor(images, words).save_pretrained(path)
    text = {**SIZES, "vocab_size": len(vocabulary()), "max_position_embeddings": 16}
    config = tr.OwlViTConfig(text_config=text, vision_config=dict(_SEEING), projection_dim=32)
    tr.OwlViTForObjectDetection(config).save_pretrained(path)


def _blip(path: Path, cls: str) -> None:
    words, images = tokenizer(path, longest=32), _prepared(path, "BlipImageProcessor")
    tr.BlipProcessor(images, words).save_pretrained(path)
    text = {
        **SIZES,
        "max_position_embeddings": 512,
        "vocab_size": len(vocabulary()),
        "encoder_hidden_size": 32,
        "bos_token_id": 2,
        "eos_token_id": 3,
        "sep_token_id": 3,
        "pad_token_id": 0,
    }
    config = tr.BlipConfig(text_config=text, vision_config=dict(_SEEING), projection_dim=16)
    getattr(tr, cls)(config).save_pretrained(path)


def captioner(path: Path) -> None:
    _blip(path, "BlipForConditionalGeneration")


def questioned(path: Path) -> None:
    _blip(path, "BlipForQuestionAnswering")


def line_reader(path: Path) -> None:
    """TrOCR, with GPT-2 as its writer."""
    words, images = tokenizer(path), _prepared(path, "ViTImageProcessor")
    tr.TrOCRProcessor(images, words).save_pretrained(path)
    writing = tr.GPT2Config(
        vocab_size=len(vocabulary()), n_embd=32, n_layer=1, n_head=2, n_positions=512
    )
    config = tr.VisionEncoderDecoderConfig.from_encoder_decoder_configs(
        tr.ViTConfig(**_SEEING), writing
    )
    config.decoder_start_token_id = config.decoder.bos_token_id = 2
    config.eos_token_id = config.decoder.eos_token_id = 3
    config.pad_token_id = 0
    tr.VisionEncoderDecoderModel(config).save_pretrained(path)


_TEMPLATE = """{% for message in messages %}{% for part in message['content'] %}
{% if part['type'] == 'image' %}<image> {% else %}{{ part['text'] }}{% endif %}
{% endfor %}{% endfor %}"""


def seeing_talker(path: Path) -> None:
    """LLaVA."""
    words = tokenizer(path, longest=512)
    words.add_tokens(["<image>"], special_tokens=True)
    images = _prepared(path, "CLIPImageProcessor", crop_size={"height": SIDE, "width": SIDE})
    tr.LlavaProcessor(
        images,
        words,
        patch_size=16,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=_TEMPLATE,
    ).save_pretrained(path)
    writing = tr.LlamaConfig(
        **{**SIZES, "max_position_embeddings": 512}, vocab_size=len(words), eos_token_id=3
    )
    config = tr.LlavaConfig(
        vision_config=tr.CLIPVisionConfig(**_SEEING),
        text_config=writing,
        image_token_id=words.convert_tokens_to_ids("<image>"),
        image_seq_length=4,
    )
    tr.LlavaForConditionalGeneration(config).save_pretrained(path)


def film_classifier(path: Path) -> None:
    """VideoMAE."""
    _prepared(
        path,
        "VideoMAEImageProcessor",
        size={"shortest_edge": SIDE},
        crop_size={"height": SIDE, "width": SIDE},
    )
    config = tr.VideoMAEConfig(
        **_SEEING,
        num_frames=4,
        tubelet_size=2,
        id2label={0: "dancing", 1: "swimming"},
    )
    tr.VideoMAEForVideoClassification(config).save_pretrained(path)
