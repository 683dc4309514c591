"""Worker processes, and a pool of them: port `Workers`.

Imports nothing here, since worker processes import what they need of it.
"""
