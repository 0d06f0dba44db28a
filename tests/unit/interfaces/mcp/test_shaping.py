"""Answers within bounds: what is cut, what says so, and where the rest can be read."""

import asyncio
import functools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.interfaces.mcp.answers import Survivor
from reverie.interfaces.mcp.serving import UNLISTED, Manner, build_server
from reverie.interfaces.mcp.shaping import (
    ANSWER_TOKENS,
    DETAIL_TOKENS,
    PAGE_CHARACTERS,
    Answer,
    Shelf,
    dumped,
    fitted,
    tokens_of,
    told,
)
from reverie.settings import load_settings

FUNCTION = '''def {name}(first_argument: dict[str, list[int]], other: tuple[str, ...] = ()) -> int:
    """Says something about {name}, at some length, as documentation does."""
    return len(first_argument) + len(other)


'''


USUAL = Manner()


class Many(Answer):
    survivors: list[Survivor]
    note: str = ""


def mutant(number: int) -> Survivor:
    return Survivor(
        id=f"m{number}", file="shop.py", line=number, operator="compare", diff="-a\n+b\n" * 40
    )


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of 300 modules; one function has more callers than the others."""
    folder = tmp_path_factory.mktemp("large")
    for package in range(30):
        place = folder / "src" / f"package_{package:02}"
        place.mkdir(parents=True)
        (place / "__init__.py").write_text("")
        for number in range(10):
            lines = [f"from package_{package:02} import module_0\n\n\n"] if number else []
            lines += [FUNCTION.format(name=f"compute_{number}_{each}") for each in range(4)]
            lines += [f"\n\ndef caller_{each}():\n    return compute_{number}_0({{}})\n"
                      for each in range(20 if package == 3 else 2)]  # fmt: skip
            (place / f"module_{number}.py").write_text("".join(lines))
    return folder


@functools.cache
def server_for(folder: Path) -> Any:
    return build_server(load_settings(folder, {}, {}))


def ask(folder: Path, name: str, **arguments: Any) -> Any:
    return asyncio.run(server_for(folder).call_tool(name, arguments))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("repository_map", {}),
        ("repository_map", {"limit": 2000}),
        ("repository_map", {"prefix": "package_03"}),
        ("repository_map", {"prefix": "package_03.module_1"}),
        ("find_function", {"query": "compute", "limit": 200}),
        ("callers", {"function": "src/package_03/module_1.py:compute_1_0", "limit": 500}),
    ],
)
def test_answers_about_a_large_repository_take_at_most_4000_tokens(
    large: Path, name: str, arguments: dict[str, Any]
) -> None:
    answer = ask(large, name, **arguments)
    text = "".join(each.text for each in answer.content)
    assert not answer.is_error, text
    assert tokens_of(answer.structured_content) + tokens_of(text) <= ANSWER_TOKENS
    document = answer.structured_content
    assert bool(document["cut"]) == (document["whole"] is not None)


def test_the_map_is_paged_and_every_module_is_on_one_page(large: Path) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = ask(large, "repository_map", offset=offset).structured_content
        assert page["cut"] == []
        seen += [each["name"] for each in page["modules"]]
        offset = page["next_offset"]
    assert len(seen) == len(set(seen)) == 330


def test_detail_gives_more_and_still_has_a_bound(large: Path) -> None:
    short = ask(large, "repository_map", limit=2000).structured_content
    long = ask(large, "repository_map", limit=2000, detail=True).structured_content
    assert tokens_of(short) < tokens_of(long) <= DETAIL_TOKENS
    assert long["edges"]


def test_what_was_cut_can_be_read_page_by_page() -> None:
    shelf = Shelf()
    answer = told(Many(survivors=[mutant(each) for each in range(400)]), shelf)
    document = answer.structured_content
    assert document is not None
    assert tokens_of(document) <= ANSWER_TOKENS
    assert document["cut"]
    name = document["whole"].split("/")[3]
    pages, number = [], 1
    while (page := shelf.page(name, number)) is not None:
        pages.append(page.partition("\n[next page:")[0])
        number += 1
    assert number > 2
    assert len(json.loads("".join(pages))["survivors"]) == 400
    assert all(len(each) <= PAGE_CHARACTERS for each in pages)


def test_a_short_answer_is_whole_and_its_text_is_one_line() -> None:
    answer = told(Many(survivors=[mutant(1)], note="fine"), Shelf())
    assert answer.structured_content is not None
    assert (answer.structured_content["cut"], answer.structured_content["whole"]) == ([], None)
    (text,) = (each.text for each in answer.content)
    assert text == "survivors: 1; note: fine"


def test_as_text_it_is_said_once_too() -> None:
    answer = told(Many(survivors=[mutant(1)]), Shelf(), as_text=True)
    assert answer.structured_content is None
    assert json.loads(answer.content[0].text)["survivors"][0]["id"] == "m1"


def test_old_answers_are_forgotten() -> None:
    shelf = Shelf()
    first = shelf.keep("one").split("/")[3]
    for each in range(100):
        shelf.keep(str(each))
    assert shelf.page(first, 1) is None


@given(
    st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.text(max_size=3000) | st.integers(),
            lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(), inner),
            max_leaves=40,
        ),
        max_size=6,
    )
)
def test_cutting_ends_and_keeps_every_key(document: dict[str, Any]) -> None:
    keys = list(document)
    found, cut = fitted(json.loads(dumped(document)), 300)
    assert list(found) == keys
    assert tokens_of(found) <= 300 or all(
        not isinstance(each, list | str) or len(each) <= 210 for each in found.values()
    )
    assert all(": " in each for each in cut)


def test_few_tools_are_listed_and_the_others_still_answer(repository: Path) -> None:
    listed = set(_tools(repository, USUAL))
    every = set(_tools(repository, Manner(lists_all=True)))
    assert every - listed == UNLISTED
    assert len([each for each in listed if "dream" in each]) == 2


def test_what_an_agent_reads_before_it_asks_anything_is_bounded(repository: Path) -> None:
    tools = _tools(repository, USUAL)
    told = [{"name": name, "description": each.description, "input": each.input_schema}
            for name, each in tools.items()]  # fmt: skip
    assert tokens_of(told) <= 7_000


def _tools(repository: Path, manner: Manner) -> dict[str, Any]:
    server = build_server(load_settings(repository, {}, {}), None, manner)
    return {each.name: each for each in asyncio.run(server.list_tools())}
