"""The repositories that changes are judged in have tests of their own: they are not ours."""

from tests.proven import proofs_of_the_run, proven_once  # noqa: F401  fixtures for all

collect_ignore = ["guard/roomplan", "guard/shopkit"]
