from collections.abc import Callable
from pathlib import Path

from reverie.settings import known_settings


def test_every_setting_with_its_origin(cli: Callable, repository: Path) -> None:
    environ = {"DATABASE_URL": "postgresql://me:hush@host/db", "SANDBOX_JSON_LOGS": "0"}
    document = cli("config", "--json", "--repo", str(repository), environ=environ).document
    assert list(document["settings"]) == list(known_settings())
    assert document["settings"]["journal.url"] == {
        "value": "postgresql://me:***@host/db",
        "origin": "environment DATABASE_URL (alias)",
    }
    assert document["journal"] is None
    assert document["initialised"] is False


def test_people_get_a_table_without_secrets(cli: Callable, repository: Path) -> None:
    (repository / ".reverie").mkdir()
    environ = {"REVERIE_JOURNAL_URL": "postgresql://me:hush@host/db?password=hush"}
    ran = cli("config", "--repo", str(repository), environ=environ)
    assert ran.code == 0
    assert "hush" not in ran.out + ran.err
    assert all(key in ran.out for key in known_settings())


def test_what_was_passed_over_is_said(cli: Callable, repository: Path) -> None:
    environ = {"DATABASE_URL": "mysql://me:hush@host/db"}
    ran = cli("config", "--repo", str(repository), environ=environ)
    assert ran.err.startswith("note: passed over, taken to be another program's: journal.url")
    assert "hush" not in ran.err


def test_control_characters_of_a_file_stay_harmless(cli: Callable, repository: Path) -> None:
    content = '[tool.reverie.safety.paths]\n"\\u001b[2J" = "testing"\n'
    (repository / "pyproject.toml").write_text(content)
    ran = cli("config", "--repo", str(repository))
    assert "\x1b" not in ran.out
    assert r"\x1b[2J=testing" in ran.out


def test_settings_about_a_word_are_told_with_their_meaning(cli: Callable, repository: Path) -> None:
    shown = cli("config", "--about", "guard.protected", "--repo", str(repository))
    assert shown.code == 0
    first, second = shown.out.splitlines()
    assert first == "guard.protected = -  (default)"
    assert second.startswith("    Paths that no change may touch")
    refused = cli("config", "--about", "no such thing", "--repo", str(repository))
    assert (refused.code, refused.out) == (2, "")
    assert "no setting is about 'no such thing'" in refused.err
