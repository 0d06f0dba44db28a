from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.instruments.equivalence.targets import read_version, version_of


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "shop"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "prices.py").write_text("class Tax:\n    def of(self, n):\n        return n\n")
    (tmp_path / "old.py").write_text("def f(n):\n    return n\n")
    (tmp_path / "uses.py").write_text("import old\ndef f(n):\n    return old.f(n)\n")
    return tmp_path


def test_a_file_by_its_path(package: Path) -> None:
    version = read_version(f"{package}/old.py:f", package)
    assert (version.qualname, version.roots, version.source[:5]) == ("f", (), "def f")


def test_a_module_of_the_repository(package: Path) -> None:
    version = read_version("shop.prices:Tax.of", package)
    assert version.module == "shop.prices"
    assert version.roots == (str(package / "src"),)


def test_a_file_with_relatives_shows_their_folder(package: Path) -> None:
    assert read_version(f"{package}/uses.py:f", package).roots == (str(package),)


def test_both_standalone_versions_have_one_name() -> None:
    assert version_of("def f(): ...", "f").module == version_of("x = 1", "x").module


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ("old.py", "expected FILE.py:callable"),
        ("old.py:f(1)", "expected FILE.py:callable"),
        ("missing.py:f", "cannot read 'missing.py'"),
        ("shop.nothing:f", "no module 'shop.nothing'"),
        ("shop.prices:Tax.none", "no function or class 'Tax.none'"),
        ("a-b:f", "expected FILE.py:callable"),
    ],
)
def test_what_cannot_be_read_is_named(package: Path, target: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint.replace(".", r"\.").replace("(", r"\(")):
        read_version(target, package)


def test_what_is_not_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def f(:\n")
    with pytest.raises(UsageError, match="is not Python"):
        read_version(f"{tmp_path}/bad.py:f", tmp_path)
