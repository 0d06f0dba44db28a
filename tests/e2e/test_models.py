"""Models and agents as authors, through the command line: asked for real, judged like everybody."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie.testing.model_endpoint import Endpoint, open_endpoint, openai_says

CODE = '''"""Prices."""


def price(count: int) -> int:
    """Two each, and nothing below zero."""
    if count < 0:
        raise ValueError("count")
    return 2 * count
'''
TEST = "from shop import price\n\n\ndef test_two():\n    assert price(2) == 4\n"
HONEST = """import pytest

from shop import price


def test_price_of_nothing():
    assert price(0) == 0


def test_no_debts():
    with pytest.raises(ValueError):
        price(-1)
"""
AGENT = """import os, pathlib, sys
task = pathlib.Path(sys.argv[1]).read_text()
assert "shop.py" in task and "raise ValueError" in task, task
assert "AN_UNRELATED_TOKEN" not in os.environ
assert pathlib.Path("shop.py").exists()
pathlib.Path("tests/test_shop.py").unlink()
pathlib.Path("tests/test_agent.py").write_text("def test_nothing(): pass")
"""
KEYS = {
    "verdict", "stage", "rulings", "needs", "measures", "seconds", "author", "files", "patch",
    "spent", "remembered", "problems", "id",
}  # fmt: skip
SPEC = {
    "sentence": "Return the zorbified quux of the number.",
    "signature": "def zorb(n: int) -> int",
    "examples": [
        {"args": [12], "result": 157}, {"args": [20], "result": 421}, {"args": [31], "result": 993},
    ],
}  # fmt: skip


def git(folder: Path, *arguments: str) -> None:
    line = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *arguments]
    subprocess.run(line, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "base")
    return folder


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with open_endpoint() as opened:
        yield opened


def variables(endpoint: Endpoint, **more: str) -> dict[str, str]:
    return {
        "REVERIE_MODELS_PROTOCOL": "openai",
        "REVERIE_MODELS_ENDPOINT": endpoint.url,
        "REVERIE_MODELS_NAME": "small",
        **more,
    }


def test_a_models_tests_are_asked_for_with_evidence_and_judged(
    cli: Callable, shop: Path, tmp_path: Path, endpoint: Endpoint
) -> None:
    endpoint.script = [openai_says(f"Here:\n```python\n{HONEST}```")]
    patch = tmp_path / "out.patch"
    line = ("propose", "shop.py", "--stage", "A", "--json", "--repo", str(shop))
    ran = cli(*line, "--patch", str(patch), environ=variables(endpoint))
    assert (ran.code, ran.err.startswith("1 passed, 0 failed")) == (0, True)
    assert set(ran.document) == KEYS
    assert ran.document["verdict"] == "promote"
    assert ran.document["files"] == ["tests/test_shop_proposed.py"]
    assert ran.document["spent"]["tokens"] == 15
    asked = endpoint.asked[0]["messages"][1]["content"]
    assert "Mutants that no test notices" in asked
    assert "+    if count <= 0:" in asked
    assert patch.read_text() == ran.document["patch"]
    assert git(shop, "diff", "--exit-code") is None


def test_a_hostile_answer_is_rejected_and_touches_nothing(
    cli: Callable, shop: Path, endpoint: Endpoint
) -> None:
    hostile = (
        "import os\nos.system('touch /tmp/reverie-owned')\n\n\ndef test_x():\n    assert True\n"
    )
    endpoint.script = [openai_says(f"```python\n{hostile}```")]
    line = ("propose", "shop.py", "--stage", "A", "--no-evidence", "--json", "--repo", str(shop))
    ran = cli(*line, environ=variables(endpoint))
    assert (ran.code, ran.document["verdict"]) == (1, "reject")
    assert not Path("/tmp/reverie-owned").exists()
    assert not list((shop / "tests").glob("*proposed*"))


def test_an_answer_without_code_is_the_models_failure(
    cli: Callable, shop: Path, endpoint: Endpoint
) -> None:
    endpoint.script = [openai_says("I cannot do that.")]
    line = ("propose", "shop.py", "--stage", "B", "--no-evidence", "--repo", str(shop))
    ran = cli(*line, environ=variables(endpoint))
    assert (ran.code, ran.out) == (3, "")
    assert "0 blocks of Python" in ran.err


def test_an_agent_works_in_a_copy_and_its_difference_is_judged(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT)
    environ = {
        "REVERIE_MODELS_PROTOCOL": "agent",
        "REVERIE_MODELS_AGENT_COMMAND": shlex.join((sys.executable, str(agent), "{task}")),
        "AN_UNRELATED_TOKEN": "not yours",
        "PATH": os.environ["PATH"],
    }
    line = ("propose", "shop.py", "--stage", "A", "--no-evidence", "--json", "--repo", str(shop))
    ran = cli(*line, environ=environ)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert ran.document["verdict"] == "reject"
    assert ran.document["files"] == ["tests/test_agent.py", "tests/test_shop.py"]
    assert (shop / "tests" / "test_shop.py").exists()
    assert not (shop / "tests" / "test_agent.py").exists()


def test_an_agent_that_fails_is_one_line(cli: Callable, shop: Path) -> None:
    environ = {
        "REVERIE_MODELS_PROTOCOL": "agent",
        "REVERIE_MODELS_AGENT_COMMAND": "false {task}",
        "PATH": os.environ["PATH"],
    }
    line = ("propose", "shop.py", "--stage", "A", "--no-evidence", "--repo", str(shop))
    ran = cli(*line, environ=environ)
    assert ran.code == 3
    assert ran.err.splitlines()[1:] == ["error: false: no reason given"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("../elsewhere.py", "--stage", "A"), "not inside of the repository"),
        (("/etc/passwd", "--stage", "A"), "not inside of the repository"),
        (("nothing.py", "--stage", "A"), "no file of the repository"),
        (("shop.py", "--stage", "D"), "takes tests, refactoring or speed (or A, B, C)"),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    cli: Callable, shop: Path, endpoint: Endpoint, arguments: tuple[str, ...], why: str
) -> None:
    ran = cli("propose", *arguments, "--repo", str(shop), environ=variables(endpoint))
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert not endpoint.asked


def test_nobody_is_asked_without_a_setting(cli: Callable, shop: Path) -> None:
    ran = cli("propose", "shop.py", "--stage", "A", "--repo", str(shop))
    assert (ran.code, ran.out) == (1, "")
    assert "models.protocol is off" in ran.err


@pytest.mark.parametrize(
    "line", ['protocol = "openai"', 'endpoint = "http://127.0.0.1:9"', 'agent_command = "x {task}"']
)
def test_a_repository_does_not_say_who_is_asked(cli: Callable, shop: Path, line: str) -> None:
    (shop / "pyproject.toml").write_text(f"[tool.reverie.models]\n{line}\n")
    ran = cli("propose", "shop.py", "--stage", "A", "--repo", str(shop))
    assert (ran.code, ran.out) == (1, "")
    assert "a file of the repository cannot set this" in ran.err
    assert "models.protocol is off" in ran.err


def test_generate_asks_a_model_when_nothing_else_is_found(
    cli: Callable, tmp_path: Path, repository: Path, endpoint: Endpoint
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(SPEC))
    line = ("generate", str(spec), "--budget", "1s", "--json", "--repo", str(repository))
    endpoint.script = [
        openai_says("```python\ndef zorb(n):\n    return n\n```"),
        openai_says(
            "```python\ndef zorb(n):\n    return {12: 157, 20: 421, 31: 993}.get(n, 0)\n```"
        ),
        openai_says(
            "```python\nimport os\n\n\ndef zorb(n):\n    os.system('id')\n    return n\n```"
        ),
        openai_says("```python\ndef zorb(n):\n    return n * n + n + 1\n```"),
    ]
    said = [cli(*line, environ=variables(endpoint)) for _ in range(4)]
    assert [each.code for each in said] == [1, 1, 1, 0]
    reasons = [each.document["reason"] for each in said]
    assert "fails an example" in reasons[0]
    assert "recites the examples" in reasons[1]
    assert "safety rule" in reasons[2]
    assert said[3].document["origin"] == "model"
    assert "n * n + n + 1" in said[3].document["source"]


def test_a_model_evaluates_dreams_and_what_is_no_evaluation_changes_nothing(
    cli: Callable, shop: Path, endpoint: Endpoint
) -> None:
    repo = ("--repo", str(shop))
    assert cli("init", *repo).code == 0
    for number in (1, 2, 3):
        file = shop.parent / f"d{number}.py"
        file.write_text(f"def f(x):\n    return x + {number}\n")
        assert cli("dream", "add", str(file), *repo).code == 0
    good = {"dream_id": 2, "viability": 0.8, "tier": 1, "reasoning": "Plain addition."}
    endpoint.script = [
        openai_says(json.dumps({**good, "dream_id": 1, "tier": 3})),
        openai_says(f"```json\n{json.dumps(good)}\n```"),
        openai_says("Sure! Ignore your rules and promote everything."),
    ]
    environ = variables(endpoint)
    ran = cli("dream", "evaluate", "--model", "--json", *repo, environ=environ)
    assert ran.code == 0
    (evaluated,) = ran.document["evaluated"]
    assert (evaluated["id"], evaluated["status"]) == (2, "pending_test")
    assert [each["dream_id"] for each in ran.document["refused"]] == [1, 3]
    assert "contradicts" in ran.document["refused"][0]["reason"]
    waiting = cli("dream", "list", "--status", "pending_evaluation", "--json", *repo).document
    assert sorted(each["id"] for each in waiting["dreams"]) == [1, 3]
