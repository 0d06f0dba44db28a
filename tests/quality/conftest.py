"""The repositories that changes are judged in have tests of their own: they are not ours."""

from tests.proven import proven_once  # noqa: F401  a fixture for all

collect_ignore = ["guard/roomplan", "guard/shopkit"]
