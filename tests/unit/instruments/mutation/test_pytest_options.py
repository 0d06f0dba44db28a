from pathlib import Path

import pytest

from reverie.instruments.mutation.project import read_options

KEPT = ("-o", "addopts=")
SPARED = ("-W", "default::pytest.PytestDeprecationWarning")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pytest.ini", "[pytest]\naddopts = {}\n"),
        ("tox.ini", "[pytest]\naddopts = {}\n"),
        ("setup.cfg", "[tool:pytest]\naddopts = {}\n"),
        ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = """{}"""\n'),
        ("pyproject.toml", '[tool.pytest]\naddopts = """{}"""\n'),
    ],
)
def test_options_that_spread_or_measure_tests_are_left_out(
    tmp_path: Path, file: str, text: str
) -> None:
    line = "-n auto --cov=x --doctest-modules -m 'not slow' -p no:randomly --import-mode=importlib"
    (tmp_path / file).write_text(text.format(line))
    options = read_options(tmp_path)
    assert options.arguments == (
        *KEPT, "--doctest-modules", "-m", "not slow", "--import-mode=importlib",
    )  # fmt: skip
    assert "-n" in options.left_out
    assert "--cov=x" in options.left_out


def test_strictness_about_plugins_that_are_left_out_is_lifted(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nrequired_plugins = pytest-cov\nstrict = true\ntestpaths = a b\n"
    )
    options = read_options(tmp_path)
    assert options.arguments == (*KEPT, "-o", "required_plugins=", "-o", "strict=false")
    assert options.testpaths == ("a", "b")


@pytest.mark.parametrize("text", ["", "[pytest", "\x00", "[other]\na = 1\n"])
def test_a_configuration_that_cannot_be_read_asks_for_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "pytest.ini").write_text(text)
    assert read_options(tmp_path).arguments == KEPT


def test_short_options_hold_their_values(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -mfast -kname -Werror -ra -q\n")
    kept = (*KEPT, "-m", "fast", "-k", "name", "-W", "error")
    assert read_options(tmp_path).arguments == (*kept, *SPARED)


def test_where_warnings_are_errors_those_of_newer_tools_are_none(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    assert read_options(tmp_path).arguments == (*KEPT, *SPARED)
