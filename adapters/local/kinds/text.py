"""Texts and tables: gaps, embeddings, questions, generation, translation."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from babel import Locale, localedata
from babel.core import get_global

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from adapters.local.loaded_models import LoadedModel
from pipeline.errors import BadInput

_GAP = re.compile(r"\[MASK\]|<mask>|_{3,}", re.IGNORECASE)
_UNLIMITED = 100_000
_MAX_TOKENS = 2048
_WINDOW, _OVERLAP = 384, 96
_SUMMARY_DEFAULTS = (
    *("num_beams", "length_penalty", "no_repeat_ngram_size", "min_length", "early_stopping"),
)


def choose_stride(loaded: LoadedModel, request: InferenceRequest) -> int | None:
    """Entities in long texts are found in overlapping windows."""
    longest = loaded.tokenizer.model_max_length
    whole = request.option("aggregation_strategy", "") == "none" or longest >= _UNLIMITED
    return None if whole else longest // 4


def read_gap(loaded: LoadedModel, request: InferenceRequest) -> str:
    """However the gap is written, the model gets its own token for it. Raises BadInput."""
    gap = loaded.tokenizer.mask_token
    text = _GAP.sub(lambda _match: gap, request.text())
    if gap not in text:
        raise BadInput("local-no-gap", gap=gap)
    return text


def read_table(_loaded: LoadedModel, request: InferenceRequest) -> dict[str, Any]:
    """The specification says `question`, the Hub's client says `query`. Raises BadInput."""
    import pandas as pd

    question = request.text("question" if request.field("question") else "query")
    table = request.field("table")
    columns = list(table.values()) if isinstance(table, dict) else []
    lists = all(isinstance(cells, list) for cells in columns)
    if not columns or not lists or len({len(cells) for cells in columns}) > 1:
        raise BadInput("local-needs-table")
    frame = pd.DataFrame({name: [str(cell) for cell in cells] for name, cells in table.items()})
    return {"table": frame, "query": question}


def write_table_answer(output: Any) -> InferenceResponse:
    coordinates = [list(map(int, place)) for place in output.get("coordinates", ())]
    return json_response([{"cells": [], **output, "coordinates": coordinates}])


def write_zero_shot(output: Any) -> InferenceResponse:
    pairs = zip(output["labels"], output["scores"], strict=True)
    return json_response([{"label": label, "score": score} for label, score in pairs])


