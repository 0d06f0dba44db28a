from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import find_target
from reverie.errors import UsageError


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "prices.py").write_text("def price():\n    return 1\n")
    (package / "broken.py").write_text("def (:\n")
    (package / "fast.py").write_text("x = 1\n")
    (package / "fast.cpython-311-x86_64-linux-gnu.so").write_bytes(b"")
    return tmp_path


def test_a_name_and_a_path_find_the_same_module(repository: Path) -> None:
    by_name = find_target("shop.prices", repository, None)
    by_path = find_target(str(repository / "src/shop/prices.py"), repository, None)
    assert by_name == by_path
    assert by_name.import_root == str(repository / "src")
    assert by_name.package == "shop"
    assert by_name.repository == str(repository)


def test_a_folder_with_an_init_is_a_module(repository: Path) -> None:
    assert find_target("src/shop", repository, None).module == "shop"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("shop.nothing", "no module 'shop.nothing'"),
        ("src/shop/nothing.py", "no such file"),
        ("shop-1", "neither a module's name nor a path"),
        ("shop.broken", "cannot be read as Python"),
        ("shop.fast", "is compiled here"),
    ],
)
def test_what_cannot_be_searched_is_named(repository: Path, named: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_target(named, repository, None)


def test_an_interpreter_that_is_not_there_is_named(repository: Path) -> None:
    with pytest.raises(UsageError, match="no such interpreter: '/nowhere/python'"):
        find_target("shop.prices", repository, "/nowhere/python")
