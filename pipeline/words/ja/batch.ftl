# Files of rows on the command line: `troupe plan --batch`, `troupe plan --read`, `troupe evaluate`.
