"""What the pages show is what happens."""

import ast
import asyncio
import inspect
import re
from collections.abc import Callable
from pathlib import Path

import pytest

PYTHON = "docs/reference/python.md"
AGENTS = "docs/guides/models_and_agents.md"


def block(root: Path, kind: str, page: str, holding: str) -> str:
    """The one example of a page that holds some words."""
    text = (root / page).read_text("utf-8")
    (found,) = (
        each for each in re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) if holding in each
    )
    return str(found)


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
    dream = block(root, "python", PYTHON, "DreamSandbox")
    workflow = block(root, "python", PYTHON, "WorkflowSandboxRunner")
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
    """The first one needs a repository: `test_cycle.py` runs what it shows."""
    monkeypatch.chdir(tmp_path)
    run(block(root, "python", PYTHON, "import enrich"))
    assert capsys.readouterr().out == "prices 1.0 True\n"
    run(block(root, "python", PYTHON, "import Call"))
    assert capsys.readouterr().out == "success 42\n"
    run(block(root, "python", PYTHON, "import check_equivalence"))
    assert capsys.readouterr().out.startswith("different share(")
    run(block(root, "python", PYTHON, "import CodeValidator"))
    assert capsys.readouterr().out.startswith("False [")


def test_the_check(
    root: Path, cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = block(root, "console", AGENTS, "reverie check")
    line, _, answer = shown.partition("\n")
    (tmp_path / "generated.py").write_text("import os\n\nos.system('ls')\n")
    monkeypatch.chdir(tmp_path)
    ran = cli(*line.removeprefix("$ reverie ").split())
    assert (ran.code, ran.out) == (1, answer)


def test_the_request(root: Path, tmp_path: Path) -> None:
    import json
    import subprocess
    import sys

    shown = block(root, "console", AGENTS, "reverie exec").partition("$ reverie history")[0]
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
