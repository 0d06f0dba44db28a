"""The contract every dreamer must pass. Subclass it and provide a `make_dreamer` fixture."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.model.cycle import CycleBudget
from reverie.model.dream import Dream, DreamKind
from reverie.model.sections import SafetySection, SandboxSection
from reverie.model.settings.everyday import IndexSection
from reverie.promotion.trial_tree import read_source
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Allowance, Dreamer, Dreamt, Example, Survey, dream_about
from reverie.stages.grounds import Grounds, Interpreter
from reverie.syntax.parsing import parse_module

_BUDGET = CycleBudget(seconds=12.0, executions=300)


class DreamerContract:
    """Shipped, so that a dreamer written elsewhere is held to the same rules."""

    @pytest.fixture
    def make_dreamer(self) -> Callable[[], Dreamer]:
        raise NotImplementedError("provide whatever makes the dreamer under test")

    @pytest.fixture
    def dreamer(self, make_dreamer: Callable[[], Dreamer]) -> Dreamer:
        return make_dreamer()

    @pytest.fixture
    def sandbox(self) -> Iterator[Sandbox]:
        with Sandbox(SandboxSection(slots=1)) as sandbox:
            yield sandbox

    def test_it_has_a_name_and_a_kind_that_can_be_promoted(self, dreamer: Dreamer) -> None:
        assert dreamer.name.replace("-", "").replace("_", "").isalnum()
        assert dreamer.kind is not DreamKind.FINDING

    def test_its_examples_show_what_it_does_and_what_it_leaves_alone(
        self, dreamer: Dreamer
    ) -> None:
        assert {each.is_dreamt_about for each in dreamer.examples()} == {True, False}

    def test_its_examples_come_true(
        self, make_dreamer: Callable[[], Dreamer], sandbox: Sandbox, tmp_path: Path
    ) -> None:
        for number, example in enumerate(make_dreamer().examples()):
            dreamer, folder = make_dreamer(), tmp_path / str(number)
            dreamt = _dreamt(dreamer, example, sandbox, folder)
            assert bool(dreamt.dreams) is example.is_dreamt_about, example.path
            assert dreamt.dreams or dreamt.note, "it says why there is nothing"
            for dream in dreamt.dreams:
                self._check(dream, dreamer, example)
            for path, text in example.files.items():
                assert (folder / path).read_text("utf-8") == text, "the copy is only read"

    def _check(self, dream: Dream, dreamer: Dreamer, example: Example) -> None:
        assert (dream.dreamer, dream.kind) == (dreamer.name, dreamer.kind)
        assert dream.title
        assert "\n" not in dream.title
        assert dream.change.edits
        for edit in dream.change.edits:
            assert edit.before == example.files.get(edit.path)
            assert edit.before != edit.after
            if edit.path.endswith(".py") and edit.after is not None:
                parse_module(edit.after)


def _dreamt(dreamer: Dreamer, example: Example, sandbox: Sandbox, folder: Path) -> Dreamt:
    for path, text in example.files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    with open_index(folder, IndexSection(), SafetySection(), None) as index:
        index.refresh()
        code = index.load()
    source = read_source(folder, None)
    survey = Survey(Grounds(folder, folder, source, code, Interpreter(None)), sandbox)
    names = {module.path: module.name for module in code.modules}
    allowance = Allowance(_BUDGET, seed=1)
    return dream_about(dreamer, survey.about(names[example.path], example.path), allowance)
