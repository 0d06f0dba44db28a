from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.instruments.benchmark.target import (
    generated_inputs,
    inputs_from_calls,
    inputs_from_expression,
    parse_target,
)
from reverie.model.call import Call, Expression


def test_a_file_is_imported_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text("")
    target = parse_target(f"{tmp_path}/old.py:Thing.run")
    assert (target.module, target.root, target.attribute) == ("old", str(tmp_path), "Thing.run")


def test_a_module_of_a_package_keeps_its_name(tmp_path: Path) -> None:
    package = tmp_path / "pkg" / "inner"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").write_text("")
    (package / "fast.py").write_text("")
    assert parse_target(f"{package}/fast.py:f").module == "pkg.inner.fast"
    assert parse_target(f"{package}/fast.py:f").root == str(tmp_path)
    assert parse_target(f"{package}/__init__.py:f").module == "pkg.inner"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("old.py", "expected FILE:callable, not 'old.py'"),
        (":f", "expected FILE:callable"),
        ("old.py:", "expected FILE:callable"),
        ("old.py:f()", "expected FILE:callable"),
        ("nowhere.py:f", "no such file: 'nowhere.py'"),
        ("pyproject.toml:f", "not a Python file"),
    ],
)
def test_a_target_that_is_none_is_named(text: str, complaint: str, root: Path) -> None:
    given = f"{root}/{text}" if text.startswith("pyproject") else text
    with pytest.raises(UsageError, match=complaint):
        parse_target(given)


def test_only_the_file_is_shown_where_its_folder_is_too_wide() -> None:
    path = Path("/tmp/reverie_bench_target.py")
    path.write_text("")
    try:
        assert parse_target(f"{path}:f").shown == str(path)
    finally:
        path.unlink()


def test_the_folder_is_shown_where_that_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text("")
    assert parse_target(f"{tmp_path}/old.py:f").shown == str(tmp_path)


def test_a_call_gives_its_arguments() -> None:
    inputs = inputs_from_expression("module.f(list(range(n)), *more, key=seed)")
    assert inputs.sources == ("_given(list(range(n)), *more, key=seed)",)


@pytest.mark.parametrize("text", ["f", "1 +", "f(1); g()", "(" * 300, ""])
def test_what_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--call"):
        inputs_from_expression(text)


def test_generated_calls_keep_what_they_need() -> None:
    price = Expression("decimal.Decimal('1.5')", frozenset({"decimal"}))
    inputs = inputs_from_calls([Call((price,), (("n", Expression("3")),), Expression("Till()"))])
    assert inputs.sources == ("_given(Till(), decimal.Decimal('1.5'), n=3)",)
    assert inputs.preamble == "import decimal"


def test_inputs_are_made_from_the_source_alone(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text("raise SystemExit\ndef f(a: int, b: str = '') -> int: ...\n")
    inputs = generated_inputs(parse_target(f"{tmp_path}/old.py:f"), seed=1)
    assert len(inputs.sources) > 10
    assert inputs == generated_inputs(parse_target(f"{tmp_path}/old.py:f"), seed=1)


@pytest.mark.parametrize("source", ["def g(): ...", "def f(:", "\0"])
def test_a_source_without_the_callable_is_named(tmp_path: Path, source: str) -> None:
    (tmp_path / "old.py").write_text(source)
    with pytest.raises(UsageError):
        generated_inputs(parse_target(f"{tmp_path}/old.py:f"), seed=1)
