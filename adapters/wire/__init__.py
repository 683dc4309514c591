"""Hugging Face's inference format over HTTP: what its own inference and expert servers speak."""
