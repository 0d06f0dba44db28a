"""Answers that are begun for a model, and functions that come without their module."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie.dreamers.models import ModelClient, Prompt
from reverie.dreamers.models.beginnings import beginning_of, merged
from reverie.dreamers.models.edits import Place, read_change
from reverie.dreamers.models.tasks import Gap, Task
from reverie.model.dream import Stage
from reverie.model.settings.cycle import ModelProtocol, ModelsSection
from reverie.testing.model_endpoint import Endpoint, anthropic_says, openai_says

PROMPT = Prompt("be brief", "what is one and one?")

SOURCE = '''"""A shop."""

import math

PRICE = 2


def total(count):
    """What it comes to."""
    return PRICE * count


class Till:
    """Where the money is."""

    @property
    def change(self):
        return math.floor(PRICE)

    def _open(self):
        return 1
'''


def client(endpoint: Endpoint, kept: Path | None = None, /, **given: Any) -> ModelClient:
    plain = ModelsSection(protocol=ModelProtocol.OPENAI, endpoint=endpoint.url, name="small")
    return ModelClient(replace(plain, **given), {}, kept)


def task(stage: Stage, **given: Any) -> Task:
    return Task(stage, "shop.py", "shop", SOURCE, **given)


def test_a_test_is_begun_as_far_as_the_first_call() -> None:
    assert beginning_of(task(Stage.A), 0) == (
        "TITLE: Test total\n```python\nfrom shop import total\n\n\ndef test_total():\n"
        "    assert total("
    )


def test_each_round_begins_with_another_function_and_gaps_come_first() -> None:
    weak = task(Stage.A, gaps=(Gap("Till.change", ()), Gap("(the module itself)", ())))
    found = [beginning_of(weak, number).partition("\n")[0] for number in range(3)]
    assert found == ["TITLE: Test Till.change", "TITLE: Test total", "TITLE: Test Till.change"]
    assert "from shop import Till\n" in beginning_of(weak, 0)


def test_a_refactoring_begins_with_the_head_of_a_function_in_its_class() -> None:
    begun = beginning_of(task(Stage.B), 0)
    assert begun.endswith('```python\ndef total(count):\n    """What it comes to."""')
    begun = beginning_of(task(Stage.B), 1)
    assert begun.endswith("```python\nclass Till:\n    @property\n    def change(self):")


@pytest.mark.parametrize("source", ["def f(:\n", "X = 1\n"])
def test_nothing_is_begun_where_there_is_no_function(source: str) -> None:
    assert beginning_of(Task(Stage.A, "shop.py", "shop", source), 0) == ""


def test_a_function_alone_is_put_where_it_stands() -> None:
    code = "def total(count):\n    return count * PRICE\n"
    found = merged(code, SOURCE)
    assert code in found
    assert "import math" in found
    assert found.count("def ") == SOURCE.count("def ")
    method = "class Till:\n    @property\n    def change(self):\n        return PRICE\n"
    assert "    def _open(self):" in merged(method, SOURCE)
    assert "math.floor" not in merged(method, SOURCE)


@pytest.mark.parametrize(
    "code",
    [
        "import math\n\n\ndef total(count):\n    return 1\n",
        "def another():\n    return 1\n",
        "def total(:\n",
    ],
)
def test_any_other_code_is_taken_as_it_is(code: str) -> None:
    assert merged(code, SOURCE) == code
    assert merged(code, None) == code


def test_a_module_of_functions_only_is_replaced_as_a_whole() -> None:
    assert merged("def f():\n    return 1\n", "def f():\n    pass\n\n\ndef g():\n    pass\n") == (
        "def f():\n    return 1\n"
    )


def test_an_answer_of_one_function_changes_only_that() -> None:
    answer = "```python\ndef total(count):\n    return count * PRICE\n```\n"
    (edit,) = read_change(answer, {"shop.py": SOURCE.encode()}, Place("shop.py", SOURCE)).edits
    assert edit.after == SOURCE.replace(
        '    """What it comes to."""\n    return PRICE * count', "    return count * PRICE"
    )


def test_a_begun_answer_goes_on_and_is_whole_again(endpoint: Endpoint) -> None:
    begun = replace(PROMPT, begun="```python\nx = ")
    for said, finish, text in (
        ("1", "stop", "```python\nx = 1\n```\n"),
        ("```python\nx = 1", "stop", "```python\nx = 1\n```\n"),
        ("1", "length", "```python\nx = 1"),
    ):
        endpoint.script = [openai_says(said, finish=finish)]
        assert client(endpoint, cache=False).ask(begun).text == text
    sent = endpoint.asked[0]
    assert sent["messages"][-1] == {"role": "assistant", "content": "```python\nx = "}
    assert sent["stop"] == ["\n```"]
    endpoint.script = [anthropic_says("12")]
    asking = client(endpoint, protocol=ModelProtocol.ANTHROPIC, temperature=0.5)
    assert asking.ask(begun).text == "```python\nx = 12\n```\n"
    assert endpoint.asked[-1]["temperature"] == 0.5


def test_answers_by_chance_are_not_cached(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.script = [openai_says("two"), openai_says("three")]
    asking = client(endpoint, tmp_path, temperature=0.7)
    assert [asking.ask(PROMPT).text, asking.ask(PROMPT).text] == ["two", "three"]
