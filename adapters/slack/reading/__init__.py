"""What Slack sends, as values of ours."""
