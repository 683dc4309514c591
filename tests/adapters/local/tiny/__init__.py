"""Tiny models with random weights, built on disk: true architectures, nothing learned."""
