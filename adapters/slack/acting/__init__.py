"""What people do in Slack, passed on to the conversation."""
