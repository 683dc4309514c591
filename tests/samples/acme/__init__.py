"""A provider of models as CONTRIBUTING describes it: what would be the package adapters/acme."""
