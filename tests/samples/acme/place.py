"""The place `acme`."""

from pipeline.domain import Place

ACME = Place(name="acme", enabled_by="ACME_KEY", pages="https://acme.example/models")
