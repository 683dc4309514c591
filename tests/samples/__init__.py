"""Samples of what contributors write."""
