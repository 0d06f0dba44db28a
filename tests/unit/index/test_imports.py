"""Imports lead where Python would go."""

from collections.abc import Callable

import pytest

from reverie.model.repository.code import ImportKind


def edges(index) -> set[tuple[str, str]]:
    return set(index.edges)


def test_relative_imports_start_from_the_folder(indexed: Callable) -> None:
    index = indexed(
        {
            "pkg/__init__.py": "from . import a\nfrom .sub import b as other\n",
            "pkg/a.py": "",
            "pkg/sub/__init__.py": "from ..a import x\nfrom .. import a\n",
            "pkg/sub/b.py": "from . import nothing\nfrom ...beyond import y\n",
        }
    )
    assert edges(index) == {
        ("pkg", "pkg.a"),
        ("pkg", "pkg.sub.b"),
        ("pkg.sub", "pkg.a"),
        ("pkg.sub.b", "pkg.sub"),
    }


def test_a_name_taken_out_of_a_package_is_its_submodule_when_there_is_one(
    indexed: Callable,
) -> None:
    index = indexed(
        {
            "pkg/__init__.py": "",
            "pkg/sub.py": "value = 1\n",
            "user.py": "from pkg import sub\nfrom pkg.sub import value\nimport pkg.sub as s\n",
            "other.py": "from pkg import value\nimport pkg.missing.deeper\n",
        }
    )
    assert edges(index) == {("user", "pkg.sub"), ("other", "pkg")}


def test_kinds_are_kept_apart(indexed: Callable) -> None:
    index = indexed(
        {
            "a.py": "",
            "b.py": "",
            "c.py": "",
            "d.py": "",
            "e.py": "",
            "user.py": (
                "import typing\nfrom typing import TYPE_CHECKING\nimport a\n"
                "if TYPE_CHECKING:\n    import b\n"
                "if not typing.TYPE_CHECKING:\n    import c\nelse:\n    import e\n"
                "try:\n    import c\nexcept ImportError:\n    c = None\n"
                "def f():\n    import d\n    if typing.TYPE_CHECKING:\n        import e\n"
            ),
        }
    )
    user = next(each for each in index.modules if each.name == "user")
    assert [(each.module, each.kind) for each in user.imports if each.is_internal] == [
        ("a", ImportKind.PLAIN),
        ("b", ImportKind.TYPE_CHECKING),
        ("c", ImportKind.CONDITIONAL),
        ("e", ImportKind.TYPE_CHECKING),
        ("c", ImportKind.CONDITIONAL),
        ("d", ImportKind.LOCAL),
        ("e", ImportKind.TYPE_CHECKING),
    ]
    assert edges(index) == {("user", "a"), ("user", "c"), ("user", "d")}
    assert set(index.type_checking_edges) == {("user", "b"), ("user", "e")}


def test_an_edge_that_also_runs_is_no_edge_of_type_checkers_only(indexed: Callable) -> None:
    index = indexed(
        {
            "a.py": "",
            "user.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\n"
            "def f():\n    import a\n",
        }
    )
    assert edges(index) == {("user", "a")}
    assert not index.type_checking_edges


@pytest.mark.parametrize("star", ["from pkg.part import *\n", "from .part import *\n"])
def test_a_star_is_an_edge(indexed: Callable, star: str) -> None:
    index = indexed({"pkg/__init__.py": star, "pkg/part.py": "x = 1\n"})
    assert edges(index) == {("pkg", "pkg.part")}


def test_a_src_layout_leaves_src_out_of_the_name(indexed: Callable) -> None:
    index = indexed(
        {
            "src/pkg/__init__.py": "",
            "src/pkg/a.py": "from pkg import b\n",
            "src/pkg/b.py": "",
            "tests/test_a.py": "import pkg.a\n",
        }
    )
    assert {each.name for each in index.modules} == {"pkg", "pkg.a", "pkg.b", "tests.test_a"}
    assert edges(index) == {("pkg.a", "pkg.b"), ("tests.test_a", "pkg.a")}


def test_namespace_packages_have_their_whole_name(indexed: Callable) -> None:
    index = indexed(
        {
            "src/ns/one/__init__.py": "from ns.two import mod\nfrom ns.two.mod import x\n",
            "src/ns/two/mod.py": "x = 1\n",
        }
    )
    assert {each.name for each in index.modules} == {"ns.one", "ns.two.mod"}
    assert edges(index) == {("ns.one", "ns.two.mod")}


def test_a_flat_namespace_package_is_known_by_how_it_is_imported(indexed: Callable) -> None:
    index = indexed({"ns/part/__init__.py": "", "ns/part/a.py": "", "use.py": "import ns.part.a\n"})
    assert edges(index) == {("use", "ns.part.a")}


