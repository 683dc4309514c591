"""Local servers that play the outside world."""
