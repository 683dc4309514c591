"""The services whose keys can be pasted, and which of them a key belongs to, by its form."""

import re

from pipeline.domain import KeyProvider

HUGGING_FACE = "huggingface"
OTHER = "other"
"""Any compatible server, whose address the person gives."""


def _provider(id_: str, name: str, address: str, keys_at: str) -> KeyProvider:
    return KeyProvider(id=id_, name=name, address=address, keys_at=keys_at)


# fmt: off
PROVIDERS = (
    _provider(HUGGING_FACE, "Hugging Face", "", "https://huggingface.co/settings/tokens"),
    _provider("openai", "OpenAI", "https://api.openai.com/v1", "https://platform.openai.com/api-keys"),
    _provider("anthropic", "Anthropic", "https://api.anthropic.com/v1", "https://platform.claude.com/settings/keys"),
    _provider("google", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "https://aistudio.google.com/apikey"),
    _provider("mistral", "Mistral", "https://api.mistral.ai/v1", "https://console.mistral.ai/api-keys"),
    _provider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "https://openrouter.ai/settings/keys"),
    _provider("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "https://platform.deepseek.com/api_keys"),
    _provider("groq", "Groq", "https://api.groq.com/openai/v1", "https://console.groq.com/keys"),
    _provider("xai", "xAI", "https://api.x.ai/v1", "https://console.x.ai"),
    _provider("together", "Together", "https://api.together.xyz/v1", "https://api.together.ai/settings/api-keys"),
)
# fmt: on
_FORMS = (
    (HUGGING_FACE, "hf_"),
    ("openrouter", "sk-or-"),
    ("anthropic", "sk-ant-"),
    ("groq", "gsk_"),
    ("google", "AIza"),
    ("xai", "xai-"),
    ("openai", "sk-proj-"),
    ("openai", "sk-svcacct-"),
)
"""How the keys of a service begin."""
_KEY = re.compile(r"[!-~]{8,500}", re.ASCII)


def is_key(text: str) -> bool:
    """Whether a text can be a key at all: one word of visible ASCII signs."""
    return _KEY.fullmatch(text) is not None


def find_provider(key: str, chosen: str = "") -> KeyProvider | None:
    """The service that was chosen, else the one whose keys look so; None if that is not known."""
    name = chosen or next((name for name, form in _FORMS if key.startswith(form)), "")
    return next((provider for provider in PROVIDERS if provider.id == name), None)
