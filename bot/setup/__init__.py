"""The set-up: what is configured, what more there could be, and how to turn it on or back off.

`room` is behind the page's panel, `terminal` behind `troupe setup`. Both check live by the doctor's
checks before anything is written.
"""
