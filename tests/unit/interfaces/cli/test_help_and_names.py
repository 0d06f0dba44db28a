"""How commands are found and called: headings, other names, completion, repositories, paths."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import named_python, settle_places
from reverie.interfaces.cli.registry import COMMANDS, FIRST, HEADINGS, MEANT, OTHER_NAMES
from reverie.interfaces.cli.root import build_root
from reverie.model.outcome import counted
from reverie.model.settings.setting import parse_seconds

EIGHT = ("run", "report", "guard", "mutate", "fuzz", "verify", "serve", "doctor")


def leaves(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its whole name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def test_help_begins_with_the_eight_to_remember(cli: Callable) -> None:
    assert tuple(name for name, each in COMMANDS.items() if each.heading == FIRST) == EIGHT
    lines = cli("--help").out.splitlines()
    first = lines.index("Start here:")
    assert [line.split()[0] for line in lines[first + 1 : first + 9]] == list(EIGHT)
    shown = cli("--help").out
    assert all(heading in shown for heading in list(HEADINGS)[1:])
    assert all(f" {name}" in shown for name in COMMANDS)


def test_help_all_has_every_command_with_its_summary_and_every_shared_option(
    cli: Callable, golden: Callable
) -> None:
    shown = cli("--help-all").out
    golden("help-all.txt", shown)
    words = " ".join(shown.split())
    assert all(each.summary in words for each in COMMANDS.values())
    assert all(option in shown for option in ("--repo", "--json", "--log-file", "--help-all"))


def test_help_loads_no_command_and_no_library_but_click() -> None:
    code = (
        "import sys\n"
        "from reverie.interfaces.cli.boundary import run\n"
        "run(['--help'])\n"
        "heavy = {'rich', 'sqlalchemy', 'difflib', 'reverie.bootstrap', 'reverie.settings'}\n"
        "loaded = [m for m in sys.modules if m.startswith('reverie.interfaces.cli.commands.')]\n"
        "assert not loaded and not heavy & set(sys.modules), sorted(heavy & set(sys.modules))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE).returncode == 0


def test_other_names_and_hints_lead_to_commands_that_are_there() -> None:
    assert set(OTHER_NAMES.values()) <= set(COMMANDS)
    assert {each.split()[0] for each in MEANT.values()} <= set(COMMANDS)
    assert not set(MEANT) & set(COMMANDS)
    root = build_root()
    context = click.Context(root)
    for name, meant in OTHER_NAMES.items():
        assert root.get_command(context, name) is root.get_command(context, meant)


def test_every_command_takes_the_repository_in_the_same_way() -> None:
    for name, command in leaves(build_root()):
        options = {each for param in command.params for each in param.opts}
        assert "--repo" in options, name
        own = [each for each in command.params if isinstance(each, click.Argument)]
        assert own, f"{name} takes neither a repository nor anything else"


@pytest.mark.parametrize("command", ["cycles", "config", "report", "quality"])
def test_a_folder_names_the_repository(
    cli: Callable, repository: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.parent)
    by_argument = cli(command, "repository")
    by_option = cli(command, "--repo", "repository")
    assert (by_argument.code, by_argument.out) == (by_option.code, by_option.out)
    assert by_argument.err == by_option.err.replace(f"in '{repository}'", "in 'repository'")


def test_a_path_holds_from_here_and_from_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, here = tmp_path / "shop", tmp_path / "here"
    for folder in (shop, here):
        folder.mkdir()
        (folder / "both.py").touch()
    (shop / "pyproject.toml").touch()
    (shop / "only.py").touch()
    monkeypatch.chdir(here)

    def settled(given: str, repo: str | None) -> tuple[str, str | None]:
        app = App({}, repo=repo)
        params = {"path": given}
        settle_places(app, params, ["path"])
        return params["path"], app.repo

    named = str(shop)
    assert settled("only.py:f", named) == (f"{shop}/only.py:f", named)
    assert settled("both.py", named) == (f"{shop}/both.py", named)
    assert settled("both.py", None) == ("both.py", None)
    assert settled("nowhere.py", named) == ("nowhere.py", named)
    assert settled("../shop", None) == ("../shop", "../shop")
    assert settled(str(shop / "only.py"), None) == (str(shop / "only.py"), None)


def test_a_part_of_the_repository_that_we_stand_in_is_no_other_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part").mkdir()
    for folder in (tmp_path, tmp_path / "part"):
        (folder / "pyproject.toml").touch()
    monkeypatch.chdir(tmp_path)
    app, params = App({}), {"path": "part"}
    settle_places(app, params, ["path"])
    assert (app.repo, params) == (None, {"path": "part"})


def test_an_interpreter_is_found_by_path_by_name_and_below_the_repository(tmp_path: Path) -> None:
    environment = tmp_path / "venv" / "bin"
    environment.mkdir(parents=True)
    python = environment / "python"
    python.symlink_to(sys.executable)
    environ = {"PATH": str(environment)}
    for given in (str(python), "venv/bin/python", "python"):
        assert named_python(given, tmp_path, environ) == str(python)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("python", None, "is a folder"),
        ("python3", b"text", "not an interpreter"),
        ("ls", b"\x7fELF", "not an interpreter"),
        ("", b"", "is a folder"),
    ],
)
def test_what_is_no_interpreter_is_refused(
    tmp_path: Path, name: str, content: bytes | None, complaint: str
) -> None:
    place = tmp_path / name
    if content is None:
        place.mkdir()
    elif name:
        place.write_bytes(content)
        place.chmod(0o755)
    with pytest.raises(UsageError, match=complaint):
        named_python(str(place), tmp_path, {})
    (tmp_path / "python3.12").symlink_to("/bin/ls")
    with pytest.raises(UsageError, match="not an interpreter"):
        named_python(str(tmp_path / "python3.12"), tmp_path, {})


def test_a_folder_that_is_an_environment_gets_its_interpreter_said(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    with pytest.raises(UsageError, match=r"did you mean .*/bin/python\?"):
        named_python(str(tmp_path), tmp_path, {})


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_for_three_shells(cli: Callable, shell: str) -> None:
    ran = cli("completion", shell)
    assert (ran.code, f"{shell}_complete" in ran.out) == (0, True)
    assert cli("completion", shell, "--json").document["shell"] == shell
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=ran.out, text=True).returncode == 0


def test_a_shell_completes_commands_options_and_choices() -> None:
    def completed(line: str) -> list[str]:
        words = line.split(" ")
        environ = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        ran = subprocess.run(
            [sys.executable, "-c", "from reverie.interfaces.cli import main; main()"],
            env={**environ, "_REVERIE_COMPLETE": "bash_complete"},
            capture_output=True,
            text=True,
        )
        return [each.partition(",")[2] for each in ran.stdout.split()]

    assert completed("reverie cy") == ["cycles"]
    assert completed("reverie run --bud") == ["--budget"]
    assert completed("reverie completion ") == ["bash", "zsh", "fish"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("90s", 90), ("10m", 600), ("10 min", 600), ("1h", 3600), ("1.5h", 5400),
     ("1h30m", 5400), ("250ms", 0.25), ("soon", None), ("", None), ("-5", None), ("1e3", None),
     ("m10", None), ("10m!", None), ("nan", None)],
)  # fmt: skip
def test_a_time_is_read_as_people_write_it(text: str, seconds: float | None) -> None:
    assert parse_seconds(text) == seconds


def test_a_number_agrees_with_its_noun() -> None:
    assert counted(1, "file") == "1 file"
    assert (counted(0, "branch"), counted(2, "module")) == ("0 branches", "2 modules")
