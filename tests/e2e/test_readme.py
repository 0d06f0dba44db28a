"""What the pages show is what happens."""

import ast
import asyncio
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest


def blocks(root: Path, kind: str, page: str = "docs/tour.md") -> list[str]:
    text = (root / page).read_text("utf-8")
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def run(source: str) -> None:
    code = compile(source, "example", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

    async def execute() -> None:
        pending = eval(code, {})
        if inspect.isawaitable(pending):
            await pending

    asyncio.run(execute())


def test_the_python_examples(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    dream, workflow = blocks(root, "python")
    run(dream)
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "runtime_error ZeroDivisionError: division by zero"
    assert printed[0] in dream
    assert printed[1].startswith("Decide what a divisor of zero means before dividing.")
    run(workflow)
    assert capsys.readouterr().out.startswith("success [")


def test_the_page_on_python(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first two need a repository: `test_cycle.py` and `test_writing.py` run what they show."""
    _, _, sandbox, equivalence, enriching, validator = blocks(root, "python", "docs/python.md")
    monkeypatch.chdir(tmp_path)
    run(enriching)
    assert capsys.readouterr().out == "prices 1.0 True\n"
    run(sandbox)
    assert capsys.readouterr().out == "success 42\n"
    run(equivalence)
    assert capsys.readouterr().out.startswith("different share(")
    run(validator)
    assert capsys.readouterr().out.startswith("False [")


def test_the_check(
    root: Path, cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shown,) = (each for each in blocks(root, "console") if "reverie check" in each)
    line, _, answer = shown.partition("\n")
    (tmp_path / "generated.py").write_text("import os\n\nos.system('ls')\n")
    monkeypatch.chdir(tmp_path)
    ran = cli(*line.removeprefix("$ reverie ").split())
    assert (ran.code, ran.out) == (1, answer)


def test_the_request(root: Path, tmp_path: Path) -> None:
    import json
    import subprocess
    import sys

    (shown,) = (each for each in blocks(root, "console") if "reverie exec" in each)
    request = re.search(r"echo '(.*?)'", shown, re.DOTALL)
    assert request is not None
    ran = subprocess.run(
        [sys.executable, "-m", "reverie", "exec", "--request", "-"],
        input=request[1],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert json.loads(ran.stdout)["output"] == 42
    head = shown.partition("reverie exec --request -\n")[2].replace("\n", " ")
    assert head.startswith('{"outcome": "success", "error_category": null, "output": 42,')
