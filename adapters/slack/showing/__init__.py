"""What we have to show, as messages and blocks of Slack's."""
