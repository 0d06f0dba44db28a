"""Workflows as a project writes them down."""

import re
from pathlib import Path

import pytest

from reverie.errors import ConfigError, UsageError
from reverie.model.workflow import Step, Workflow, read_workflow
from reverie.settings import load_settings
from reverie.workflows.declared import declared_workflows, workflow_named


def declared(folder: Path, pyproject: str) -> tuple[Workflow, ...]:
    (folder / "pyproject.toml").write_text(pyproject)
    return declared_workflows(load_settings(folder, {}, {}).settings.workflows)


def test_a_list_of_steps_and_a_table_are_both_workflows(tmp_path: Path) -> None:
    found = declared(
        tmp_path,
        """
        [tool.reverie.workflows]
        duplicate_similarity = 0.99
        short = ["shop:load", "shop:total"]
        [tool.reverie.workflows.long]
        steps = ["shop:load", {call = "shop:price", each = true, params = {rate = 2}}]
        params = {path = "a.csv"}
        test_data = {"a.csv" = "1"}
        """,
    )
    assert [each.name for each in found] == ["short", "long"]
    assert found[0].targets == ("shop:load", "shop:total")
    assert found[1].steps[1] == Step("shop:price", {"rate": 2}, each=True)
    assert found[1].params == {"path": "a.csv"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a = []", "steps: expected a list of 1 to 100"),
        ("a = ['shop']", "step 1: expected module:callable, not 'shop'"),
        ("a = [3]", "step 1: expected module:callable, or a table with call"),
        ("a = [{call = 'm:f', eahc = true}]", "step 1: unknown key 'eahc'"),
        ("a = [{call = 'm:f', cached = true}]", "step 1: cached needs each"),
        ("a = [{call = 'm:f', params = 3}]", "step 1: params: expected a table"),
        ("a = {step = ['m:f']}", "unknown key 'step'"),
        ("a = {steps = ['m:f'], safe_mode = 1}", "safe_mode: expected true or false, not 1"),
        ("a = {steps = ['m:f'], params = {at = 2020-01-01}}", "params: Object of type date"),
        ("a = {steps = ['m:f'], test_data = {x = 1}}", "test_data: expected texts"),
        ("'a b' = ['m:f']", "'a b' is no name of a workflow"),
        ("merge_similarty = 0.9", "did you mean merge_similarity?"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        declared(tmp_path, f"[tool.reverie.workflows]\n{content}")


def test_the_same_steps_on_the_same_data_are_the_same_version() -> None:
    one = read_workflow("a", ["m:f", "m:g"])
    assert one.digest == read_workflow("a", {"steps": ["m:f", {"call": "m:g"}]}).digest
    assert one.digest != read_workflow("a", ["m:g", "m:f"]).digest


def test_what_was_written_down_reads_back() -> None:
    given = {
        "steps": ["m:f", {"call": "m:g", "each": True, "cached": True, "params": {"a": [1]}}],
        "params": {"x": 1},
        "inputs": [{"x": 2}],
        "safe_mode": True,
    }
    workflow = read_workflow("a", given)
    document = workflow.document()
    assert read_workflow(document.pop("name"), document) == workflow


def test_a_name_that_is_not_there_is_the_callers_mistake() -> None:
    with pytest.raises(UsageError, match="did you mean import_all"):
        workflow_named("import_al", [read_workflow("import_all", ["m:f"])])
