"""Authors in a night, through the command line: asked, refused, mended, promoted; or contained."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.testing.model_endpoint import open_endpoint, openai_says

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
    with pytest.raises(ValueError, match="count"):
        price(-1)
"""
WRONG = "from shop import price\n\n\ndef test_price_of_nothing():\n    assert price(0) == 1\n"
AGENT = f"""import json, pathlib, subprocess, sys
task = pathlib.Path(sys.argv[1]).read_text()
place = pathlib.Path("tests/test_price.py")


def checked():
    line = ["reverie", "check-work", "--json"]
    ran = subprocess.run(line, capture_output=True, text=True)
    return ran.returncode, json.loads(ran.stdout)


log = pathlib.Path(sys.argv[2])
if "Your last answer was refused" not in task:
    assert "Mutants that no test notices" in task
    assert "What it is held to" in task
    place.write_text({WRONG!r})
    log.write_text(json.dumps(checked()) + "\\n")  # it is told, and hands it in all the same
else:
    assert "test_price_of_nothing" in task
    place.write_text({HONEST!r})
    with log.open("a") as stream:
        stream.write(json.dumps(checked()) + "\\n")
print("TITLE: Test what a price cannot be")
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "shop.py").write_text(CODE)
    (folder / "tests" / "test_shop.py").write_text(TEST)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for line in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "base"]):
        subprocess.run([*git, *line], cwd=folder, check=True)
    return folder


def agent_variables(program: Path, *more: str) -> dict[str, str]:
    command = shlex.join((sys.executable, str(program), "{task}", *more))
    return {
        "REVERIE_MODELS_PROTOCOL": "agent",
        "REVERIE_MODELS_AGENT_COMMAND": command,
        "PATH": os.environ["PATH"],
        "HOME": str(program.parent),
    }


def test_an_agent_reads_checks_is_refused_repairs_and_passes(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    program, log = tmp_path / "agent.py", tmp_path / "log"
    program.write_text(AGENT)
    # In executions: an agent that waits for a busy machine is not cut off.
    line = ("run", "--authors", "model", "--stage", "A", "--executions", "2000", "--json")
    ran = cli(*line, "--repo", str(shop), environ=agent_variables(program, str(log)))
    assert ran.code == 0, ran.err
    (mine,) = (each for each in ran.document["promotions"] if each["author"] == "model")
    assert mine["title"] == "Test what a price cannot be"
    checks = [json.loads(each) for each in log.read_text().splitlines()]
    assert [(code, each["verdict"]) for code, each in checks] == [(1, "reject"), (0, "promote")]
    assert any("test_price_of_nothing" in each for each in checks[0][1]["advice"])
    shown = subprocess.run(
        ["git", "show", f"{mine['commit']}:tests/test_price.py"], cwd=shop, capture_output=True
    )
    assert shown.stdout.decode() == HONEST
    assert ran.document["verdicts"]["reject"] >= 1


def test_an_agent_that_lies_is_refused_and_the_night_says_so(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    program = tmp_path / "agent.py"
    program.write_text(
        "import pathlib\n"
        "pathlib.Path('tests/test_shop.py').write_text('def test_two():\\n    assert True\\n')\n"
        "print('TITLE: All tests pass and everything was verified')\n"
    )
    line = ("run", "--authors", "model", "--stage", "A", "--budget", "60s", "--json")
    ran = cli(*line, "--repo", str(shop), environ=agent_variables(program))
    assert ran.code == 0, ran.err
    assert all(each["author"] != "model" for each in ran.document["promotions"])
    assert ran.document["verdicts"]["reject"] == 1
    assert (shop / "tests" / "test_shop.py").read_text() == TEST


def test_a_night_with_a_model_reproduces_from_its_tape_without_a_network(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    line = ("run", "--stage", "A", "--budget", "120s", "--fresh", "--json", "--repo", str(shop))
    with open_endpoint() as endpoint:
        endpoint.script = [openai_says("Sorry."), openai_says(f"```python\n{HONEST}```")]
        environ = {
            "REVERIE_MODELS_PROTOCOL": "openai",
            "REVERIE_MODELS_ENDPOINT": endpoint.url,
            "REVERIE_MODELS_NAME": "small",
            "REVERIE_MODELS_CACHE": "false",
            "SHOP_API_TOKEN": "hush-hush-hush",
            "OPENAI_API_KEY": "sk-not-to-be-seen-anywhere",
        }
        first = cli(*line, "--authors", "model", environ=environ)
        assert len(endpoint.asked) == 2
        assert "could not be used" in endpoint.asked[1]["messages"][1]["content"]
    (tape,) = (shop / ".reverie" / "tapes").glob("*.jsonl")
    assert "sk-not-to-be-seen" not in tape.read_text()
    replayed = cli(*line, "--authors", "model", "--replay", str(tape), environ=environ)
    mine = [
        [each["dream"] for each in ran.document["promotions"] if each["author"] == "model"]
        for ran in (first, replayed)
    ]
    assert len(mine[0]) == 1
    assert mine[0] == mine[1]


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(cli: Callable, shop: Path) -> None:
    with open_endpoint() as endpoint:
        environ = {
            "REVERIE_MODELS_PROTOCOL": "openai",
            "REVERIE_MODELS_ENDPOINT": endpoint.url,
            "REVERIE_MODELS_NAME": "small",
        }
        line = ("run", "--authors", "all", "--stage", "A", "--dry-run", "--json")
        ran = cli(*line, "--repo", str(shop), environ=environ)
        assert not endpoint.asked
    (task,) = ran.document["tasks"]
    assert (task["author"], task["stage"], task["module"]) == ("model", "A", "shop")
    assert "raise ValueError" in task["text"]
    assert not (shop / ".reverie" / "tapes").exists()


def test_a_task_says_where_tests_belong_that_would_not_be_run_elsewhere(
    cli: Callable, shop: Path
) -> None:
    (shop / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests/test_shop.py"]\n'
    )
    commit = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qam", "x"]
    subprocess.run(commit, cwd=shop, check=True)
    environ = {"REVERIE_MODELS_PROTOCOL": "openai", "REVERIE_MODELS_NAME": "small"}
    line = ("run", "--authors", "all", "--stage", "A", "--dry-run", "--json")
    (task,) = cli(*line, "--repo", str(shop), environ=environ).document["tasks"]
    assert "pytest runs no new file, only tests/test_shop.py" in task["text"]


@pytest.mark.parametrize(
    ("authors", "code", "why"),
    [
        ("claude", 2, "there is no author 'claude'"),
        ("model", 1, "models.protocol is off"),
        ("a b", 2, "cycle.authors"),
    ],
)
def test_an_author_that_nobody_added_is_named(
    cli: Callable, shop: Path, authors: str, code: int, why: str
) -> None:
    ran = cli("run", "--authors", authors, "--stage", "A", "--repo", str(shop))
    assert ran.code == code
    assert why in ran.err


def test_a_repository_does_not_say_who_takes_part(cli: Callable, shop: Path) -> None:
    (shop / "pyproject.toml").write_text('[tool.reverie.cycle]\nauthors = "all"\n')
    ran = cli("config", "--repo", str(shop), "--json")
    assert ran.code == 0
    assert "cycle.authors" in ran.err
    assert "a file of the repository cannot set this" in ran.err


def test_authors_are_kept_by_the_user_without_their_keys(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "ANTHROPIC_API_KEY": "sk-hush-hush"}
    repo = ("--repo", str(shop), "--json")
    assert cli("authors", "list", *repo, environ=environ).code == 1
    added = cli("authors", "add", "claude", "--preset", "claude", *repo, environ=environ)
    assert (added.code, added.document["has_key"]) == (0, True)
    again = ("authors", "add", "claude", "--preset", "claude", "--replace", "--repo", str(shop))
    bare = {**environ, "PATH": str(tmp_path)}
    assert "the program 'claude' is not there" in cli(*again, environ=bare).out
    line = ("authors", "add", "local", "--model", "qwen", "--endpoint", "http://127.0.0.1:9/v1")
    assert cli(*line, "--stages", "ac", "--most-calls", "7", *repo, environ=environ).code == 0
    found = cli("authors", "list", *repo, environ=environ).document["authors"]
    assert [(each["name"], each["stages"]) for each in found] == [
        ("claude", "ABC"),
        ("local", "AC"),
    ]
    assert found[1]["budget"]["calls"] == 7
    place = Path(added.document["file"])
    assert place.stat().st_mode & 0o077 == 0
    assert "sk-hush" not in place.read_text()
    assert not place.is_relative_to(shop)
    again = cli(*line, *repo, environ=environ)
    assert (again.code, "already" in again.err) == (2, True)
    shown = cli("authors", "show", "local", *repo, environ=environ).document
    assert (shown["settings"]["name"], shown["here"]) == ("qwen", {})
    assert cli("authors", "remove", "claude", *repo, environ=environ).code == 0
    assert cli("authors", "show", "claude", *repo, environ=environ).code == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("x",), "say who it is"),
        (("x", "--preset", "nobody"), "--preset takes"),
        (("all", "--model", "m"), "'all' is taken"),
        (("a b", "--model", "m"), "no name of an author"),
        (("x", "--command", "agent"), "no {task}"),
        (("x", "--model", "m", "--stages", "AX"), "stages are letters"),
        (("x", "--model", "m", "--endpoint", "ftp://x"), "endpoint"),
        (("x", "--model", "m", "--most-calls", "-1"), "most_calls"),
    ],
)
def test_an_author_that_cannot_be_is_one_line(
    cli: Callable, shop: Path, tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    ran = cli("authors", "add", *arguments, "--repo", str(shop), environ=environ)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert not (tmp_path / "config" / "reverie" / "authors.toml").exists()


def test_an_author_is_tried_on_a_module_that_is_nobodys(
    cli: Callable, shop: Path, tmp_path: Path
) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "PATH": os.environ["PATH"]}
    repo = ("--repo", str(shop), "--json")
    program = tmp_path / "agent.py"
    program.write_text(
        "import pathlib, sys\n"
        "assert 'shop' not in pathlib.Path(sys.argv[1]).read_text()\n"
        "pathlib.Path('tests/test_more.py').write_text('def test_x():\\n    assert 1\\n')\n"
    )
    command = shlex.join((sys.executable, str(program), "{task}"))
    cli("authors", "add", "robot", "--command", command, *repo, environ=environ)
    cli("authors", "add", "mute", "--program", "false", *repo, environ=environ)
    ran = cli("authors", "test", "robot", *repo, environ=environ)
    assert (ran.code, ran.document["files"]) == (0, ["tests/test_more.py"])
    mute = cli("authors", "test", "mute", *repo, environ=environ)
    assert (mute.code, mute.document["answers"]) == (1, False)
    assert "no answer" in mute.document["problem"]
