"""How the app is connected: workspaces, their tokens, and the requests of Slack's."""
