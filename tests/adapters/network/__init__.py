"""The one rule for the network."""
