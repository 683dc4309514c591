"""Connects the program with Discord."""
