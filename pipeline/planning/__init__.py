"""Stage 1: from a language model's reply to a validated plan."""
