"""Passes on what people do: messages, commands, buttons, forms; and replies."""
