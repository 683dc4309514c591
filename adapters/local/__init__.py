"""Experts on this machine: a server of Hugging Face's inference format over worker processes (`server`)."""
