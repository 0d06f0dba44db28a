"""What the tests with the real sandbox share."""

from tests.proven import proven_once  # noqa: F401  a fixture for all
