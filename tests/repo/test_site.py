"""The site has every page once, fetches nothing, and its links and anchors lead somewhere."""

import importlib.util
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)


@pytest.fixture
def project(root: Path) -> dict[str, Any]:
    with (root / "zensical.toml").open("rb") as file:
        return tomllib.load(file)["project"]


def leaves(entries: list[Any]) -> Iterator[str]:
    for entry in entries:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from leaves(value)


def anchors(page: Path) -> set[str]:
    """Headings as links name them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def test_every_page_is_in_the_navigation_once(root: Path, project: dict[str, Any]) -> None:
    docs = root / "docs"
    pages = (page.relative_to(docs) for page in docs.rglob("*.md"))
    wanted = sorted(str(page) for page in pages if page.parts[0] != "decisions")
    assert sorted(leaves(project["nav"])) == wanted


def test_it_is_sorted_by_what_a_reader_wants(project: dict[str, Any]) -> None:
    parts = [name for entry in project["nav"] for name in entry]
    assert parts == ["Home", "Start", "Guides", "Reference", "Explanation", "Internal"]


def test_users_have_few_pages_to_read(project: dict[str, Any]) -> None:
    sections = {name: value for entry in project["nav"] for name, value in entry.items()}
    users = [value for name, value in sections.items() if name != "Internal"]
    assert len(list(leaves([{"page": value} for value in users]))) <= 25


HOUSE_WORDS = re.compile(r"\b(dreamt|told|held back|the border)\b")


def test_pages_for_users_use_plain_words(root: Path, project: dict[str, Any]) -> None:
    sections = {name: value for entry in project["nav"] for name, value in entry.items()}
    users = [{"page": value} for name, value in sections.items() if name != "Internal"]
    for page in leaves(users):
        text = CODE.sub("", (root / "docs" / page).read_text("utf-8"))
        assert not HOUSE_WORDS.findall(text), page


def test_it_fetches_no_fonts(project: dict[str, Any]) -> None:
    assert project["theme"]["font"] is False


def test_every_anchor_is_a_heading(root: Path) -> None:
    for page in [*root.glob("*.md"), *(root / "docs").rglob("*.md")]:
        text = CODE.sub("", page.read_text("utf-8"))
        for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
            there = page.parent / target if target else page
            assert anchor in anchors(there), f"{page.name}: {target}#{anchor}"


def test_a_table_ends_before_the_next_heading(root: Path) -> None:
    for page in (root / "docs").rglob("*.md"):
        swallowed = re.findall(r"^\|.*\n(#+ .+)$", page.read_text("utf-8"), re.MULTILINE)
        assert not swallowed, f"{page.name}: an empty line is missing before {swallowed}"


def test_no_page_leads_out_of_the_site(root: Path) -> None:
    for page in (root / "docs").rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)", CODE.sub("", page.read_text("utf-8"))):
            there = (page.parent / target).resolve()
            assert there.is_file(), f"{page.name}: {target}"
            assert there.is_relative_to(root.resolve() / "docs"), f"{page.name}: {target}"


def test_the_generated_pages_are_up_to_date(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("write_docs", root / "scripts/write_docs.py")
    assert spec is not None
    assert spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    for page, text in writer.whole_pages().items():
        assert page.read_text("utf-8") == text, f"{page.name}: run make docs"
