"""A random order of tests that is the same for the same seed.

Modules are shuffled, classes within them, tests within those: fixtures that modules and classes
share are still set up once. A test's place among its neighbours depends on its id and the seed
alone, so all workers of a run agree.
"""

from hashlib import blake2b

import pytest


def shuffle(items: list[pytest.Item], seed: int) -> None:
    """Put the items into the order of the seed, in place."""
    items.sort(key=lambda item: tuple(_rank(seed, part) for part in _path(item)))


def _path(item: pytest.Item) -> tuple[str, str, str]:
    module = item.getparent(pytest.Module)
    kind = item.getparent(pytest.Class)
    file = item.nodeid.partition("::")[0] if module is None else module.nodeid
    return file, "" if kind is None else kind.nodeid, item.nodeid


def _rank(seed: int, part: str) -> bytes:
    text = f"{seed} {part}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=8).digest()
