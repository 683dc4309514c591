"""What all of Discord's rooms call: the API, its addresses, limits and errors, and its rooms."""
