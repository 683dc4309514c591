"""Recorded traffic with language models, the Hub and expert servers: taped, and played back."""
