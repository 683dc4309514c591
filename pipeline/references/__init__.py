"""References in texts: file names and addresses, which are shown only if they are known."""
