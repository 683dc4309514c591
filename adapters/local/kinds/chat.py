"""Conversations of several messages, for chat completions."""

from typing import Any

from adapters.local.inference import InferenceRequest, InferenceResponse, json_response
from adapters.local.kinds.text import continue_text
from pipeline.errors import BadInput

_NEW_TOKENS = 1024


def converse(pipe: Any, request: InferenceRequest) -> InferenceResponse:
    """Answer messages; a text is answered as `text.continue_text` does.

    Nothing is cut off a prompt: one that leaves no room for a reply raises BadInput.
    """
    if request.field("messages") is None:
        return continue_text(pipe, request)
    import torch

    inputs = pipe.tokenizer.apply_chat_template(
        request.field("messages"),
        add_generation_prompt=True,
        return_dict=True,
        return_tensors="pt",
        **request.field("template"),
    ).to(pipe.model.device)
    inputs.pop("token_type_ids", None)
    length, room = inputs["input_ids"].shape[1], _find_room(pipe)
    if length >= room:
        raise BadInput("local-chat-long", length=str(length), room=str(room))
    limit = min(request.option("max_new_tokens", _NEW_TOKENS), room - length)
    with torch.inference_mode():
        output = pipe.model.generate(**inputs, max_new_tokens=limit, **_choose_sampling(request))
    tokens = output[0, length:].tolist()
    ends = pipe.model.generation_config.eos_token_id
    ends = ends if isinstance(ends, list) else [ends]
    return json_response(
        {
            "text": pipe.tokenizer.decode(tokens, skip_special_tokens=True).strip(),
            "is_cut": len(tokens) >= limit and tokens[-1] not in ends,
            "prompt_tokens": length,
            "completion_tokens": len(tokens),
        }
    )


def _find_room(pipe: Any) -> int:
    """How many tokens the model reads and writes in all."""
    told = getattr(pipe.model.config.get_text_config(), "max_position_embeddings", 0)
    longest = int(pipe.tokenizer.model_max_length)  # a huge number where nobody set it
    return min(told or longest, longest)


def _choose_sampling(request: InferenceRequest) -> dict[str, Any]:
    """As the model is configured, unless the request says how; at temperature 0 the likeliest."""
    numbers = request.numbers()
    if "temperature" not in numbers:
        return {}
    if not numbers["temperature"]:
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    chosen: dict[str, Any] = {
        name: numbers[name] for name in ("temperature", "top_p") if name in numbers
    }
    return {"do_sample": True, **chosen}
