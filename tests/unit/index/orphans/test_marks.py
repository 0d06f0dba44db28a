"""The four marks, their confidence and reasons, and how chains are followed."""

from collections.abc import Callable

import pytest

from reverie.model.repository.standing import ModuleSignals

LONE = "def work(x):\n    return [x, x]\n"
BASE = {
    "pyproject.toml": '[project]\nname = "app"\n',
    "app/__init__.py": "from app import core\n",
    "app/core.py": "def run():\n    return 1\n",
}
CHAIN = {
    **BASE,
    "app/head.py": "from app import core, middle\n",
    "app/middle.py": "from app import tail\n",
    "app/tail.py": "VALUE = 1\n",
}
SOURCE = """
import json

LIMIT = 40


def shorten(text, limit=LIMIT):
    \"\"\"Cut.\"\"\"
    words = text.split()
    kept = []
    total = 0
    for word in words:
        total += len(word) + 1
        if total > limit:
            break
        kept.append(word)
    return " ".join(kept) + "..."


class Shelf:
    def __init__(self, path):
        self.path = path
        self.books = {}

    def load(self):
        with open(self.path) as file:
            self.books = json.load(file)
        return sorted(self.books.items(), key=lambda item: -item[1])

    def count(self, author):
        return sum(1 for name in self.books.values() if name == author)
"""
RENAMED = (
    SOURCE.replace("shorten", "abbreviate")
    .replace("words", "pieces")
    .replace("kept", "chosen")
    .replace("total", "length")
    .replace("Shelf", "Rack")
    .replace("books", "volumes")
    .replace("load", "fill")
    .replace('"""Cut."""', '"""Something else entirely."""')
)


def test_a_chain_has_parents_and_depths(standings: Callable) -> None:
    found = standings(CHAIN)
    assert {path: each.depth for path, each in found.items()} == {
        "app/head.py": 0,
        "app/middle.py": 1,
        "app/tail.py": 2,
    }
    assert found["app/head.py"].parents == ()
    assert found["app/middle.py"].parents == ("app.head",)
    assert found["app/tail.py"].parents == ("app.middle",)
    assert "only orphans use it: app.head" in found["app/middle.py"].reasons


def test_without_recursion_only_heads_are_named(standings: Callable) -> None:
    assert set(standings(CHAIN, recursive=False)) == {"app/head.py"}


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 2), (2, 3), (9, 3)])
def test_a_chain_is_followed_so_far(depth: int, count: int, standings: Callable) -> None:
    assert len(standings(CHAIN, max_depth=depth)) == count


def test_a_circle_that_nothing_uses_is_orphaned_whole(standings: Callable) -> None:
    circle = {"app/a.py": "from app import b\n", "app/b.py": "from app import a\n"}
    found = standings({**BASE, **circle}, recursive_isolated=False)
    assert [each.orphan for each in found.values()] == [True, True]
    assert found["app/a.py"].parents == ("app.b",)


def test_isolated_is_what_nothing_ties_to_the_rest(standings: Callable) -> None:
    files = {
        **BASE,
        "app/alone.py": LONE,
        "app/left.py": "from app import right\n",
        "app/right.py": LONE,
        "app/tied.py": "from app import core\n",
    }
    found = standings(files)
    assert {path for path, each in found.items() if each.isolated} == {
        "app/alone.py",
        "app/left.py",
        "app/right.py",
    }
    assert found["app/tied.py"].orphan


def test_isolated_chains_have_a_switch_of_their_own(standings: Callable) -> None:
    files = {**CHAIN, "app/left.py": "from app import right\n", "app/right.py": LONE}
    found = standings(files, recursive_isolated=False)
    assert "app/right.py" not in found
    assert "app/tail.py" in found
    unmarked = standings(files, discover_isolated=False)
    assert unmarked["app/left.py"].orphan
    assert not unmarked["app/left.py"].isolated


def test_a_copy_with_other_names_is_redundant_and_its_original_is_not(standings: Callable) -> None:
    found = standings({**BASE, "app/core.py": SOURCE, "app/shelving.py": RENAMED})
    assert set(found) == {"app/shelving.py"}
    assert found["app/shelving.py"].redundant
    assert found["app/shelving.py"].duplicate_of == "app/core.py"


def test_a_part_of_a_module_is_covered_by_the_whole_and_not_the_other_way(
    standings: Callable,
) -> None:
    part = SOURCE.partition("class Shelf")[0]
    assert standings({**BASE, "app/core.py": SOURCE, "app/part.py": part})["app/part.py"].redundant
    used = {**BASE, "app/core.py": part, "app/whole.py": SOURCE}
    assert not standings(used)["app/whole.py"].redundant


def test_of_two_unused_copies_the_one_called_so_is_redundant(standings: Callable) -> None:
    found = standings({**BASE, "app/rack.py": SOURCE, "app/rack_copy.py": RENAMED})
    assert (found["app/rack.py"].redundant, found["app/rack_copy.py"].redundant) == (False, True)


SMALL = """
def area(width, height):
    return width * height


def half(value):
    return value / 2
"""


def test_a_small_copy_is_redundant_when_it_is_whole_and_unused(standings: Callable) -> None:
    files = {**BASE, "app/core.py": SMALL, "app/geometry.py": SMALL.replace("area", "surface")}
    assert standings(files)["app/geometry.py"].redundant
    more = SMALL.replace("value / 2", "value / 4")
    assert not standings({**files, "app/geometry.py": more})["app/geometry.py"].redundant
    used = {**files, "app/__init__.py": "from app import core, geometry\n"}
    assert standings(used) == {}


