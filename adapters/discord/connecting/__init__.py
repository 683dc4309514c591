"""The connection with Discord: login, commands, permissions, the doctor."""
