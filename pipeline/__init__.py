"""HuggingGPT itself: values, ports and the four stages, free of any vendor."""
