"""What the files of a repository may say about settings, and what only its user may."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.errors import ConfigError
from reverie.model.sections import TierChoice
from reverie.model.settings.setting import (
    ANY_VALUE,
    FEWER,
    HIGHER,
    INSIDE,
    LOWER,
    MORE,
    NOTHING,
    flag,
    setting,
    settings_of,
)
from reverie.settings import Loaded, Settings, known_settings, load_settings, variable_of

OUT_OF_REACH = (
    '[tool.reverie.journal]\nurl = "postgresql://leak:hush@127.0.0.1:1/x"\n',
    '[tool.reverie.journal]\ndata_dir = "/elsewhere"\n',
    "[tool.reverie.journal]\nrecord = false\n",
    '[tool.reverie.sandbox]\npreload = ["evil"]\n',
    '[tool.reverie.sandbox]\ntier = "none"\n',
    "[tool.reverie.sandbox]\nenable_network = true\n",
    "[tool.reverie.sandbox]\nmemory_mb = 1048576\n",
    '[tool.reverie.models]\nendpoint = "http://127.0.0.1:1/"\n',
    '[tool.reverie.models]\nagent_command = "sh -c id"\n',
    '[tool.reverie.events]\nwebhook = "http://127.0.0.1:1/"\n',
    '[tool.reverie.logging]\nfile = "/elsewhere"\n',
    '[tool.reverie.web]\nhost = "0.0.0.0"\n',
    "[tool.reverie.equivalence]\nseed = 7\n",
    "[tool.reverie.equivalence]\nleast_inputs = 1\n",
    "[tool.reverie.guard]\napprovals = 1\n",
    "[tool.reverie.guard]\ncoverage_refactor = 0.0\n",
    '[tool.reverie.safety]\ndisable = ["network"]\n',
    '[tool.reverie.safety.paths]\n"*" = "core"\n',
    "[tool.reverie.alignment]\nenabled = false\n",
    "[tool.reverie.quality]\nlint = [100, 200, 300, 400]\n",
    '[tool.reverie.governance]\nrules = "../outside.toml"\n',
    '[tool.reverie.roi]\nseverity_file = "/etc/passwd"\n',
    '[tool.reverie.promotion]\nbranch_prefix = "feature"\n',
)


def load(
    folder: Path, pyproject: str = "", environ: Mapping[str, str] | None = None, dotenv: str = ""
) -> Loaded:
    (folder / "pyproject.toml").write_text(pyproject, encoding="utf-8")
    (folder / ".env").write_text(dotenv, encoding="utf-8")
    return load_settings(folder, environ or {}, {})


def write_user(folder: Path, content: str) -> dict[str, str]:
    (folder / "config" / "reverie").mkdir(parents=True)
    (folder / "config" / "reverie" / "config.toml").write_text(content, encoding="utf-8")
    return {"XDG_CONFIG_HOME": str(folder / "config")}


@pytest.mark.parametrize("content", OUT_OF_REACH)
def test_what_would_widen_the_cage_is_ignored_and_named(tmp_path: Path, content: str) -> None:
    loaded = load(tmp_path, content)
    assert loaded.settings == Settings()
    (warning,) = loaded.warnings
    section = content.partition("]")[0].removeprefix("[tool.reverie.").removesuffix(".paths")
    name = "paths" if ".paths]" in content else content.splitlines()[1].partition(" ")[0]
    assert warning.startswith(f"ignored: {section}.{name} ")
    assert "pyproject.toml" in warning
    assert variable_of(f"{section}.{name}") in warning, "what to do instead"
    assert "hush" not in warning
    assert "\n" not in warning
    assert warning in loaded.notes


@pytest.mark.parametrize(
    "line",
    ["REVERIE_SANDBOX_TIER=none", "REVERIE_JOURNAL_URL=sqlite:////x", "SANDBOX_DATA_DIR=/x"],
)
def test_a_dotenv_is_a_file_of_the_repository_too(tmp_path: Path, line: str) -> None:
    loaded = load(tmp_path, dotenv=f"{line}\n")
    assert loaded.settings == Settings()
    assert ".env:1" in loaded.warnings[0]


def test_a_variable_of_another_program_is_passed_over_without_a_warning(tmp_path: Path) -> None:
    loaded = load(tmp_path, dotenv="DATABASE_URL=sqlite:///x.db\nLOG_LEVEL=debug\n")
    assert loaded.settings == Settings()
    assert loaded.warnings == ()
    assert len(loaded.notes) == 2


def test_limits_fall_and_bars_rise(tmp_path: Path) -> None:
    content = (
        "[tool.reverie.sandbox]\nmemory_mb = 100\nenable_network = false\n"
        '[tool.reverie.guard]\napprovals = 3\nfiles = 1\nprotected = ["vendor/*"]\n'
        '[tool.reverie.quality]\nminimum = "good"\ndocstrings = [0.95, 0.8, 0.5, 0.2]\n'
        '[tool.reverie.mutation]\noperators = "exhaustive"\n'
        f'[tool.reverie.promotion]\napprovers = ["Ada={"a" * 64}"]\n'
        '[tool.reverie.governance]\nrules = "rules.toml"\n'
    )
    loaded = load(tmp_path, content)
    assert loaded.warnings == ()
    assert len(loaded.written) == 10
    assert loaded.settings.sandbox.memory_mb == 100


def test_what_is_permitted_depends_on_what_the_user_left(tmp_path: Path) -> None:
    user = write_user(
        tmp_path, '[sandbox]\nmemory_mb = 4096\n[guard]\nprotected = ["a"]\napprovals = 1\n'
    )
    mine = '[tool.reverie.sandbox]\nmemory_mb = 2000\n[tool.reverie.guard]\nprotected = ["b"]\n'
    loaded = load(tmp_path, mine, user)
    assert loaded.settings.sandbox.memory_mb == 2000
    assert loaded.settings.guard.protected == ("a",), "what is protected stays so"
    assert loaded.settings.guard.approvals == 1, "the user may lower a bar"
    assert str(tmp_path / "config" / "reverie" / "config.toml") in loaded.warnings[0]
    mine = '[tool.reverie.guard]\nprotected = ["a", "b"]\n'
    assert load(tmp_path, mine, user).settings.guard.protected == ("a", "b")


def test_a_link_that_leads_out_is_no_path_inside(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").symlink_to("/dev/zero")
    loaded = load(tmp_path, '[tool.reverie.governance]\nrules = "rules.toml"\n')
    assert loaded.settings.governance.rules is None
    assert len(loaded.warnings) == 1


def test_a_second_file_is_not_bound_by_the_first(tmp_path: Path) -> None:
    content = "[tool.reverie.sandbox]\nmemory_mb = 100\n"
    loaded = load(tmp_path, content, dotenv="REVERIE_SANDBOX_MEMORY_MB=200\n")
    assert loaded.settings.sandbox.memory_mb == 200


class TestTheUsersFile:
    def test_is_weaker_than_a_repository_where_that_may_speak(self, tmp_path: Path) -> None:
        user = write_user(tmp_path, '[index]\nroots = ["lib"]\n[sandbox]\ntier = "namespaces"\n')
        loaded = load(tmp_path, '[tool.reverie.index]\nroots = ["src"]\n', user)
        assert loaded.settings.index.roots == ("src",)
        assert loaded.settings.sandbox.tier is TierChoice.NAMESPACES
        file = tmp_path / "config" / "reverie" / "config.toml"
        assert loaded.origins["sandbox.tier"] == f"{file} [sandbox]"

    def test_says_what_holds_in_one_repository(self, tmp_path: Path) -> None:
        content = '[repositories."{}".sandbox]\nmemory_mb = {}\n'
        tables = content.format(tmp_path, 2048) + content.format(tmp_path / "other", 64)
        user = write_user(tmp_path, "[sandbox]\nmemory_mb = 300\n" + tables)
        mine = "[tool.reverie.sandbox]\nmemory_mb = 100\n"
        assert load(tmp_path, mine, user).settings.sandbox.memory_mb == 2048
        (tmp_path / "third").mkdir()
        assert load(tmp_path / "third", "", user).settings.sandbox.memory_mb == 300

    @pytest.mark.parametrize(
        "content", ["[sandbx]\n", "[sandbox]\nslot = 1\n", "sandbox = 3\n", "[", "repositories = 1"]
    )
    def test_a_mistake_in_it_is_named(self, tmp_path: Path, content: str) -> None:
        with pytest.raises(ConfigError, match=r"config\.toml"):
            load(tmp_path, "", write_user(tmp_path, content))

    def test_is_not_looked_for_where_nobody_has_a_home(self, tmp_path: Path) -> None:
        assert load(tmp_path, environ={"XDG_CONFIG_HOME": "relative"}).settings == Settings()


def test_a_revision_is_asked_instead_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.reverie.guard]\ntest_roots = ["src"]\n')
    files = {"pyproject.toml": b'[tool.reverie.guard]\ntest_roots = ["checks"]\n'}
    assert load_settings(tmp_path, {}, {}, files).settings.guard.test_roots == ("checks",)
    assert load_settings(tmp_path, {}, {}, {}).settings == Settings()
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_settings(tmp_path, {}, {}, {".env": b"\xff"})


def test_a_setting_that_declares_nothing_is_the_users_alone() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True, slots=True)
    class Section:
        new: bool = setting(False, flag(), "Something new.")

    assert settings_of(Section)["new"].repository is NOTHING


def test_nothing_that_names_a_host_a_program_or_a_secret_is_the_repositorys() -> None:
    words = ("host", "port", "url", "token", "secret", "endpoint", "command", "webhook", "servers")
    for key, about in known_settings().items():
        if about.secret or any(word in key.partition(".")[2].split("_") for word in words):
            assert about.repository is NOTHING, key


@pytest.mark.parametrize(
    ("permission", "now", "allowed", "refused"),
    [
        (LOWER, 5, [5, 4], [6]),
        (LOWER, (1.0, 2.0), [(1.0, 2.0), (0.5, 2.0)], [(0.5, 2.5), (0.5,)]),
        (HIGHER, False, [True, False], []),
        (HIGHER, True, [True], [False]),
        (MORE, ("a",), [("a", "b")], [(), ("b",)]),
        (FEWER, (), [("a",), ()], []),
        (FEWER, ("a", "b"), [("a",)], [(), ("c",), ("a", "c")]),
        (INSIDE, None, ["a", "a/b"], ["/a", "../a", "a/../../b", "~/a", " "]),
        (ANY_VALUE, 1, [2], []),
        (NOTHING, 1, [], [1, 2]),
    ],
)
def test_permissions(permission, now, allowed, refused) -> None:  # type: ignore[no-untyped-def]
    assert all(permission.allows(now, each) for each in allowed)
    assert not any(permission.allows(now, each) for each in refused)
