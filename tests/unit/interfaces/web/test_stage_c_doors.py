"""A change of stage C through the command line, alone and after the dashboard: never with less."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.interfaces.cli.test_promotion_commands import NEW, OLD, journaled, key_file
from tests.unit.interfaces.web.conftest import Door
from tests.unit.interfaces.web.test_pages import decide, key_of

from reverie.errors import Refused
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Proven
from reverie.model.dream import DreamKind, Stage
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import proven_dream


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD, ".gitignore": ".reverie/\n"})
    return repository


def optimisation(folder: Path, needs: tuple[str, ...] = (), stage: Stage = Stage.C) -> Proven:
    change = Change((FileEdit("cart.py", OLD, NEW, mode_before="100644", mode_after="100644"),))
    kind = DreamKind.OPTIMISATION
    proven = proven_dream(change, read_source(folder), kind=kind, stage=stage, needs=needs)
    journaled(folder, proven)
    return proven


@pytest.fixture
def call(shop, cli: Callable, tmp_path: Path) -> Callable:
    def line(*words: str):  # type: ignore[no-untyped-def]
        return cli(*words, "--repo", str(shop.folder), environ={"HOME": str(tmp_path)})

    return line


def assert_nothing_was_offered(shop, call: Callable, name: str, word: str) -> None:
    for options in (("--json",), ("--branch", "reverie/mine")):
        refused = call("promote", name, *options)
        assert (refused.code, word in refused.err) == (1, True), refused.err
        assert refused.out == ""
    assert shop.git("branch", "--list", "reverie/*") == ""
    assert call("rollback", name).code != 0


@pytest.mark.parametrize("needs", [(), ("2 approvals by different people",)])
def test_nobody_and_one_person_are_too_few(shop, call: Callable, tmp_path: Path, needs) -> None:  # type: ignore[no-untyped-def]
    name = optimisation(shop.folder, needs).dream.id
    assert_nothing_was_offered(shop, call, name, "2 more approvals")
    assert call("approve", name, "--as", "Ada", "--key", key_file(tmp_path, "ada")).code == 0
    assert_nothing_was_offered(shop, call, name, "1 more approval by")


def test_an_optimisation_journaled_as_a_refactoring_owes_the_same(shop, call: Callable) -> None:  # type: ignore[no-untyped-def]
    name = optimisation(shop.folder, stage=Stage.B).dream.id
    assert_nothing_was_offered(shop, call, name, "more approval")


@pytest.mark.parametrize(
    ("part", "word"),
    [("reverted_tree", "cannot be rolled back"), ("decision_record", "no record")],
)
def test_without_a_record_or_a_way_back_nothing_is_offered(
    shop, call: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, word: str
) -> None:  # type: ignore[no-untyped-def]
    def refuse(*given: object) -> str:
        if part == "decision_record":
            raise Refused("no record")
        return "another tree"

    name = optimisation(shop.folder).dream.id
    for who in ("ada", "bob"):
        assert call("approve", name, "--as", who, "--key", key_file(tmp_path, who)).code == 0
    monkeypatch.setattr(f"reverie.promotion.promoter.{part}", refuse)
    assert_nothing_was_offered(shop, call, name, word)
    monkeypatch.undo()
    assert call("promote", name).code == 0


def test_one_key_on_the_page_and_in_the_shell_is_one_key(
    shop, call: Callable, open_door: Callable[..., Door], tmp_path: Path
) -> None:
    proven = optimisation(shop.folder, ("2 approvals by different people",))
    name, door = proven.dream.id, open_door(shop.folder)
    answer, _ = decide(door, proven, "approve", "Ada", key_of(tmp_path, "ada"))
    assert answer.status_code == 303
    for who, key in (("Ada", "ada"), ("Bob", "ada"), ("Ada", "bob")):
        assert call("approve", name, "--as", who, "--key", key_file(tmp_path, key)).code == 1
    assert_nothing_was_offered(shop, call, name, "1 more approval by")
    answer, _ = decide(door, proven, "promote", "Ada", key_of(tmp_path, "ada"))
    assert answer.status_code in (404, 405)
    assert call("approve", name, "--as", "Bob", "--key", key_file(tmp_path, "bob")).code == 0
    assert call("promote", name).code == 0
