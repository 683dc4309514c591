"""No test waits for a timer: Discord and the adapter run in one loop."""

import pytest

from tests.fakes.clock import SkippingLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, type[SkippingLoop]]:
    return {"skipping": SkippingLoop}
