"""The outside world: one package for each system the pipeline talks to."""
