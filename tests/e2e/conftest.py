"""What the tests with the real sandbox share."""

from tests.proven import proven_once, told  # noqa: F401  fixtures for all
