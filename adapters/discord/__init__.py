"""Discord as a place to talk."""
