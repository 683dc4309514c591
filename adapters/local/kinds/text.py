"""Text kinds: filling gaps, embeddings, question answering, generation, translation."""

import json
import re
from pathlib import Path
from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from adapters.local.kinds.loading import LoadedModel
from pipeline.errors import BadInput
from pipeline.text.languages import find_language, normalize_code

_GAP = re.compile(r"\[MASK\]|<mask>|_{3,}", re.IGNORECASE)
_MAX_TOKENS = 1024
_NEW_TOKENS = 256
_WINDOW = 384


def find_entities(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Find named entities; a long text is read in overlapping windows."""
    longest = pipe.tokenizer.model_max_length
    stride = longest // 4 if longest <= _MAX_TOKENS else None
    output = pipe(request.text(), aggregation_strategy="simple", stride=stride)
    return json_response(output)


def fill_gap(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Fill a gap, which may be written in several ways. Raises BadInput."""
    gap = pipe.tokenizer.mask_token
    text = _GAP.sub(lambda _match: gap, request.text())
    if gap not in text:
        raise BadInput("local-no-gap", gap=gap)
    cut = {"truncation": True}
    return json_response(pipe(text, top_k=request.option("top_k", 5), tokenizer_kwargs=cut))


def embed(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """One vector for each text."""
    texts = request.inputs if isinstance(request.inputs, list) else [request.text()]
    if not all(isinstance(text, str) for text in texts):
        raise BadInput("local-needs-texts", name="inputs")
    unit = request.option("normalize", default=False)
    return json_response(_embed(pipe, texts, unit=unit).tolist())


def compare(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """The cosine similarity of each text to the first."""
    texts = [request.text("source_sentence"), *request.texts("sentences")]
    vectors = _embed(pipe, texts, unit=True)
    return json_response((vectors[1:] @ vectors[0]).tolist())


def _embed(pipe: Any, texts: list[str], *, unit: bool) -> Any:
    """Pooled as the model is configured: the mean of the tokens, or the first token."""
    import torch

    pooling = Path(pipe.model.name_or_path) / "1_Pooling" / "config.json"
    use_first = pooling.is_file() and json.loads(pooling.read_text()).get("pooling_mode_cls_token")
    states = [pipe(text, truncation=True, return_tensors=True)[0].float() for text in texts]
    vectors = torch.stack([tokens[0] if use_first else tokens.mean(0) for tokens in states])
    return torch.nn.functional.normalize(vectors, dim=-1) if unit else vectors


def answer_from_text(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """The most probable spans of a text, which is read in overlapping windows."""
    import torch

    question, context = request.text("question"), request.text("context")
    longest = min(loaded.processor.model_max_length, _WINDOW)
    windows = loaded.processor(
        *(question, context),
        truncation="only_second",
        max_length=longest,
        stride=longest // 4,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        padding=True,
        return_tensors="pt",
    )
    windows.pop("overflow_to_sample_mapping", None)
    offsets = windows.pop("offset_mapping").tolist()
    with torch.inference_mode():
        output = loaded.model(**windows.to(loaded.model.device))
    owners = [windows.sequence_ids(window) for window in range(len(offsets))]
    outside = torch.tensor([[owner != 1 for owner in row] for row in owners])
    starts, ends = (
        logits.cpu().float().masked_fill(outside, float("-inf")).softmax(-1)
        for logits in (output.start_logits, output.end_logits)
    )
    spans = (starts[:, :, None] * ends[:, None, :]).triu()
    spans = spans.tril(request.option("max_answer_len", 15) - 1)
    answers = []
    for index in spans.flatten().argsort(descending=True)[: request.option("top_k", 1)]:
        window, first, last = torch.unravel_index(index, spans.shape)
        start, end = offsets[window][first][0], offsets[window][last][1]
        score = float(spans[window, first, last])
        answers.append({"answer": context[start:end], "score": score, "start": start, "end": end})
    return json_response([answer for answer in answers if answer["score"] > 0])


def continue_text(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Chat models answer the text as a message; other models continue it."""
    text = request.text()
    chat = bool(getattr(pipe.tokenizer, "chat_template", None))
    prompt: Any = [{"role": "user", "content": text}] if chat else text
    full = request.option("return_full_text", default=True) and not chat
    limit = min(request.option("max_new_tokens", _NEW_TOKENS), pipe.tokenizer.model_max_length // 2)
    options = {"max_new_tokens": limit, "handle_long_generation": "hole"}
    answer = pipe(prompt, return_full_text=full, **options)[0]["generated_text"]
    return json_response([{"generated_text": answer}])


def rewrite(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    return json_response([{"generated_text": _generate(loaded, request, request.text())}])


def summarize(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    tasks = getattr(loaded.model.config, "task_specific_params", None) or {}
    prefix = tasks.get("summarization", {}).get("prefix", "")
    return json_response([{"summary_text": _generate(loaded, request, prefix + request.text())}])


def translate(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Translate into a language of the tokenizer; MarianMT knows only one pair."""
    source, target = request.option("src_lang", ""), request.option("tgt_lang", "")
    tokenizer, options = loaded.processor, {}
    if token := _find_language_token(tokenizer, target):
        options["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(token)
        if source_token := _find_language_token(tokenizer, source):
            tokenizer.src_lang = source_token
    elif target and loaded.model.config.model_type != "marian":
        name = Path(loaded.model.name_or_path).name
        raise BadInput("local-language-unknown", model=name, language=target)
    text = _generate(loaded, request, request.text(), **options)
    return json_response([{"translation_text": text}])


def _generate(loaded: LoadedModel, request: InferenceRequest, text: str, **options: Any) -> str:
    """Run a sequence-to-sequence model on a text, truncated if it is too long."""
    longest = min(loaded.processor.model_max_length, _MAX_TOKENS)
    inputs = loaded.processor(text, truncation=True, max_length=longest, return_tensors="pt")
    inputs.pop("token_type_ids", None)
    limit = request.option("max_new_tokens", _NEW_TOKENS)
    inputs = inputs.to(loaded.model.device)
    (tokens,) = loaded.model.generate(**inputs, max_new_tokens=limit, **options)
    return str(loaded.processor.decode(tokens, skip_special_tokens=True)).strip()


def _find_language_token(tokenizer: Any, language: str) -> str:
    """The tokenizer's own token for a language, "" when it has none.

    Models write German as de, __de__, de_DE or (NLLB) deu_Latn; CLDR lists deu as another code.
    """
    code = find_language(language)
    for token in tokenizer.get_added_vocab():
        name = token.strip("_<>").partition("_")[0]
        if token == language or (code and normalize_code(name) == code):
            return str(token)
    return ""
