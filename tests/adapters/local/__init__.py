"""The expert server."""
