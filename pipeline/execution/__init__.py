"""Stage 3: run the steps of a plan as soon as their inputs are ready."""
