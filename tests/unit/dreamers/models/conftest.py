"""An endpoint for the tests of the client."""

from collections.abc import Iterator

import pytest

from reverie.testing.model_endpoint import Endpoint, open_endpoint


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with open_endpoint() as opened:
        yield opened
