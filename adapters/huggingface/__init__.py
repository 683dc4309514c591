"""Hugging Face: its inference format on the wire, its providers, and the models of its Hub."""
