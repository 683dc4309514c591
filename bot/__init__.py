"""The running program: settings, wiring, the conversation, commands and the command line."""

VERSION = "0.1.0"
