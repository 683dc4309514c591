"""Texts that are written: going on, rewriting, summarizing, translating."""

from collections.abc import Mapping
from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.languages import english_name, token_for
from adapters.local.kinds.loading import Loaded
from adapters.local.table import Answer, as_json
from pipeline.errors import BadInput

_LONGEST = 2048


def going_on(loaded: Loaded, asked: Asked) -> Answer:
    """Models that were taught to talk are talked to; others go on with the text."""
    text: Any = asked.text()
    talks = bool(getattr(loaded.tokenizer, "chat_template", None))
    if talks:
        text = [{"role": "user", "content": text}]
    whole = asked.parameters.get("return_full_text") is not False
    used = len(loaded.tokenizer(asked.text()).input_ids)
    manner = _within(loaded, _manner(asked, 256), used)
    made = loaded.pipe("text-generation")(text, return_full_text=whole and not talks, **manner)[0][
        "generated_text"
    ]
    return as_json([{"generated_text": made if isinstance(made, str) else made[-1]["content"]}])


def rewriting(loaded: Loaded, asked: Asked) -> Answer:
    return as_json([{"generated_text": _written(loaded, asked, asked.text(), 256)}])


def summary(loaded: Loaded, asked: Asked) -> Answer:
    text = _habit(loaded, "summarization").get("prefix", "") + asked.text()
    return as_json([{"summary_text": _written(loaded, asked, text, 200, "summarization")}])


def translation(loaded: Loaded, asked: Asked) -> Answer:
    """To the language that is asked for: by the model's token for it, or (T5) by words in front of the text."""
    text, source, target = asked.text(), asked.word("src_lang"), asked.word("tgt_lang")
    forced: dict[str, Any] = {}
    if target and (token := token_for(loaded.tokenizer, target)):
        forced["forced_bos_token_id"] = loaded.tokenizer.convert_tokens_to_ids(token)
        if source and (own := token_for(loaded.tokenizer, source)):
            loaded.tokenizer.src_lang = own
    elif loaded.model.config.model_type in ("t5", "mt5", "umt5"):
        text = f"{_order(loaded, source, target)}{text}"
    elif target and loaded.model.config.model_type != "marian":  # which knows one pair only
        raise BadInput("local-language-unknown", model=loaded.path.name, language=target)
    made = _written(loaded, asked, text, 512, **forced)
    return as_json([{"translation_text": made}])


def _order(loaded: Loaded, source: str, target: str) -> str:
    habits = getattr(loaded.model.config, "task_specific_params", None) or {}
    usual: Mapping[str, Any] = next(
        (habits[name] for name in habits if name.startswith("translation")), {}
    )
    if not target and usual.get("prefix"):
        return str(usual["prefix"])
    languages = english_name(source or "en"), english_name(target or "de")
    return "translate {} to {}: ".format(*languages)


def _written(
    loaded: Loaded, asked: Asked, text: str, usual: int, habit: str = "", **forced: Any
) -> str:
    import torch

    inputs = loaded.tokenizer(text, truncation=True, max_length=_room(loaded), return_tensors="pt")
    inputs = inputs.to(loaded.device)
    inputs.pop("token_type_ids", None)
    manner = _habits_of_generation(loaded, habit) | _manner(asked, usual) | forced
    manner = _within(loaded, manner, 2)
    with torch.inference_mode():
        made = loaded.model.generate(**inputs, **manner)
    return str(loaded.tokenizer.decode(made[0], skip_special_tokens=True)).strip()


def _room(loaded: Loaded) -> int:
    """How much the model can read: a tokenizer that does not know says a number without end."""
    config = loaded.model.config
    most = getattr(config, "max_position_embeddings", None) or _LONGEST
    return int(min(loaded.tokenizer.model_max_length, most, _LONGEST))


def _within(loaded: Loaded, manner: dict[str, Any], used: int) -> dict[str, Any]:
    """No more than the model has places for."""
    places = getattr(loaded.model.config, "max_position_embeddings", None)
    if not places:
        return manner
    if used >= places:
        raise BadInput("local-too-long", model=loaded.path.name, most=str(places))
    return manner | {"max_new_tokens": min(manner["max_new_tokens"], places - used)}


def _habit(loaded: Loaded, task: str) -> Mapping[str, Any]:
    found = (getattr(loaded.model.config, "task_specific_params", None) or {}).get(task)
    return found if isinstance(found, dict) else {}


def _habits_of_generation(loaded: Loaded, task: str) -> dict[str, Any]:
    kept = ("num_beams", "length_penalty", "no_repeat_ngram_size", "min_length", "early_stopping")
    return {name: value for name, value in _habit(loaded, task).items() if name in kept}


def _manner(asked: Asked, usual: int) -> dict[str, Any]:
    """The parameters of generation that callers may set, within bounds."""
    usual = asked.whole("max_length", usual, 1, _LONGEST)
    manner: dict[str, Any] = {"max_new_tokens": asked.whole("max_new_tokens", usual, 1, _LONGEST)}
    if asked.parameters.get("do_sample") is True or asked.given("temperature"):
        manner["do_sample"] = True
        manner["temperature"] = asked.figure("temperature", 1.0, 0.01, 5.0)
        manner["top_p"] = asked.figure("top_p", 1.0, 0.01, 1.0)
    if asked.given("repetition_penalty"):
        manner["repetition_penalty"] = asked.figure("repetition_penalty", 1.0, 0.5, 5.0)
    return manner
