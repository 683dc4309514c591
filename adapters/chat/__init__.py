"""What every chat surface shares: the presenter, the board it draws, Markdown, signed links."""
