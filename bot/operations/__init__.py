"""What operators run: the doctor, the status, backups."""
