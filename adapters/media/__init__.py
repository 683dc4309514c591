"""Describes, converts and draws media files within limits: port `MediaTools`.

Imports nothing here, since worker processes import what they need of it.
"""
