"""Stage 4: from the outcomes of the tasks to the answer."""
