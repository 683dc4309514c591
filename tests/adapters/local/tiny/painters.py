"""Models that make pictures and films."""

import json
from pathlib import Path
from typing import Any

import diffusers
import transformers as tr

_TEXT = {
    "vocab_size": 60,
    "hidden_size": 32,
    "intermediate_size": 37,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 32,
    "bos_token_id": 0,
    "eos_token_id": 1,
}


def _tokenizer(path: Path) -> Any:
    """CLIP's, of letters only."""
    path.mkdir(parents=True, exist_ok=True)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["<|startoftext|>", "<|endoftext|>", *letters, *(f"{one}</w>" for one in letters)]
    vocabulary = {word: place for place, word in enumerate(words)}
    (path / "vocab.json").write_text(json.dumps(vocabulary))
    (path / "merges.txt").write_text("#version: 0.2\n")
    return tr.CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=32)


def _parts(path: Path, channels: int = 4) -> dict[str, Any]:
    unet = diffusers.UNet2DConditionModel(
        sample_size=32,
        in_channels=channels,
        out_channels=4,
        block_out_channels=(4, 8),
        layers_per_block=1,
        norm_num_groups=2,
        cross_attention_dim=32,
        attention_head_dim=2,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
    )
    vae = diffusers.AutoencoderKL(
        block_out_channels=[4, 8],
        norm_num_groups=2,
        latent_channels=4,
        down_block_types=["DownEncoderBlock2D"] * 2,
        up_block_types=["UpDecoderBlock2D"] * 2,
    )
    return {
        "unet": unet,
        "vae": vae,
        "scheduler": diffusers.DDIMScheduler(beta_schedule="scaled_linear", clip_sample=False),
        "text_encoder": tr.CLIPTextModel(tr.CLIPTextConfig(**_TEXT)),
        "tokenizer": _tokenizer(path / "tokenizer"),
        "safety_checker": None,
        "feature_extractor": None,
        "requires_safety_checker": False,
    }


def painter(path: Path) -> None:
    """Stable Diffusion."""
    diffusers.StableDiffusionPipeline(**_parts(path)).save_pretrained(path)


def editor(path: Path) -> None:
    """InstructPix2Pix."""
    parts = _parts(path, channels=8)
    diffusers.StableDiffusionInstructPix2PixPipeline(**parts).save_pretrained(path)


def inpainter(path: Path) -> None:
    """Stable Diffusion that paints into a mask."""
    parts = _parts(path, channels=9)
    diffusers.StableDiffusionInpaintPipeline(**parts).save_pretrained(path)


def controlled(path: Path) -> None:
    """A ControlNet for the painter."""
    diffusers.ControlNetModel(
        block_out_channels=(4, 8),
        layers_per_block=1,
        norm_num_groups=2,
        cross_attention_dim=32,
        attention_head_dim=2,
        conditioning_embedding_out_channels=(2, 4),
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
    ).save_pretrained(path)


def film_maker(path: Path) -> None:
    """Wan."""
    transformer = diffusers.WanTransformer3DModel(
        patch_size=(1, 2, 2),
        num_attention_heads=2,
        attention_head_dim=12,
        in_channels=16,
        out_channels=16,
        text_dim=32,
        freq_dim=16,
        ffn_dim=32,
        num_layers=1,
        cross_attn_norm=True,
        qk_norm="rms_norm_across_heads",
        rope_max_seq_len=32,
    )
    vae = diffusers.AutoencoderKLWan(base_dim=3, z_dim=16, dim_mult=[1, 1, 1, 1], num_res_blocks=1)
    encoder = tr.UMT5EncoderModel(
        tr.UMT5Config(vocab_size=60, d_model=32, d_kv=16, d_ff=37, num_layers=1, num_heads=2)
    )
    diffusers.WanPipeline(
        tokenizer=_tokenizer(path / "tokenizer"),
        text_encoder=encoder,
        vae=vae,
        transformer=transformer,
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(shift=7.0),
    ).save_pretrained(path)


def animator(path: Path) -> None:
    """Stable Video Diffusion."""
    unet = diffusers.UNetSpatioTemporalConditionModel(
        sample_size=32,
        in_channels=8,
        out_channels=4,
        block_out_channels=(32, 64),
        layers_per_block=1,
        cross_attention_dim=32,
        num_attention_heads=8,
        projection_class_embeddings_input_dim=96,
        addition_time_embed_dim=32,
        num_frames=4,
        down_block_types=("CrossAttnDownBlockSpatioTemporal", "DownBlockSpatioTemporal"),
        up_block_types=("UpBlockSpatioTemporal", "CrossAttnUpBlockSpatioTemporal"),
    )
    vae = diffusers.AutoencoderKLTemporalDecoder(
        block_out_channels=[32, 64], down_block_types=["DownEncoderBlock2D"] * 2, latent_channels=4
    )
    seeing = tr.CLIPVisionConfig(
        hidden_size=32,
        projection_dim=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=37,
        image_size=224,
        patch_size=112,
    )
    diffusers.StableVideoDiffusionPipeline(
        vae=vae,
        image_encoder=tr.CLIPVisionModelWithProjection(seeing),
        unet=unet,
        scheduler=diffusers.EulerDiscreteScheduler(
            prediction_type="v_prediction",
            timestep_type="continuous",
            use_karras_sigmas=True,
            sigma_min=0.002,
            sigma_max=700.0,
        ),
        feature_extractor=tr.CLIPImageProcessorPil(
            size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
        ),
    ).save_pretrained(path)
