"""What the path of a file says about it."""

from functools import lru_cache

_TEST_FOLDERS = frozenset({"tests", "test", "testing"})


@lru_cache(maxsize=4096)
def is_test_path(path: str) -> bool:
    """Whether a file is a test by its name, or lies in a folder of tests."""
    *folders, name = path.split("/")
    is_named_so = name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
    return is_named_so or not _TEST_FOLDERS.isdisjoint(folders)
