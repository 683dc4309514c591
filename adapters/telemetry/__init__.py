"""Traces for OpenTelemetry. `spans` needs no SDK; `export` does, and is imported when it is on."""
