"""The embedded expert, at work in this process: native libraries are loaded once for all tests."""

import pytest

from adapters.embedded.experts.expert import EmbeddedExpert
from tests.fakes.outside import FakeWorkers


@pytest.fixture
def expert() -> EmbeddedExpert:
    return EmbeddedExpert(FakeWorkers())
