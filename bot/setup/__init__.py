"""The set-up: what is configured, what more there could be, and how to turn it on or back off.

`panel` is behind *Do more* on the page, `terminal` behind `troupe setup`. Before anything is
written, both test it with the checks of the doctor.
"""
