"""Reads what people wrote, said before and missed."""
