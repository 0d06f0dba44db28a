"""What the tests with the real sandbox share."""

from tests.proven import proofs_of_the_run, proven_once  # noqa: F401  fixtures for all
