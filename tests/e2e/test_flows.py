"""Changes are held to the workflows that a repository declares."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.index import read_repository
from reverie.model.change import Change, FileEdit
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence
from reverie.model.sections import IndexSection, SafetySection
from reverie.model.workflow import Step, Workflow
from reverie.sandbox.engine import Sandbox
from reverie.stages.flows import Flows
from reverie.stages.strain import WORKFLOWS, Strained, degradation_of, strained

FARES = "def fare(weight: int) -> int:\n    return 2 * weight\n"
TILL = (
    "import os\n\nfrom shop.fares import fare\n\n\n"
    "def total(weight: int) -> int:\n    return fare(weight) + 1\n\n\n"
    "def draw() -> int:\n    return fare(os.getpid() + int.from_bytes(os.urandom(4), 'big'))\n"
)
ASIDE = 'def shout() -> str:\n    return "HEY"\n'
FILES = {"fares": FARES, "till": TILL, "aside": ASIDE}
TOTAL = Workflow("total", (Step("shop.till:total"),), params={"weight": 3})


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def tried(
    sandbox: Sandbox, folder: Path, module: str, after: str, workflow: Workflow = TOTAL
) -> Evidence:
    trees = folder / "base", folder / "head"
    for tree, changed in zip(trees, (FILES[module], after), strict=True):
        (tree / "shop").mkdir(parents=True)
        (tree / "shop/__init__.py").write_text("")
        for name, text in {**FILES, module: changed}.items():
            (tree / f"shop/{name}.py").write_text(text)
    index = read_repository(trees[0], IndexSection(), SafetySection().tier_of)
    change = Change((FileEdit(f"shop/{module}.py", FILES[module], after),))
    blank = Evidence({}, 0, IsolationTier.NONE, ("reverie", "guard"))
    return Flows((workflow,), index, sandbox).tried(blank, change, *trees)


def test_the_same_in_other_words_passes(sandbox: Sandbox, tmp_path: Path) -> None:
    found = tried(sandbox, tmp_path, "fares", FARES.replace("2 * weight", "weight + weight"))
    assert found.measures == {"workflows.run": 1.0, "workflows.different": 0.0}


def test_a_change_below_a_step_is_noticed(sandbox: Sandbox, tmp_path: Path) -> None:
    found = tried(sandbox, tmp_path, "fares", FARES.replace("2 *", "3 *"))
    assert found.details["workflows.different"] == ("total: 7 before, 10 now",)


def test_a_step_that_is_gone_is_noticed(sandbox: Sandbox, tmp_path: Path) -> None:
    found = tried(sandbox, tmp_path, "till", TILL.replace("def total", "def sum_of"))
    assert found.measures["workflows.different"] == 1.0


def test_what_no_step_reaches_runs_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    found = tried(sandbox, tmp_path, "aside", ASIDE.replace("HEY", "HO"))
    assert found.measures == {}


def test_a_workflow_of_chance_says_nothing(sandbox: Sandbox, tmp_path: Path) -> None:
    draw = Workflow("draw", (Step("shop.till:draw"),))
    found = tried(sandbox, tmp_path, "fares", FARES.replace("2 *", "3 *"), draw)
    assert found.measures == {}


def under_strain(sandbox: Sandbox, folder: Path, fares: str, **steps: str) -> list[Strained]:
    (folder / "shop").mkdir(parents=True)
    for name, text in {**FILES, "fares": fares, "__init__": ""}.items():
        (folder / f"shop/{name}.py").write_text(text)
    index = read_repository(folder, IndexSection(), SafetySection().tier_of)
    workflows = tuple(
        Workflow(name, (Step(step),), params={"weight": 3}) for name, step in steps.items()
    )
    return list(strained(Flows(workflows, index, sandbox), folder, seed=0))


def test_what_a_workflow_loses_to_wrong_input_is_the_same_every_night(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    careful = (
        "def fare(weight: int) -> int:\n    if type(weight) is not int:\n"
        "        raise TypeError(weight)\n    return 2 * weight\n"
    )
    told = {"total": "shop.till:total", "gone": "shop.till:nothing"}
    (first,) = under_strain(sandbox, tmp_path / "one", careful, **told)
    (second,) = under_strain(sandbox, tmp_path / "two", careful, **told)
    assert first == second
    assert (first.workflow, first.modules) == ("total", ("shop.fares", "shop.till"))
    rude = "def fare(weight: int) -> int:\n    return {3: 6}[weight]\n"
    (worse,) = under_strain(sandbox, tmp_path / "three", rude, total="shop.till:total")
    assert worse.degradation > first.degradation
    assert worse.failure is not None
    assert worse.said.startswith(f"workflow total held {worse.passed} of {worse.calls} calls")


def test_what_a_workflow_lost_counts_for_every_module_that_it_reaches() -> None:
    kept = {"total": {"modules": ["shop.fares", "shop.till"], "degradation": 0.1},
            "other": {"modules": ["shop.till"], "degradation": 0.3}}  # fmt: skip
    assert degradation_of({WORKFLOWS: kept}, "shop.till") == 0.3
    assert degradation_of({WORKFLOWS: kept}, "shop.fares") == 0.1
    assert degradation_of({WORKFLOWS: kept}, "shop.aside") is None
    assert degradation_of({}, "shop.till") is degradation_of(None, "shop.till") is None


def test_a_workflow_that_fails_as_it_did_before_speaks_for_no_change(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    lost = Workflow("lost", (Step("shop.till:total"),), params={"weight": "a", "height": 1})
    found = tried(sandbox, tmp_path, "fares", FARES.replace("2 * weight", "weight + weight"), lost)
    assert found.measures == {}
