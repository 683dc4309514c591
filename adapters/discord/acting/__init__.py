"""What people do in Discord, passed on to the conversation; and the replies."""
