"""Scores the program: labelled rows, batches and the requests of the paper."""
