"""Hugging Face: the models of the Hub, and the providers that serve them."""
