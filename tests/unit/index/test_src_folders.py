"""A folder `src` is a place for packages, whatever lies in it, unless code imports it."""

from pathlib import Path

import pytest

from reverie.index.naming import import_root_of
from reverie.instruments.mutation.project import find_project


def lay(root: Path, test: str) -> Path:
    for name, text in {
        "pyproject.toml": '[project]\nname = "shop"\n',
        "src/__init__.py": "",
        "src/shop/__init__.py": "",
        "src/shop/prices.py": "def price(count):\n    return 2 * count\n",
        "tests/test_prices.py": test,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("test", "root", "package"),
    [("from shop.prices import price\n", "src", "shop"),
     ("from src.shop.prices import price\n", ".", "src")],
)  # fmt: skip
def test_what_is_imported_decides(tmp_path: Path, test: str, root: str, package: str) -> None:
    repository = lay(tmp_path, test)
    assert import_root_of(repository / "src/shop/prices.py") == repository / root
    assert find_project(repository).packages == (package,)
