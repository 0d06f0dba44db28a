"""Where a change can become a promotion: one function makes it, two places ask for it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.interfaces.mcp.serving import build_server
from reverie.interfaces.web.admission import Keys
from reverie.interfaces.web.application import build_application
from reverie.interfaces.web.desk import Desk
from reverie.settings import load_settings

DECIDED_ON_PAGES = {
    "/login",
    "/cycles/{cycle}/dreams/{dream}/approve",
    "/cycles/{cycle}/dreams/{dream}/reject",
    "/cycles/{cycle}/dreams/{dream}/rollback",
    "/cycles/{cycle}/findings/{finding}/verdict",
}

NAMED = ("offer_dream", ".promote", "require_promotable", "branches.move")


@pytest.fixture(scope="module")
def calls(root: Path) -> list[tuple[str, str, ast.Call]]:
    """Every call in modules that name what is looked for: module, what is called, and where."""

    def found() -> Iterator[tuple[str, str, ast.Call]]:
        for path in sorted((root / "src" / "reverie").rglob("*.py")):
            name, text = (
                path.relative_to(root / "src" / "reverie").as_posix(),
                path.read_text("utf-8"),
            )
            if not any(word in text for word in NAMED):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call):
                    yield name, ast.unparse(node.func), node

    return list(found())


def callers(calls: list[tuple[str, str, ast.Call]], last: str) -> set[str]:
    return {name for name, called, _ in calls if called.rpartition(".")[2] == last}


def test_one_function_offers_and_two_places_ask_it_to(
    calls: list[tuple[str, str, ast.Call]],
) -> None:
    assert callers(calls, "offer_dream") == {
        "interfaces/cli/views/promotions.py",
        "cycle/workshop.py",
    }
    promoted = {(name, called) for name, called, _ in calls if called.endswith(".promote")}
    assert promoted == {
        ("promotion/offering.py", "promoter.promote"),
        ("cycle/workshop.py", "self._here.promote"),
        ("cycle/stepping.py", "self.workshop.promote"),
    }
    assert callers(calls, "require_promotable") == {
        "promotion/offering.py", "promotion/promoter.py",
    }  # fmt: skip


def test_a_branch_moves_in_two_places_and_by_one_command(
    calls: list[tuple[str, str, ast.Call]], root: Path
) -> None:
    moving = {name for name, called, _ in calls if called.endswith("branches.move")}
    assert moving == {"promotion/promoter.py", "promotion/rollback.py"}
    writing = {
        path.name
        for path in (root / "src" / "reverie" / "promotion").rglob("*.py")
        if "update-ref" in path.read_text("utf-8")
    }
    assert writing == {"branches.py"}


@pytest.mark.parametrize("room", ["mcp", "web", "metrics"])
def test_no_other_interface_knows_how_to_offer(room: str, root: Path) -> None:
    for path in sorted((root / "src" / "reverie" / "interfaces" / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                told = f"{node.module} {' '.join(alias.name for alias in node.names)}"
                for word in (
                    "offering",
                    "offer_dream",
                    "Promoter",
                    "promoter",
                    "commits",
                    "branches",
                    "promotion.git",
                ):
                    assert word not in told, f"{path.name}: {told}"


def test_pages_decide_what_people_sign_and_nothing_else(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path, {}, {})
    app = build_application(Desk(loaded, {}, Keys("a-token-of-tests-1234", 8378), False, True), [])
    deciding = {
        route.path
        for route in app.routes
        if (route.methods or set()) - {"GET", "HEAD"}  # type: ignore[attr-defined]
    }
    assert deciding == DECIDED_ON_PAGES


def test_agents_have_no_tool_that_approves_promotes_or_takes_back(tmp_path: Path) -> None:
    names = {
        tool.name
        for tool in build_server(load_settings(tmp_path, {}, {}))._tool_manager.list_tools()
    }
    assert "submit_dream" in names
    for word in ("promote", "approve", "reject", "rollback", "merge", "commit", "push", "offer"):
        assert not [name for name in names if word in name]
