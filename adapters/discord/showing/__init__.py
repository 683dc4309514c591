"""Shows runs: where, in which words, laid out how."""
