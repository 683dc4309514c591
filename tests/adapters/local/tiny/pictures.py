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


def masker(path: Path) -> None:
    """SAM."""
    images = _prepared(
        path,
        "SamImageProcessor",
        size={"longest_edge": SIDE},
        pad_size={"height": SIDE, "width": SIDE},
        mask_size={"longest_edge": 16},
        mask_pad_size={"height": 16, "width": 16},
    )
    tr.SamProcessor(images).save_pretrained(path)
    config = tr.SamConfig(
        vision_config={
            **_SEEING,
            "num_channels": 3,
            "output_channels": 16,
            "mlp_dim": 32,
            "window_size": 2,
            "global_attn_indexes": [1],
            "num_pos_feats": 8,
        },
        prompt_encoder_config={
            "hidden_size": 16,
            "image_size": SIDE,
            "patch_size": 16,
            "mask_input_channels": 4,
        },
        mask_decoder_config={
            "hidden_size": 16,
            "mlp_dim": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "iou_head_depth": 1,
            "iou_head_hidden_dim": 16,
        },
    )
    tr.SamModel(config).save_pretrained(path)


def _blip(path: Path, cls: str) -> None:
    words, images = tokenizer(path, longest=32), _prepared(path, "BlipImageProcessor")
    tr.BlipProcessor(images, words).save_pretrained(path)
    text = {
        **SIZES,
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


def questioned_by_choice(path: Path) -> None:
    """ViLT."""
    words = tokenizer(path, longest=32)
    images = _prepared(path, "ViltImageProcessor", size={"shortest_edge": 2 * SIDE})
    tr.ViltProcessor(images, words).save_pretrained(path)
    config = tr.ViltConfig(
        **{**_SEEING, **SIZES},
        vocab_size=len(vocabulary()),
        max_image_length=-1,
        id2label={0: "one", 1: "two", 2: "red"},
    )
    tr.ViltForQuestionAnswering(config).save_pretrained(path)


def seeing_writer(path: Path) -> None:
    """A pair of a seeing and a writing model, as ViT-GPT2."""
    tokenizer(path)
    _prepared(path, "ViTImageProcessor")
    seeing = tr.ViTConfig(**_SEEING)
    writing = tr.GPT2Config(
        vocab_size=len(vocabulary()), n_embd=32, n_layer=1, n_head=2, n_positions=64
    )
    config = tr.VisionEncoderDecoderConfig.from_encoder_decoder_configs(seeing, writing)
    config.decoder_start_token_id = config.decoder.bos_token_id = 2
    config.eos_token_id = config.decoder.eos_token_id = 3
    config.pad_token_id = 0
    tr.VisionEncoderDecoderModel(config).save_pretrained(path)


def page_reader(path: Path) -> None:
    """Donut, of which only the card says that it answers questions on documents."""
    words, images = tokenizer(path), _prepared(path, "DonutImageProcessor")
    steps = ["<s_docvqa>", "<s_question>", "</s_question>", "<s_answer>", "</s_answer>"]
    words.add_tokens(steps, special_tokens=True)
    tr.DonutProcessor(images, words).save_pretrained(path)
    seeing = tr.DonutSwinConfig(
        image_size=SIDE, patch_size=4, depths=[1, 1], num_heads=[2, 2], embed_dim=16, window_size=2
    )
    writing = tr.MBartConfig(
        vocab_size=len(words),
        d_model=32,
        encoder_layers=1,
        encoder_attention_heads=2,
        encoder_ffn_dim=37,
        decoder_layers=1,
        decoder_attention_heads=2,
        decoder_ffn_dim=37,
        max_position_embeddings=128,
    )
    config = tr.VisionEncoderDecoderConfig.from_encoder_decoder_configs(seeing, writing)
    config.pad_token_id, config.decoder_start_token_id, config.eos_token_id = 0, 2, 3
    tr.VisionEncoderDecoderModel(config).save_pretrained(path)
    (path / "README.md").write_text("---\npipeline_tag: document-question-answering\n---\n")


def poser(path: Path) -> None:
    """ViTPose."""
    _prepared(path, "VitPoseImageProcessor")
    backbone = tr.VitPoseBackboneConfig(
        **{**_SEEING, "image_size": [SIDE, SIDE], "patch_size": [16, 16]}, out_features=["stage2"]
    )
    config = tr.VitPoseConfig(
        backbone_config=backbone, id2label={n: f"point {n}" for n in range(17)}
    )
    tr.VitPoseForPoseEstimation(config).save_pretrained(path)


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
