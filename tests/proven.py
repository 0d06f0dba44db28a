"""Instruments that prove themselves once for all tests of one process."""

from collections.abc import Iterator

import pytest

from reverie.instruments import proof


@pytest.fixture(scope="session", autouse=True)
def proven_once() -> Iterator[None]:
    """An instrument that has proven itself in this process is believed by all of its tests.

    A proof takes seconds, and every command asks for its own.
    """
    passed: proof.Passed = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "passed_with", lambda sandbox: passed)
        yield
