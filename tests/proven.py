"""Instruments that prove themselves once for all tests of one process."""

from collections.abc import Iterator

import pytest

from reverie.instruments import self_check

_PASSED: self_check.Passed = {}


@pytest.fixture(scope="module", autouse=True)
def proven_once() -> Iterator[None]:
    """An instrument that has proven itself in this process is believed by all modules that ask.

    A proof takes seconds, and every command asks for its own. Tests of proofs come in the same
    process: for them nothing is known.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(self_check, "passed_with", lambda sandbox: _PASSED)
        yield
