"""The Discord adapter, with the library itself, against the played Discord."""
