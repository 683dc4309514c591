"""Cassettes that are replayed by tests/bot/test_recording.py, and the one of played servers."""
