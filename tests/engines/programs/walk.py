"""Random walks through a JSON schema as an engine constrains it: ENGINE SCHEMA COUNT.

Prints a JSON line for each walk that came to an end. Letters within strings are taken from a few,
so that most walks end.
"""

import json
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

_LONGEST = 3_000
_CLOSING = '"}],'
"""Characters after which what closes is preferred."""


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A token for each byte, and one for the end."""
    letters = ["</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({letter: at for at, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")


def read_bits(mask: np.ndarray, size: int) -> list[int]:
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")[:size]
    return [int(token) for token in np.flatnonzero(bits)]


class XGrammar:
    def __init__(self, schema: str, tokenizer: PreTrainedTokenizerFast) -> None:
        import torch
        import xgrammar

        self._torch, self._xgrammar = torch, xgrammar
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer)
        self._compiled = xgrammar.GrammarCompiler(info).compile_json_schema(schema)
        self._size = info.vocab_size
        self.start()

    def start(self) -> None:
        self._matcher = self._xgrammar.GrammarMatcher(self._compiled)

    def allowed(self) -> list[int]:
        mask = self._xgrammar.allocate_token_bitmask(1, self._size)
        self._matcher.fill_next_token_bitmask(mask)
        return read_bits(mask.numpy()[0], self._size)

    def accept(self, token: int) -> None:
        assert self._matcher.accept_token(token)


class LlGuidance:
    def __init__(self, schema: str, tokenizer: PreTrainedTokenizerFast) -> None:
        import llguidance
        from llguidance import numpy as bits
        from llguidance.hf import from_tokenizer

        self._library, self._bits = llguidance, bits
        self._tokenizer = from_tokenizer(tokenizer)
        self._grammar = llguidance.LLMatcher.grammar_from_json_schema(schema)
        self.start()

    def start(self) -> None:
        self._matcher = self._library.LLMatcher(self._tokenizer, self._grammar)

    def allowed(self) -> list[int]:
        mask = self._bits.allocate_token_bitmask(1, self._tokenizer.vocab_size)
        self._bits.fill_next_token_bitmask(self._matcher, mask)
        return read_bits(mask[0], self._tokenizer.vocab_size)

    def accept(self, token: int) -> None:
        assert self._matcher.consume_token(token)


Engine = XGrammar | LlGuidance


def walk(engine: Engine, letters: Sequence[str], end: int, dice: random.Random) -> str:
    """A text that the engine allows to its end; "" if it did not come to one."""
    engine.start()
    written = bytearray()
    wanted = set('{}[]":, 0123456789-abcdefghijklmnopqrstuvwxyz<>Ã©')
    while len(written) < _LONGEST:
        allowed = engine.allowed()
        if end in allowed and (len(allowed) == 1 or dice.random() < 0.5):
            return written.decode("utf-8", "replace")
        inner = [token for token in allowed if token != end]
        if not inner:
            return ""
        likely = [token for token in inner if letters[token] in wanted] or inner
        closing = [token for token in inner if letters[token] in _CLOSING]
        token = dice.choice(closing if closing and dice.random() < 0.4 else likely)
        engine.accept(token)
        written += BYTES[letters[token]]
    return ""


def map_bytes() -> dict[str, bytes]:
    """The byte of each letter of the byte-level alphabet."""
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in kept]
    pairs = [(chr(byte), byte) for byte in kept]
    pairs += [(chr(256 + at), byte) for at, byte in enumerate(others)]
    return {letter: bytes([byte]) for letter, byte in pairs}


BYTES = map_bytes()


def main(name: str, schema: str, count: int) -> None:
    tokenizer = make_tokenizer()
    letters = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    engines: dict[str, Callable[..., Engine]] = {
        "xgrammar": XGrammar,
        "llguidance": LlGuidance,
    }
    engine = engines[name](Path(schema).read_text("utf-8"), tokenizer)
    dice = random.Random(0)
    for _ in range(count):
        if text := walk(engine, letters, tokenizer.eos_token_id, dice):
            print(json.dumps(text), flush=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
