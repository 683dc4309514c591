"""Any OpenAI-compatible endpoint: the controller, and the `llm` place."""
