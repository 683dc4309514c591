"""Models of sounds."""

import json
from pathlib import Path

import transformers as tr
from tokenizers import pre_tokenizers

_HEARING = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 37,
    "conv_dim": (16, 16, 16),
    "conv_stride": (8, 4, 4),
    "conv_kernel": (8, 4, 4),
    "num_feat_extract_layers": 3,
    "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 2,
}


def listener(path: Path) -> None:
    """wav2vec2 with CTC."""
    path.mkdir(parents=True, exist_ok=True)
    letters = ["<pad>", "<s>", "</s>", "<unk>", "|", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ'"]
    file = path / "vocab.json"
    file.write_text(json.dumps({letter: place for place, letter in enumerate(letters)}))
    words = tr.Wav2Vec2CTCTokenizer(str(file))
    tr.Wav2Vec2Processor(tr.Wav2Vec2FeatureExtractor(), words).save_pretrained(path)
    config = tr.Wav2Vec2Config(vocab_size=len(letters), pad_token_id=0, **_HEARING)
    tr.Wav2Vec2ForCTC(config).save_pretrained(path)


def timed_listener(path: Path) -> None:
    """Whisper: letters, its control tokens, and a token for each moment of thirty seconds."""
    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "<|endoftext|>"]
    end = len(letters) - 1
    names = {f"{name}_token": "<|endoftext|>" for name in ("unk", "bos", "eos", "pad")}
    words = tr.WhisperTokenizer(
        vocab={letter: place for place, letter in enumerate(letters)}, merges=[], **names
    )
    orders = ["startoftranscript", "en", "de", "translate", "transcribe", "startoflm"]
    orders += ["startofprev", "nospeech", "notimestamps"]
    words.add_tokens([f"<|{order}|>" for order in orders], special_tokens=True)
    words.add_tokens([f"<|{moment * 0.02:.2f}|>" for moment in range(1501)])
    tr.WhisperProcessor(tr.WhisperFeatureExtractor(feature_size=16), words).save_pretrained(path)
    config = tr.WhisperConfig(
        vocab_size=len(words),
        num_mel_bins=16,
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=37,
        decoder_ffn_dim=37,
        max_target_positions=64,
        pad_token_id=end,
        bos_token_id=end,
        eos_token_id=end,
        decoder_start_token_id=end + 1,
    )
    model = tr.WhisperForConditionalGeneration(config)
    place = {order: end + 1 + number for number, order in enumerate(orders)}
    manner = {
        "is_multilingual": True,
        "lang_to_id": {"<|en|>": place["en"], "<|de|>": place["de"]},
        "task_to_id": {"translate": place["translate"], "transcribe": place["transcribe"]},
        "no_timestamps_token_id": place["notimestamps"],
        "prev_sot_token_id": place["startofprev"],
        "max_initial_timestamp_index": 50,
        "suppress_tokens": [],
        "begin_suppress_tokens": [end],
        "max_length": 40,
        "return_timestamps": False,
        "_from_model_config": False,  # it would be made anew
    }
    for name, value in manner.items():
        setattr(model.generation_config, name, value)
    model.save_pretrained(path)


def classifier(path: Path) -> None:
    tr.Wav2Vec2FeatureExtractor().save_pretrained(path)
    config = tr.Wav2Vec2Config(**_HEARING, id2label={0: "speech", 1: "music"})
    tr.Wav2Vec2ForSequenceClassification(config).save_pretrained(path)


def speaker(path: Path) -> None:
    """VITS, as in MMS-TTS."""
    path.mkdir(parents=True, exist_ok=True)
    letters = ["<pad>", "<unk>", " ", *"abcdefghijklmnopqrstuvwxyz"]
    file = path / "vocab.json"
    file.write_text(json.dumps({letter: place for place, letter in enumerate(letters)}))
    tr.VitsTokenizer(
        str(file), pad_token="<pad>", unk_token="<unk>", phonemize=False
    ).save_pretrained(path)
    config = tr.VitsConfig(
        vocab_size=len(letters),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        ffn_dim=37,
        flow_size=16,
        spectrogram_bins=9,
        duration_predictor_filter_channels=16,
        duration_predictor_num_flows=1,
        prior_encoder_num_flows=1,
        posterior_encoder_num_wavenet_layers=1,
        prior_encoder_num_wavenet_layers=1,
        upsample_initial_channel=16,
        upsample_rates=[8, 8],
        upsample_kernel_sizes=[16, 16],
        resblock_kernel_sizes=[3],
        resblock_dilation_sizes=[[1, 3, 5]],
    )
    tr.VitsModel(config).save_pretrained(path)
