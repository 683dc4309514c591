"""Stage 1: from what a language model wrote to a plan."""
