"""An expert server of our own: models from Hugging Face in worker processes, over HTTP."""
