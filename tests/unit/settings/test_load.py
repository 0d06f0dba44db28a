from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.errors import ConfigError
from reverie.model.outcome import TrustTier
from reverie.model.sections import LogLevel, PathTier
from reverie.settings import ALIASES, Loaded, Settings, known_settings, load_settings
from reverie.settings.tree import SECTIONS


def load(
    folder: Path,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, str] | None = None,
    *,
    pyproject: str | None = None,
    dotenv: str | None = None,
) -> Loaded:
    if pyproject is not None:
        (folder / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    if dotenv is not None:
        (folder / ".env").write_text(dotenv, encoding="utf-8")
    return load_settings(folder, environ or {}, overrides or {})


def test_nothing_written_is_all_defaults(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}
    assert set(loaded.origins) == set(known_settings())


def test_the_tree_and_the_table_of_sections_agree() -> None:
    made = {name: type(getattr(Settings(), name)).__name__ for name in SECTIONS}
    assert made == {name: place.partition(":")[2] for name, place in SECTIONS.items()}
    assert Settings.__annotations__ == made
    with pytest.raises(AttributeError, match="not changed"):
        Settings().sandbox = made  # type: ignore[assignment]
    with pytest.raises(AttributeError, match="no section 'nothing'"):
        Settings().nothing  # noqa: B018


def test_each_place_beats_the_one_before(tmp_path: Path) -> None:
    pyproject = "[tool.reverie.sandbox]\nslots = 1\nmemory_mb = 100\nprocesses = 5\ndisk_mb = 9\n"
    dotenv = "\nREVERIE_SANDBOX_SLOTS=2\nREVERIE_SANDBOX_MEMORY_MB=200\nREVERIE_SANDBOX_DISK_MB=8\n"
    environ = {"REVERIE_SANDBOX_SLOTS": "5", "REVERIE_SANDBOX_MEMORY_MB": "300"}
    loaded = load(tmp_path, environ, {"sandbox.slots": "6"}, pyproject=pyproject, dotenv=dotenv)
    sandbox = loaded.settings.sandbox
    assert (sandbox.slots, sandbox.memory_mb, sandbox.disk_mb, sandbox.processes) == (6, 300, 8, 5)
    assert loaded.origins["sandbox.slots"] == "--slots"
    assert loaded.origins["sandbox.memory_mb"] == "environment REVERIE_SANDBOX_MEMORY_MB"
    assert loaded.origins["sandbox.disk_mb"] == ".env:4"
    assert loaded.origins["sandbox.processes"] == "pyproject.toml [tool.reverie.sandbox]"


def test_a_table_of_paths(tmp_path: Path) -> None:
    pyproject = '[tool.reverie.safety.paths]\n"tests/*" = "testing"\n"src/*" = "sandbox"\n'
    expected = (PathTier("tests/*", TrustTier.TESTING), PathTier("src/*", TrustTier.SANDBOX))
    assert load(tmp_path, pyproject=pyproject).settings.safety.paths == expected
    expected = (PathTier("tests/*", TrustTier.TESTING), PathTier("src/*", TrustTier.CORE))
    environ = {"REVERIE_SAFETY_PATHS": "tests/*=testing, src/*=core"}
    assert load(tmp_path, environ, pyproject="").settings.safety.paths == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            "[tool.reverie.sandbox]\ntimout_seconds = 3",
            "pyproject.toml: unknown setting tool.reverie.sandbox.timout_seconds; "
            "did you mean timeout_seconds?",
            id="misspelt key",
        ),
        pytest.param(
            "[tool.reverie.sandbx]\nslots = 3",
            "pyproject.toml: unknown setting tool.reverie.sandbx; did you mean sandbox?",
            id="misspelt section",
        ),
        pytest.param(
            "[tool.reverie]\nxyzzy = 3",
            "pyproject.toml: unknown setting tool.reverie.xyzzy; "
            "`reverie config` lists the known ones",
            id="nothing like it",
        ),
        pytest.param(
            "[tool.reverie]\nsandbox = 3",
            "pyproject.toml: tool.reverie.sandbox = '3': expected a table",
            id="no table",
        ),
        pytest.param(
            "[tool.reverie.sandbox]\nslots = '3'",
            "sandbox.slots = '3' (pyproject.toml [tool.reverie.sandbox]): "
            "expected a whole number from 1 to 256",
            id="wrong type",
        ),
        pytest.param(
            "[tool.reverie.sandbox]\nslots = 0",
            "sandbox.slots = 0 (pyproject.toml [tool.reverie.sandbox]): "
            "expected a whole number from 1 to 256",
            id="out of range",
        ),
        pytest.param(
            "[tool.reverie.safety.paths]\n'tests/*' = 3",
            "safety.paths = {'tests/*': 3} (pyproject.toml [tool.reverie.safety]): "
            "expected a table of path pattern = sandbox/testing/trusted/core",
            id="wrong type in a table",
        ),
    ],
)
def test_a_mistake_in_pyproject_is_named(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, pyproject=content)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "content",
    ["[tool.reverie", "x = " + "[" * 2000, "x = " + "9" * 5000, "x = 2024-13-13"],
    ids=["syntax", "too deep", "too large a number", "no such date"],
)
def test_broken_toml_is_one_line(tmp_path: Path, content: str) -> None:
    with pytest.raises(ConfigError, match=r"^pyproject.toml: not valid TOML: ") as caught:
        load(tmp_path, pyproject=content)
    assert "\n" not in str(caught.value)


