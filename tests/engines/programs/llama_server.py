"""llama.cpp's own server with a tiny random model: python llama_server.py FOLDER TOKENS PORT."""

import sys
import threading
from pathlib import Path

import numpy as np
import xllamacpp
from gguf import GGUFWriter, TokenType

_WIDTH, _HEADS, _LAYERS, _INNER = 64, 4, 2, 128
_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
)


def write_model(path: Path, context: int) -> None:
    """A llama whose tokens are bytes, with random weights."""
    tokens = [b"<unk>", b"<s>", b"</s>", *(f"<0x{byte:02X}>".encode() for byte in range(256))]
    kinds = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL, *[TokenType.BYTE] * 256]
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(context)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(_LAYERS)
    writer.add_feed_forward_length(_INNER)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(_WIDTH // _HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_space_prefix(value=False)
    writer.add_chat_template(_TEMPLATE)
    dice = np.random.default_rng(0)

    def add(name: str, *shape: int) -> None:
        ones = len(shape) == 1
        tensor = np.ones(shape) if ones else dice.standard_normal(shape) * 0.05
        writer.add_tensor(name, tensor.astype(np.float32))

    add("token_embd.weight", len(tokens), _WIDTH)
    add("output_norm.weight", _WIDTH)
    add("output.weight", len(tokens), _WIDTH)
    for layer in range(_LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            add(f"blk.{layer}.{name}.weight", _WIDTH)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}.weight", _WIDTH, _WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            add(f"blk.{layer}.{name}.weight", _INNER, _WIDTH)
        add(f"blk.{layer}.ffn_down.weight", _WIDTH, _INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main(folder: str, context: int, port: int) -> None:
    path = Path(folder) / "tiny.gguf"
    write_model(path, context)
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(path), {"tiny"}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel, params.cpuparams.n_threads = context, 1, 1
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
