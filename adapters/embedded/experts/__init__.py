"""Embedded experts: libraries whose ordinary install already does the job, in worker processes.

Imports nothing here, since worker processes import what they need of it.
"""