def test_another_tools_table_is_not_ours(tmp_path: Path) -> None:
    assert load(tmp_path, pyproject="tool = 3").settings == Settings()
    assert load(tmp_path, pyproject="[tool.other]\nslots = 3").settings == Settings()


def test_a_misspelt_variable_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {"REVERIE_SANDBOX_SLOT": "3"})
    assert str(caught.value) == (
        "environment: unknown setting REVERIE_SANDBOX_SLOT; did you mean REVERIE_SANDBOX_SLOTS?"
    )
    with pytest.raises(ConfigError, match=r"^\.env:2: unknown setting REVERIE_SANDBOX_SLOT;"):
        load(tmp_path, dotenv="OTHER=1\nREVERIE_SANDBOX_SLOT=3\n")


def test_other_peoples_variables_are_left_alone(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"PATH": "x", "REVERIE": "y"}, dotenv="SECRET_KEY=z\n")
    assert loaded.settings == Settings()


def test_an_empty_variable_says_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, {"REVERIE_SANDBOX_SLOTS": ""}).origins["sandbox.slots"] == "default"


def test_a_flag_out_of_bounds_names_the_flag(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^sandbox.timeout_seconds = '-1' \(--timeout\): "):
        load(tmp_path, overrides={"sandbox.timeout_seconds": "-1"})
    with pytest.raises(ConfigError, match=r"there is no setting sandbox\.nonsense"):
        load(tmp_path, overrides={"sandbox.nonsense": "1"})


def test_nothing_reaches_the_process_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    before = dict(os.environ)
    load(tmp_path, dotenv="REVERIE_SANDBOX_SLOTS=4\nSECRET=1\n")
    assert dict(os.environ) == before
    assert (tmp_path / ".env").read_text() == "REVERIE_SANDBOX_SLOTS=4\nSECRET=1\n"


class TestAliases:
    def test_each_means_a_setting_that_exists(self) -> None:
        assert {alias.key for alias in ALIASES} - {"repository"} <= set(known_settings())

    def test_an_alias_is_read_and_named(self, tmp_path: Path) -> None:
        environ = {"SANDBOX_JSON_LOGS": "1", "SANDBOX_DATA_DIR": "data"}
        environ |= {"DATABASE_URL": "sqlite:///x.db"}
        loaded = load(tmp_path, environ, dotenv="SANDBOX_RECURSIVE_ORPHANS=0\n")
        assert loaded.settings.logging.json is True
        assert loaded.settings.journal.data_dir == "data"
        assert loaded.settings.journal.url == "sqlite:///x.db"
        assert loaded.origins["logging.json"] == "environment SANDBOX_JSON_LOGS (alias)"
        assert loaded.settings.orphans.recursive is False
        assert loaded.origins["orphans.recursive"] == ".env:1 SANDBOX_RECURSIVE_ORPHANS (alias)"

    def test_our_own_name_wins(self, tmp_path: Path) -> None:
        environ = {"REVERIE_JOURNAL_DATA_DIR": "ours", "SANDBOX_DATA_DIR": "theirs"}
        assert load(tmp_path, environ).settings.journal.data_dir == "ours"

    def test_the_earlier_row_wins(self, tmp_path: Path) -> None:
        environ = {"LOG_LEVEL": "error", "SANDBOX_LOG_LEVEL": "info"}
        assert load(tmp_path, environ).settings.logging.level is LogLevel.INFO

    @pytest.mark.parametrize(("switch", "level"), [("1", "debug"), ("0", "warning")])
    def test_a_switch_stands_for_a_value(self, tmp_path: Path, switch: str, level: str) -> None:
        assert load(tmp_path, {"SANDBOX_DEBUG": switch}).settings.logging.level == level

    def test_another_programs_value_is_passed_over_with_a_note(self, tmp_path: Path) -> None:
        loaded = load(tmp_path, {"DATABASE_URL": "mysql://u:hush@h/db", "LOG_LEVEL": "trace"})
        assert loaded.settings == Settings()
        assert len(loaded.notes) == 2
        assert "hush" not in "".join(loaded.notes)

    def test_a_wrong_value_under_our_own_name_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError) as caught:
            load(tmp_path, {"REVERIE_JOURNAL_URL": "mysql://u:hush@h/db"})
        assert "hush" not in str(caught.value)


