"""The pytest plugin stands alone: it also runs where Reverie is not installed."""

import ast
import sys
from pathlib import Path

ALLOWED = {*sys.stdlib_module_names, "pytest", "reverie_pytest", "time_machine"}


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


def test_the_plugin_imports_the_standard_library_and_pytest_only(root: Path) -> None:
    files = list((root / "src" / "reverie_pytest").rglob("*.py"))
    assert len(files) > 10
    for path in files:
        assert imported(path) <= ALLOWED, path.name


def test_what_children_and_the_journal_load_needs_no_pytest(root: Path) -> None:
    folder = root / "src" / "reverie_pytest"
    for name in ("__init__.py", "network.py", "signature.py", "child/sitecustomize.py"):
        assert imported(folder / name) <= set(sys.stdlib_module_names), name


def test_the_wheel_carries_the_plugin_and_registers_it(root: Path) -> None:
    import tomllib

    document = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    packages = document["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["src/reverie", "src/reverie_pytest"]
    entry_points = document["project"]["entry-points"]["pytest11"]
    assert entry_points == {"reverie_pytest": "reverie_pytest"}
