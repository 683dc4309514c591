"""From a request, typed, spoken or repeated, through the four stages to its answer."""
