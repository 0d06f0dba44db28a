import ast
from pathlib import Path

import pytest

from reverie.dreamers.enrich.writing.subject import internal_names, shown_names

SOURCE = """
class Reader: ...
class Binding: ...
def parse_key(reader): return Reader()
def parse(text): return parse_key(Reader()), Binding()
"""


@pytest.mark.parametrize(
    ("front", "expected"),
    [("from .main import load\n", {"Reader", "parse_key"}), ("", set())],
)
def test_what_only_its_own_module_uses_is_internal_where_a_package_shows_others(
    tmp_path: Path, front: str, expected: set[str]
) -> None:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(front)
    (package / "main.py").write_text("from .parser import parse\n")
    (package / "parser.py").write_text(SOURCE)
    (tmp_path / "README.md").write_text("A `Binding` is a key with its value.")
    (tmp_path / "CHANGES.md").write_text("- parse_key of the urllib was replaced")
    found = internal_names(ast.parse(SOURCE), package / "parser.py", tmp_path)
    assert found == expected


def test_what_all_names_is_shown(tmp_path: Path) -> None:
    source = f"__all__ = ['parse']\n{SOURCE}"
    (tmp_path / "parser.py").write_text(source)
    assert shown_names(ast.parse(source)) == {"parse"}
    found = internal_names(ast.parse(source), tmp_path / "parser.py", tmp_path)
    assert found == {"Reader", "Binding", "parse_key"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("A Reader is somebody who reads.", {"Reader", "parse_key"}),
        ("Make a `Reader` first.", {"parse_key"}),
        ("Reader(text) makes one.", {"parse_key"}),
        ("from parser import Reader", {"parse_key"}),
    ],
)
def test_a_plain_word_of_a_text_names_no_class(
    tmp_path: Path, said: str, expected: set[str]
) -> None:
    source = f"__all__ = ['parse', 'Binding']\n{SOURCE}"
    (tmp_path / "parser.py").write_text(source)
    (tmp_path / "README.md").write_text(said)
    assert internal_names(ast.parse(source), tmp_path / "parser.py", tmp_path) == expected
