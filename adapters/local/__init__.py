"""Our own expert server: Hugging Face models in worker processes, over HTTP."""