class TestUnreadableFiles:
    @pytest.mark.parametrize("name", [".env", "pyproject.toml"])
    def test_not_utf8(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(b"A=1\n\xff\xfe")
        with pytest.raises(ConfigError, match=rf"^{name}: not UTF-8 at byte 4$"):
            load(tmp_path)

    def test_a_folder_named_like_a_file_is_passed_over(self, tmp_path: Path) -> None:
        (tmp_path / ".env").mkdir()
        assert load(tmp_path).settings == Settings()


class TestJournal:
    URL = "postgresql://u@h/db"

    def test_is_not_opened_in_a_strange_folder(self, tmp_path: Path) -> None:
        assert load(tmp_path).journal_url is None
        assert load(tmp_path, {"DATABASE_URL": self.URL}).journal_url is None
        dotenv = f"REVERIE_JOURNAL_URL={self.URL}\n"
        assert load(tmp_path, dotenv=dotenv).journal_url is None

    def test_is_opened_where_it_was_asked_for(self, tmp_path: Path) -> None:
        assert load(tmp_path, {"REVERIE_JOURNAL_URL": self.URL}).journal_url == self.URL
        assert load(tmp_path, overrides={"journal.url": self.URL}).journal_url == self.URL

    def test_is_opened_in_an_initialised_repository(self, tmp_path: Path) -> None:
        (tmp_path / ".reverie").mkdir()
        assert load(tmp_path).journal_url == f"sqlite:///{tmp_path}/.reverie/journal.db"
        assert load(tmp_path, {"DATABASE_URL": self.URL}).journal_url == self.URL

    def test_a_relative_path_is_the_repositorys(self, tmp_path: Path) -> None:
        environ = {"REVERIE_JOURNAL_URL": "sqlite:///menace.db"}
        assert load(tmp_path, environ).journal_url == f"sqlite:///{tmp_path}/menace.db"


def test_settled_files_are_what_settings_are_known_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings(tmp_path, {}, {}).sources == (0, 0), "no file says anything"
    (tmp_path / "pyproject.toml").write_text("[tool.reverie.index]\nroots = ['lib']\n")
    assert load_settings(tmp_path, {}, {}).sources is None, "it may change again unseen"
    monkeypatch.setattr("reverie.settings.load.FRESH_NS", 0)
    first = load_settings(tmp_path, {}, {}).sources
    assert first is not None
    (tmp_path / ".env").write_text("REVERIE_INDEX_ROOTS=src\n")
    second = load_settings(tmp_path, {"REVERIE_REPOSITORY": "x"}, {}).sources
    assert second is not None
    assert first[0] == second[0] != 0
    assert first[1] == 0 != second[1]


@pytest.mark.parametrize(
    ("environ", "overrides"),
    [
        ({"REVERIE_INDEX_ROOTS": "src"}, {}),
        ({"LOG_LEVEL": "info"}, {}),
        ({"DATABASE_URL": "mysql://elsewhere"}, {}),
        ({}, {"index.roots": "src"}),
    ],
)
def test_settings_that_others_spoke_about_are_not_known_by_their_files(
    tmp_path: Path, environ: dict[str, str], overrides: dict[str, str]
) -> None:
    assert load_settings(tmp_path, environ, overrides).sources is None
