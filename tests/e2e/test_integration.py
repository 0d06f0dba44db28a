"""The examples of the document on orphans, each to the end that it tells; and a package's front."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reverie import (
    DQNSynergyLearner,
    ImprovementEngineRegistry,
    SelfImprovementEngine,
    SelfTestService,
    UsageError,
    generate_workflows_for_modules,
)
from reverie.home.own_folder import make_own_folder
from reverie.interfaces.cli.autonomous import translate

SPENT = ("--executions", "20")
PRICES = '''
def share():
    return 0.5


def cut(price: int, percent: int) -> int:
    """Take a percentage off a price."""
    if percent > 100:
        raise ValueError("percent must be at most 100")
    return price - price * percent // 100
'''
LESS = {"REVERIE_GUARD_RUNS": "2", "REVERIE_ROI_CONFIDENCE": "0.2"}


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own, and proofs with fewer repetitions."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name, value in LESS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    made.mkdir()
    return made


@pytest.fixture
def autonomous(cli: Callable, folder: Path) -> Callable[..., Any]:
    """Runs `python -m reverie.autonomous` in this process."""

    def call(*arguments: str, **environ: str) -> Any:
        line, around = translate([*arguments, "--repo", str(folder), "--json"], LESS | environ)
        return cli(*line, environ=around)

    return call


def write(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def kept(folder: Path, name: str) -> Any:
    return json.loads((folder / ".reverie" / name).read_text())


def test_an_isolated_module_is_found_tested_and_part_of_it_from_then_on(
    autonomous: Callable, cli: Callable, folder: Path
) -> None:
    write(folder, {"isolated_ping.py": "def ping(): return 'pong'\n"})
    ran = autonomous(*SPENT, "--runs", "2")
    assert ran.code == 0, ran.err
    (first,) = ran.document["earlier"]
    (module,) = first["integration"]["modules"]
    assert (module["path"], module["isolated"], module["passed"]) == (
        "isolated_ping.py",
        True,
        True,
    )
    assert (module["included"], module["verdict"]) == (True, "promote")
    assert module["workflow"] == "isolated_ping"
    assert [each["kind"] for each in first["promotions"]] == ["integration"]
    assert kept(folder, "module_map.json")["integrated"] == ["isolated_ping.py"]
    assert kept(folder, "orphan_modules.json") == []
    assert sorted(each.name for each in folder.iterdir()) == [".reverie", "isolated_ping.py"]
    (module,) = ran.document["integration"]["modules"]
    assert module["included"], "it is treated as part of the repository without anybody's help"
    assert ran.document["trials"] == 0
    night = cli("run", str(folder), *SPENT, "--yes", "--json", environ=LESS)
    assert (night.code, night.document["promotions"]) == (0, []), "a night does not offer it again"


def test_an_isolated_module_brings_its_helper(cli: Callable, folder: Path) -> None:
    write(folder, {"isolated.py": "import helper\n", "helper.py": "VALUE = 1\n"})
    tested = cli("integrate", str(folder), "--dry-run", "--module", "isolated.py", "--json")
    assert tested.code == 0, tested.err
    paths = {each["path"]: each for each in tested.document["modules"]}
    assert set(paths) == {"isolated.py", "helper.py"}, "both were executed"
    assert paths["isolated.py"]["closure"] == ["helper.py", "isolated.py"]
    assert not (folder / ".reverie" / "module_map.json").exists(), "testing writes no file"
    done = cli("integrate", str(folder), "--clean-orphans", "--recursive-isolated", "--json")
    assert done.code == 0, done.err
    assert kept(folder, "module_map.json")["integrated"] == ["helper.py", "isolated.py"]
    assert kept(folder, "orphan_modules.json") == []


def test_without_cleaning_the_list_stays_as_it_was(autonomous: Callable, folder: Path) -> None:
    write(folder, {"orphan.py": "import helper\n", "helper.py": "VALUE = 1\n"})
    done = autonomous("orphan.py", "--recursive-include", "--no-clean-orphans")
    assert done.code == 0, done.err
    assert kept(folder, "module_map.json")["integrated"] == ["helper.py", "orphan.py"]
    assert kept(folder, "orphan_modules.json") == ["helper.py", "orphan.py"]
    alone = autonomous("orphan.py", "--no-recursive-include", "--no-recursive-isolated")
    assert [each["path"] for each in alone.document["modules"]] == ["orphan.py"]


def test_a_package_with_an_entry_point_is_executed_whole(cli: Callable, folder: Path) -> None:
    write(
        folder,
        {
            "demo_pkg/util.py": "FACTOR = 2\n",
            "demo_pkg/main.py": "import demo_pkg.util\n\n"
            "def run():\n    return demo_pkg.util.FACTOR * 21\n",
        },
    )
    done = cli("integrate", str(folder), *SPENT, "--json", environ=LESS)
    assert done.code == 0, done.out
    modules = {each["path"]: each for each in done.document["modules"]}
    assert modules["demo_pkg/main.py"]["closure"] == ["demo_pkg/main.py", "demo_pkg/util.py"]
    assert all(each["passed"] and each["included"] for each in modules.values())
    assert kept(folder, "module_map.json")["integrated"] == sorted(modules)
    (workflow,) = generate_workflows_for_modules(["demo_pkg/main.py"], folder)
    assert workflow.targets == ("demo_pkg.main:run",)


def test_files_of_one_name_stay_apart(autonomous: Callable, folder: Path) -> None:
    write(folder, {"pkg_a/common.py": "VALUE=1\n", "pkg_b/common.py": "VALUE=2\n"})
    done = autonomous("pkg_a/common.py", "pkg_b/common.py", "--auto-include-isolated")
    assert done.code == 0, done.err
    listed = kept(folder, "module_map.json")["integrated"]
    assert listed == ["pkg_a/common.py", "pkg_b/common.py"]


def test_a_dormant_module_is_reintroduced(autonomous: Callable, folder: Path) -> None:
    make_own_folder(folder / ".reverie")
    write(
        folder,
        {"util.py": "VALUE = 1\n", ".reverie/orphan_modules.json": '["util.py"]'},
    )
    done = autonomous("--include-orphans", *SPENT)
    assert done.code == 0, done.err
    (module,) = done.document["integration"]["modules"]
    assert (module["dormant"], module["included"]) == (True, True)
    assert kept(folder, "module_map.json")["integrated"] == ["util.py"]
    assert kept(folder, "orphan_modules.json") == []
    assert done.document["integration"]["figures"]["orphan_modules_reintroduced_total"] == 1


def test_what_cannot_be_imported_is_said_and_left_alone(cli: Callable, folder: Path) -> None:
    write(
        folder,
        {
            "broken.py": "import gone_for_good\n\ndef f():\n    return 1\n",
            "bad.py": "def f(:\n",
            "old.py": '"""Deprecated: use nothing."""\n\nVALUE = 1\n',
        },
    )
    done = cli("integrate", str(folder), "--json")
    assert done.code == 1
    modules = {each["path"]: each for each in done.document["modules"]}
    assert not modules["broken.py"]["passed"]
    assert "gone_for_good" in modules["broken.py"]["reason"]
    assert not modules["bad.py"]["passed"]
    assert (modules["old.py"]["passed"], modules["old.py"]["included"]) == (True, False)
    assert kept(folder, "module_map.json")["integrated"] == []
    assert kept(folder, "orphan_modules.json") == ["bad.py", "broken.py", "old.py"]
    figures = done.document["figures"]
    assert (figures["orphan_modules_failed_total"], figures["orphan_modules_legacy_total"]) == (
        2,
        1,
    )


def test_a_module_gets_its_import_in_the_front_of_its_package(
    cli: Callable, scripted: Callable
) -> None:
    made = scripted("sea")
    front = '"""The sea."""\n\nfrom sea.waves import swell\n\n__all__ = ["swell"]\n'
    tests = "from sea import swell\n\n\ndef test_swell():\n    assert swell(2) == 4\n"
    made.commit(
        "One",
        {
            "sea/__init__.py": front,
            "sea/waves.py": "def swell(height: int) -> int:\n    return height * 2\n",
            "sea/tides.py": "from sea.waves import swell\n\n\n"
            "def tide(hour: int) -> int:\n    return swell(hour) + 1\n",
            "pyproject.toml": '[project]\nname = "sea"\nversion = "1"\n',
            "tests/test_waves.py": tests,
        },
    )
    done = cli("integrate", str(made.folder), *SPENT, "--json", environ=LESS)
    assert done.code == 0, done.out
    (module,) = done.document["modules"]
    assert (module["path"], module["verdict"]) == ("sea/tides.py", "promote")
    after = made.git("show", f"{module['branch']}:sea/__init__.py")
    assert "from sea import tides\n" in after
    assert '__all__ = ["swell", "tides"]' in after
    assert made.git("status", "--porcelain", "sea", "tests") == ""
    assert "from sea.tides import tide" in made.git(
        "show", f"{module['branch']}:tests/test_tides.py"
    )


def test_what_was_tested_is_not_tested_again(folder: Path) -> None:
    write(folder, {"one.py": "VALUE = 1\n", "two.py": "VALUE = 2\n"})
    service = SelfTestService(folder, executions=10)
    begun = service.tests()
    first = next(begun)
    begun.close()  # whatever interrupts it
    later = {each.path: each for each in SelfTestService(folder, executions=10).run()}
    assert set(later) == {"one.py", "two.py"}
    assert later[first.path] == first, "the first is remembered as it was, its time included"


def test_engines_run_one_after_another_and_one_that_cannot_keeps_none_from_running(
    folder: Path, tmp_path: Path
) -> None:
    project = '[tool.reverie.workflows]\nshare = ["prices:share"]\n'
    write(folder, {"prices.py": PRICES, "pyproject.toml": project})
    registry = ImprovementEngineRegistry()
    registry.register_engine("gone", SelfImprovementEngine(tmp_path / "gone", executions=5))
    weights = tmp_path / "data" / "weights.json"
    engine = SelfImprovementEngine(
        folder,
        bot_name="alpha",
        executions=60,
        synergy_learner_cls=DQNSynergyLearner,
        synergy_weights_path=weights,
    )
    registry.register_engine("alpha", engine)
    with pytest.raises(UsageError, match="an engine 'alpha' already"):
        registry.register_engine("alpha", engine)
    assert engine.enqueue_preventative_fixes(["prices"]) == ("prices",)
    results = registry.run_all_cycles()
    assert list(results) == ["gone", "alpha"]
    assert results["gone"].record is None
    assert "gone" in (results["gone"].error or "")
    assert results["alpha"].error is None
    assert results["alpha"].promotions == 1
    assert results["alpha"].workflow_evolution["share"]["status"] in ("unchanged", "stable")
    assert engine.queue == ()
    assert json.loads(weights.read_text()) == {}  # no promotion whose fate is known yet
