"""Tokenizers of a few words, and models of texts."""

from pathlib import Path
from typing import Any

import transformers as tr
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = """[PAD] [UNK] [CLS] [SEP] [MASK] <s> </s> . , ? ! a an the is are was in of on and to
what who how many day good cat dog sky blue red car sun city total long text this
example ##s ##ing ada grace london won lost :
summarize translate english german sentence two describe"""
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 37,
    "max_position_embeddings": 64,
}


def vocabulary() -> list[str]:
    return WORDS.split()


def tokenizer(path: Path, *, longest: int = 64, **special: str) -> Any:
    """Words and pieces of words, as BERT has them."""
    places = {word: place for place, word in enumerate(vocabulary())}
    made = Tokenizer(models.WordPiece(places, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = {"unk": "[UNK]", "pad": "[PAD]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    fast = tr.PreTrainedTokenizerFast(
        tokenizer_object=made,
        model_max_length=longest,
        **{f"{name}_token": word for name, word in names.items()},
        **special,
    )
    fast.save_pretrained(path)
    return fast


def _bert(path: Path, cls: str, **more: Any) -> None:
    tokenizer(path)
    config = tr.BertConfig(vocab_size=len(vocabulary()), **SIZES, **more)
    getattr(tr, cls)(config).save_pretrained(path)


def classifier(path: Path) -> None:
    _bert(path, "BertForSequenceClassification", id2label={0: "bad", 1: "fine", 2: "good"})


def entailment(path: Path) -> None:
    names = ["contradiction", "neutral", "entailment"]
    _bert(
        path,
        "BertForSequenceClassification",
        id2label=dict(enumerate(names)),
        label2id={name: place for place, name in enumerate(names)},
    )


def tagger(path: Path) -> None:
    _bert(path, "BertForTokenClassification", id2label={0: "O", 1: "B-PER", 2: "I-PER"})


def gap_filler(path: Path) -> None:
    _bert(path, "BertForMaskedLM")


def embedder(path: Path) -> None:
    _bert(path, "BertModel")


def finder(path: Path) -> None:
    _bert(path, "BertForQuestionAnswering")


def writer(path: Path) -> None:
    tokenizer(path, longest=512)
    config = tr.GPT2Config(
        vocab_size=len(vocabulary()), n_embd=32, n_layer=2, n_head=2, n_positions=512
    )
    config.bos_token_id = config.eos_token_id = 3
    model = tr.GPT2LMHeadModel(config)
    model.generation_config.pad_token_id = 0
    model.save_pretrained(path)


def talker(path: Path) -> None:
    """A writer that was taught to talk: it has a template."""
    writer(path)
    words = tokenizer(path, longest=512)
    words.chat_template = "{% for m in messages %}{{ m['content'] }} {% endfor %}"
    words.save_pretrained(path)


def rewriter(path: Path) -> None:
    """T5."""
    tokenizer(path)
    config = tr.T5Config(
        vocab_size=len(vocabulary()),
        d_model=32,
        d_kv=16,
        d_ff=37,
        num_layers=2,
        num_heads=2,
        decoder_start_token_id=0,
        eos_token_id=3,
        pad_token_id=0,
    )
    tr.T5ForConditionalGeneration(config).save_pretrained(path)


def summarizer(path: Path) -> None:
    """BART."""
    tokenizer(path)
    tr.BartForConditionalGeneration(_bart()).save_pretrained(path)


def _bart() -> Any:
    return tr.BartConfig(
        vocab_size=len(vocabulary()),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=37,
        decoder_ffn_dim=37,
        max_position_embeddings=512,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        decoder_start_token_id=3,
        forced_eos_token_id=3,
    )


def translator(path: Path) -> None:
    """A model of many languages, each with a token, as NLLB has it."""
    words = tokenizer(path)
    words.add_tokens(["deu_Latn", "eng_Latn"], special_tokens=True)
    words.save_pretrained(path)
    (path / "README.md").write_text("---\npipeline_tag: translation\n---\n")
    config = _bart()
    config.vocab_size = len(words)
    tr.BartForConditionalGeneration(config).save_pretrained(path)


_SMALL = {
    "d_model": 32,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 37,
    "decoder_ffn_dim": 37,
    "max_position_embeddings": 512,
    "pad_token_id": 0,
    "eos_token_id": 3,
}


def translator_of_a_pair(path: Path) -> None:
    """MarianMT."""
    tokenizer(path)
    config = tr.MarianConfig(
        **_SMALL, vocab_size=len(vocabulary()), decoder_start_token_id=0, forced_eos_token_id=3
    )
    tr.MarianMTModel(config).save_pretrained(path)


def translator_of_a_hundred(path: Path) -> None:
    """M2M100."""
    words = tokenizer(path)
    words.add_tokens(["__de__", "__en__"], special_tokens=True)
    words.save_pretrained(path)
    config = tr.M2M100Config(
        **_SMALL, vocab_size=len(words), bos_token_id=2, decoder_start_token_id=3
    )
    tr.M2M100ForConditionalGeneration(config).save_pretrained(path)