def test_several_import_roots(indexed: Callable) -> None:
    index = indexed(
        {
            "libs/beta/__init__.py": "",
            "libs/beta/tools.py": "",
            "src/alpha/__init__.py": "from beta import tools\n",
            "services/web/pyproject.toml": "[project]\nname = 'web'\n",
            "services/web/src/gamma/__init__.py": "import alpha\nimport beta.tools\n",
        }
    )
    assert edges(index) == {
        ("alpha", "beta.tools"),
        ("gamma", "alpha"),
        ("gamma", "beta.tools"),
    }
    assert {each.name: each.distribution for each in index.modules}["gamma"] == "web"


def test_roots_can_be_configured(indexed: Callable) -> None:
    files = {"code/app/__init__.py": "", "code/tool.py": "import app\n"}
    assert edges(indexed(files, roots=("code",))) == {("tool", "app")}


@pytest.mark.parametrize(
    "project",
    [
        "[tool.setuptools.packages.find]\nwhere = ['python']\n",
        "[tool.setuptools.package-dir]\n'' = 'python'\n",
        "[tool.hatch.build.targets.wheel]\npackages = ['python/ns']\n",
        "[[tool.poetry.packages]]\ninclude = 'ns'\nfrom = 'python'\n",
        "[tool.maturin]\npython-source = 'python'\n",
        "[tool.pytest.ini_options]\npythonpath = 'python'\n",
    ],
)
def test_project_files_say_where_imports_start(indexed: Callable, project: str) -> None:
    index = indexed({"pyproject.toml": project, "python/ns/part/mod.py": ""})
    assert [each.name for each in index.modules] == ["ns.part.mod"]


def test_scripts_and_tests_import_what_lies_beside_them(indexed: Callable) -> None:
    index = indexed(
        {
            "scripts/run.py": "import helpers, json\n",
            "scripts/helpers.py": "",
            "scripts/json.py": "",
            "tests/conftest.py": "",
            "tests/checks.py": "",
            "tests/unit/test_x.py": "import checks\nimport helpers\nimport json\n",
        }
    )
    assert edges(index) == {
        ("scripts.run", "scripts.helpers"),
        ("scripts.run", "scripts.json"),
        ("tests.unit.test_x", "tests.checks"),
    }


def test_a_module_named_like_one_of_the_standard_library_is_not_it(indexed: Callable) -> None:
    index = indexed({"pkg/__init__.py": "import queue\n", "queue.py": "", "pkg/queue.py": ""})
    assert not index.edges


def test_names_are_unique_and_what_python_finds_first_has_the_short_one(
    indexed: Callable,
) -> None:
    index = indexed(
        {
            "src/pkg/__init__.py": "",
            "examples/one/pkg/__init__.py": "",
            "examples/two/pkg/__init__.py": "",
            "use.py": "import pkg\n",
        }
    )
    names = {each.path: each.name for each in index.modules}
    assert names["src/pkg/__init__.py"] == "pkg"
    assert len(set(names.values())) == 4
    assert edges(index) == {("use", "pkg")}


def test_a_repository_that_is_a_package_has_its_own_name_in_front(indexed: Callable) -> None:
    index = indexed({"__init__.py": "from . import a\n", "a.py": "", "sub/b.py": ""})
    folder = index.repository.rpartition("/")[2]
    if not folder.isidentifier():
        pytest.skip("a folder that cannot be a package")
    assert {each.name for each in index.modules} == {folder, f"{folder}.a", f"{folder}.sub.b"}
    assert edges(index) == {(folder, f"{folder}.a")}


def test_a_package_hides_a_module_of_its_name(indexed: Callable) -> None:
    index = indexed({"x/__init__.py": "", "x.py": "", "use.py": "import x\n"})
    (edge,) = index.edges
    paths = {each.name: each.path for each in index.modules}
    assert paths[edge[1]] == "x/__init__.py"


def test_mentions_are_modules_named_in_strings(indexed: Callable) -> None:
    index = indexed(
        {
            "app/__init__.py": "",
            "app/plugins.py": "",
            "app/views.py": "",
            "run.py": "import importlib\nimportlib.import_module('app')\n"
            "TABLE = ['app.plugins', 'app.views:main', 'app.views.Index', 'no.such']\n",
        }
    )
    run = next(each for each in index.modules if each.name == "run")
    assert set(run.mentions) == {"app", "app.plugins", "app.views"}


def test_what_is_imported_from_the_folder_of_the_repository_is_found(indexed: Callable) -> None:
    index = indexed({"src/models/net.py": "", "train.py": "from src.models import net\n"})
    assert edges(index) == {("train", "models.net")}


def test_the_main_module_is_whatever_was_started(indexed: Callable) -> None:
    assert not indexed({"__main__.py": "", "a.py": "import __main__\n"}).edges


def test_a_stray_file_at_the_top_does_not_hide_the_packages_below(indexed: Callable) -> None:
    index = indexed({"__init__.py": "", "pkg/a.py": "", "pkg/b.py": "from pkg import a\n"})
    ((importer, imported),) = index.edges
    assert (importer.rpartition(".")[2], imported.rpartition(".")[2]) == ("b", "a")
