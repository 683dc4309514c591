"""Stage 2: which models may run a task, and which is the best."""
