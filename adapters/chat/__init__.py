"""Shared by all chat surfaces: the presenter, the board it draws, Markdown, signed links."""
