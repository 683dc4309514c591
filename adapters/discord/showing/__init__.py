"""What we have to show, as messages and components of Discord's, and where."""
