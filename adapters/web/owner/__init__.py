"""The owner's pages: what works, all runs, all channels, and what is stored."""
