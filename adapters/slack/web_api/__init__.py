"""Slack's Web API: calls, limits and errors."""
