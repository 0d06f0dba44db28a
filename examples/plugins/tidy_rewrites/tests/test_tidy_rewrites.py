"""The rewrites keep to the contract that Reverie ships."""

from typing import Any

import pytest
from tidy_rewrites import FILE

from reverie.testing.rewrites import RewriteContract


class TestTidyRewrites(RewriteContract):
    """Both rewrites of the file."""

    @pytest.fixture
    def file(self) -> Any:
        """The file that the entry point names."""
        return FILE
