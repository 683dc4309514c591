"""What Discord sends, as values of ours."""
