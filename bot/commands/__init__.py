"""The commands, for every surface."""
