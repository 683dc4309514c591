"""Files of rows: `troupe plan --batch`, `troupe plan --read` and `troupe evaluate`."""
