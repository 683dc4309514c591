"""The company's certificate as a file."""

from pathlib import Path

import pytest

from tests.servers.proxy import authority


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PEM file with the certificate of the company's authority."""
    file: Path = tmp_path_factory.mktemp("authority") / "company.pem"
    authority().cert_pem.write_to_path(str(file))
    return str(file)