def embed(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """One vector for each text."""
    texts = request.inputs if isinstance(request.inputs, list) else [request.text()]
    if not all(isinstance(text, str) for text in texts):
        raise BadInput("local-needs-texts", name="inputs")
    unit = request.parameters.get("normalize") is True
    return json_response(_embed(loaded, texts, unit=unit).tolist())


def compare(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """The cosine similarity of each text to the first."""
    texts = [request.text("source_sentence"), *request.texts("sentences")]
    vectors = _embed(loaded, texts, unit=True)
    return json_response((vectors[1:] @ vectors[0]).tolist())


def _embed(loaded: LoadedModel, texts: list[str], *, unit: bool) -> Any:
    """Pooled as the model's makers say: the mean of the tokens, or the first token."""
    import torch

    pooling = loaded.path / "1_Pooling" / "config.json"
    first = pooling.is_file() and json.loads(pooling.read_text()).get("pooling_mode_cls_token")
    pipe = loaded.pipeline("feature-extraction")
    states = [pipe(text, truncation=True, return_tensors=True)[0].float() for text in texts]
    vectors = torch.stack([tokens[0] if first else tokens.mean(0) for tokens in states])
    return torch.nn.functional.normalize(vectors, dim=-1) if unit else vectors


def answer_from_text(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """The most probable spans of a text, which may be longer than the model reads at once."""
    question, context = request.text("question"), request.text("context")
    longest, top = request.option("max_answer_len", 15), request.option("top_k", 1)
    found = sorted(_find_spans(loaded, question, context, max_answer_len=longest, top_k=20))
    scores = {(start, end): score for score, start, end in found}  # of equal spans the best
    best = sorted(scores.items(), key=lambda item: -item[1])[:top]
    return json_response(
        [
            {"answer": context[start:end], "score": score, "start": start, "end": end}
            for (start, end), score in best
        ]
    )


def _find_spans(
    loaded: LoadedModel, question: str, context: str, **options: int
) -> list[tuple[float, int, int]]:
    """The best spans of each window: probability, first and last character."""
    import numpy as np
    import torch
    from transformers.pipelines.document_question_answering import select_starts_ends

    room = min(loaded.tokenizer.model_max_length, _WINDOW)
    windows = loaded.tokenizer(
        *(question, context),
        truncation="only_second",
        max_length=room,
        stride=min(_OVERLAP, room // 4),
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        padding=True,
        return_tensors="pt",
    )
    windows.pop("overflow_to_sample_mapping", None)
    offsets = windows.pop("offset_mapping").tolist()
    with torch.inference_mode():
        output = loaded.model(**windows.to(loaded.device))
    spans: list[tuple[float, int, int]] = []
    for window, places in enumerate(offsets):
        logits = (output.start_logits[window], output.end_logits[window])
        first, last = (one[None].float().cpu().numpy() for one in logits)
        outside = np.array([[owner != 1 for owner in windows.sequence_ids(window)]], dtype=int)
        starts, ends, scores, _ = select_starts_ends(first, last, outside, None, **options)
        spans += [
            (float(score), places[start][0], places[end][1])
            for score, start, end in zip(scores, starts, ends, strict=True)
            if score > 0
        ]
    return spans


def continue_text(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Models with a chat template are talked to; others continue the text."""
    text = request.text()
    chat = bool(getattr(loaded.tokenizer, "chat_template", None))
    prompt: Any = [{"role": "user", "content": text}] if chat else text
    full = request.parameters.get("return_full_text") is not False and not chat
    used = len(loaded.tokenizer(text).input_ids)
    options = _fit_to_model(loaded, _read_options(request, 256), used)
    pipe = loaded.pipeline("text-generation")
    output = pipe(prompt, return_full_text=full, **options)[0]["generated_text"]
    answer = output if isinstance(output, str) else output[-1]["content"]
    return json_response([{"generated_text": answer}])


def rewrite(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    return json_response([{"generated_text": _write(loaded, request, request.text(), 256)}])


def summarize(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    habits = _get_task_defaults(loaded).get("summarization") or {}
    options = {name: habits[name] for name in _SUMMARY_DEFAULTS if name in habits}
    text = habits.get("prefix", "") + request.text()
    return json_response([{"summary_text": _write(loaded, request, text, 200, **options)}])


def translate(loaded: LoadedModel, request: InferenceRequest) -> InferenceResponse:
    """Into a language given by the model's token for it, or (T5) by words before the text."""
    source, target = request.option("src_lang", ""), request.option("tgt_lang", "")
    text, family, options = request.text(), loaded.model.config.model_type, {}
    if target and (token := _find_language_token(loaded.tokenizer, target)):
        options["forced_bos_token_id"] = loaded.tokenizer.convert_tokens_to_ids(token)
        if source and (source_token := _find_language_token(loaded.tokenizer, source)):
            loaded.tokenizer.src_lang = source_token
    elif family in ("t5", "mt5", "umt5"):
        text = _get_t5_prefix(loaded, source, target) + text
    elif target and family != "marian":  # which knows one pair only
        raise BadInput("local-language-unknown", model=loaded.path.name, language=target)
    return json_response([{"translation_text": _write(loaded, request, text, 512, **options)}])


def _get_t5_prefix(loaded: LoadedModel, source: str, target: str) -> str:
    defaults = _get_task_defaults(loaded)
    own = next((name for name in defaults if name.startswith("translation")), "")
    if not target and own and defaults[own].get("prefix"):
        return str(defaults[own]["prefix"])
    names = Locale("en").languages
    pair = (names.get(_find_language_code(name), name) for name in (source or "en", target or "de"))
    return "translate {} to {}: ".format(*pair)


def _get_task_defaults(loaded: LoadedModel) -> Mapping[str, Any]:
    return getattr(loaded.model.config, "task_specific_params", None) or {}


def _write(
    loaded: LoadedModel, request: InferenceRequest, text: str, limit: int, **options: Any
) -> str:
    """What a sequence-to-sequence model makes of a text, which is cut where it is too long."""
    places = getattr(loaded.model.config, "max_position_embeddings", None) or _MAX_TOKENS
    room = int(min(loaded.tokenizer.model_max_length, places, _MAX_TOKENS))
    inputs = loaded.tokenizer(text, truncation=True, max_length=room, return_tensors="pt")
    inputs.pop("token_type_ids", None)
    options = _fit_to_model(loaded, options | _read_options(request, limit), 2)
    return loaded.generate(inputs, **options)[0]


def _fit_to_model(loaded: LoadedModel, options: dict[str, Any], used: int) -> dict[str, Any]:
    """Limit the new tokens to the model's positions. Raises BadInput when none are left."""
    places = getattr(loaded.model.config, "max_position_embeddings", None)
    if not places:
        return options
    if used >= places:
        raise BadInput("local-too-long", model=loaded.path.name, most=str(places))
    return options | {"max_new_tokens": min(options["max_new_tokens"], places - used)}


def _read_options(request: InferenceRequest, limit: int) -> dict[str, Any]:
    """The options of generation that callers may set, within bounds."""
    limit = request.option("max_length", limit)
    options: dict[str, Any] = {"max_new_tokens": request.option("max_new_tokens", limit)}
    if request.parameters.get("do_sample") is True or request.has_parameter("temperature"):
        sampling = {name: request.option(name, 1.0) for name in ("temperature", "top_p")}
        options |= {"do_sample": True, **sampling}
    if request.has_parameter("repetition_penalty"):
        options["repetition_penalty"] = request.option("repetition_penalty", 1.0)
    return options


def _find_language_token(tokenizer: Any, language: str) -> str:
    """The tokenizer's own token for a language, "" when it has none.

    Models write German as de, __de__, de_DE, >>de<< or (NLLB) deu_Latn; CLDR lists deu as another
    code for de, and the script in which a language is likely to be written.
    """
    tokens = tokenizer.get_added_vocab()
    if language in tokens:
        return language
    code = _find_language_code(language)
    codes = {code, "nb"} if code == "no" else {code}
    script = get_global("likely_subtags").get(code, "").partition("_")[2].partition("_")[0]
    for token in tokens:
        name, _, suffix = token.strip("_<>").partition("_")
        known = get_global("language_aliases").get(name, name) in codes
        if known and (suffix in ("", script) or suffix.isupper()):
            return str(token)
    return ""


def _find_language_code(language: str) -> str:
    """For "German", "Deutsch" and "de-DE" de; "" when it is not a language."""
    wanted = language.strip().casefold()
    code = wanted.replace("_", "-").partition("-")[0]
    return code if code in Locale("en").languages else _load_language_names().get(wanted, "")


@cache
def _load_language_names() -> dict[str, str]:
    """English names of all languages, and what those with an ISO 639-1 code call themselves."""
    english = {str(name).casefold(): str(code) for code, name in Locale("en").languages.items()}
    own = {}
    for code in english.values():
        if len(code) == 2 and localedata.exists(code):  # noqa: PLR2004 - ISO 639-1
            own[str(Locale(code).get_display_name(code)).casefold()] = code
    return own | english