def test_tables_of_constants_are_no_behaviour(standings: Callable) -> None:
    table = "".join(f"NAME_{n} = {n}\n" for n in range(60))
    found = standings({**BASE, "app/a.py": table, "app/b.py": table})
    assert not any(each.redundant for each in found.values())


def test_different_code_of_one_shape_is_not_redundant(standings: Callable) -> None:
    other = SOURCE.replace("split", "partition").replace('"..."', '"--"').replace("40", "7")
    other = other.replace("json.load", "json.loads").replace("append", "extend")
    other = other.replace("sorted", "list").replace("values", "keys").replace("-item", "+item")
    found = standings({**BASE, "app/core.py": SOURCE, "app/else_.py": other})
    assert not found["app/else_.py"].redundant


def test_redundant_orphans_are_followed_only_when_asked(standings: Callable) -> None:
    files = {
        **BASE,
        "app/core.py": SOURCE,
        "app/copy_of.py": "from app import needed\n" + RENAMED,
        "app/needed.py": "VALUE = 1\n",
    }
    assert "app/needed.py" in standings(files)
    skipped = standings(files, include_redundant=False)
    assert "app/needed.py" not in skipped
    assert skipped["app/copy_of.py"].redundant


LEGACY = {
    "warning": "import warnings\nwarnings.warn('use b', DeprecationWarning)\n",
    "docstring": '"""Old reports.\n\n.. deprecated:: 2.0\n   Use b.\n"""\n',
    "sentence": '"""This module is deprecated, use app.b instead."""\n',
    "superseded": '"""Reports; superseded by app.b."""\n',
    "comment": "# DEPRECATED: use app.b\nVALUE = 1\n",
    "helper": "from app.core import warn_deprecated\nwarn_deprecated(__name__)\n",
    "constant": "DEPRECATED = True\n",
}
NOT_LEGACY = {
    "about deprecation": '"""Helpers that mark functions as deprecated."""\n',
    "a function's warning": (
        "import warnings\n\ndef f():\n    warnings.warn('x', DeprecationWarning)\n"
    ),
    "another warning": "import warnings\nwarnings.warn('slow', RuntimeWarning)\n",
    "a function's docstring": 'def f():\n    """This function is deprecated."""\n',
    "old data": '"""Reads the encodings of old terminals."""\n',
}


@pytest.mark.parametrize("code", LEGACY.values(), ids=LEGACY)
def test_a_module_that_calls_itself_out_of_date_is_legacy(code: str, standings: Callable) -> None:
    found = standings({**BASE, "app/core.py": "from app import reports\n", "app/reports.py": code})
    assert found["app/reports.py"].legacy
    assert not found["app/reports.py"].orphan
    assert found["app/reports.py"].parents == ("app.core",)


@pytest.mark.parametrize("code", NOT_LEGACY.values(), ids=NOT_LEGACY)
def test_speaking_of_deprecation_is_not_being_it(code: str, standings: Callable) -> None:
    files = {**BASE, "app/core.py": "from app import reports\n", "app/reports.py": code}
    assert "app/reports.py" not in standings(files)


@pytest.mark.parametrize(
    ("name", "legacy"),
    [("report_old", True), ("legacy", False), ("old_report", True), ("threshold", False),
     ("folder", False), ("deprecated", False), ("report", False)],
)  # fmt: skip
def test_a_name_can_say_it_too(name: str, legacy: bool, standings: Callable) -> None:
    files = {**BASE, "app/core.py": f"from app import {name}\n", f"app/{name}.py": LONE}
    assert (f"app/{name}.py" in standings(files)) == legacy


def test_what_is_measured_moves_the_confidence(standings: Callable) -> None:
    files = {**BASE, "app/alone.py": LONE}

    def confidence(signals: ModuleSignals) -> float:
        value: float = standings(files, {"app/alone.py": signals})["app/alone.py"].confidence
        return value

    plain = confidence(ModuleSignals())
    assert confidence(ModuleSignals(coverage=0.5)) < plain < confidence(ModuleSignals(coverage=0.0))
    assert confidence(ModuleSignals(days_since_change=3)) < plain
    assert confidence(ModuleSignals(days_since_change=900)) > plain


def test_a_file_that_does_not_parse_is_an_orphan_with_doubt(standings: Callable) -> None:
    found = standings({**BASE, "app/broken.py": "def (:\n", "app/alone.py": LONE})
    assert found["app/broken.py"].orphan
    assert "it does not parse" in found["app/broken.py"].reasons
    assert found["app/broken.py"].confidence < found["app/alone.py"].confidence


def test_an_empty_package_file_is_no_orphan_by_itself(standings: Callable) -> None:
    files = {
        **BASE,
        "app/assets/__init__.py": "",
        "app/dead/__init__.py": "",
        "app/dead/x.py": LONE,
    }
    assert set(standings(files)) == {"app/dead/__init__.py", "app/dead/x.py"}


def test_an_empty_repository_has_no_marks(standings: Callable) -> None:
    assert standings({"README.md": "nothing\n"}) == {}


def test_a_number_without_end_does_not_hide_what_its_file_says(standings: Callable) -> None:
    huge = f"LIMIT = 0x{'f' * 8000}\nNAMES = ['app.alone']\n"
    assert standings({**BASE, "app/core.py": huge, "app/alone.py": LONE}) == {}


def test_the_example_of_the_documents(standings: Callable) -> None:
    found = standings({"isolated.py": "import helper\n", "helper.py": "VALUE = 1\n"})
    assert [each.isolated for each in found.values()] == [True, True]
    assert found["helper.py"].parents == ("isolated",)
    assert set(standings({}, recursive_isolated=False)) == {"isolated.py"}
