from collections.abc import Callable
from pathlib import Path


def test_makes_the_folder_once(cli: Callable, repository: Path) -> None:
    first = cli("init", "--json", "--repo", str(repository)).document
    again = cli("init", "--json", "--repo", str(repository)).document
    folder = repository / ".reverie"
    assert first == {"repository": str(repository), "data_dir": str(folder), "created": True}
    assert again == {**first, "created": False}
    assert (folder / ".gitignore").read_text() == "*\n!/baseline.json\n"


def test_opens_the_journal_from_then_on(cli: Callable, repository: Path) -> None:
    assert cli("init", "--repo", str(repository)).out.startswith("initialised: ")
    document = cli("config", "--json", "--repo", str(repository)).document
    assert document["journal"] == f"sqlite:///{repository}/.reverie/journal.db"


def test_refuses_a_folder_that_is_no_repository(cli: Callable, tmp_path: Path) -> None:
    ran = cli("init", "--repo", str(tmp_path))
    assert ran.code == 2
    assert ran.err == f"error: {tmp_path} is no repository: no .git and no pyproject.toml\n"
    assert list(tmp_path.iterdir()) == []


def test_says_why_it_cannot(cli: Callable, repository: Path) -> None:
    (repository / "taken").write_text("")
    environ = {"SANDBOX_DATA_DIR": "taken/here"}
    ran = cli("init", "--repo", str(repository), environ=environ)
    assert ran.code == 2
    assert ran.err.startswith(f"error: cannot make {repository}/taken/here: ")
