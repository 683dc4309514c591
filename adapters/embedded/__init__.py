"""What runs inside the program, with no key and no download."""
