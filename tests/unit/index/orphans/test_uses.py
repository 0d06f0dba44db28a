"""What counts as a use of a module, and what only looks like one."""

from collections.abc import Callable

import pytest

LONE = "def work(x):\n    return [x, x]\n"
BASE = {
    "pyproject.toml": '[project]\nname = "app"\n',
    "app/__init__.py": "from app import core\n",
    "app/core.py": "def run():\n    return 1\n",
    "app/lone.py": LONE,
}
DYNAMIC = "import importlib\n\ndef load(name):\n    return importlib.import_module({})\n"


def with_core(code: str) -> dict[str, str]:
    return {**BASE, "app/core.py": code}


def with_file(path: str, text: str) -> dict[str, str]:
    before = BASE.get(path, "")
    return {**BASE, path: before + text}


USES = {
    "version of setuptools": with_file(
        "pyproject.toml", '[tool.setuptools.dynamic]\nversion = {attr = "app.lone.VERSION"}\n'
    ),
    "version of setup.cfg": with_file(
        "setup.cfg", "[metadata]\nversion = attr: app.lone.VERSION\n"
    ),
    "version of hatch": with_file("pyproject.toml", '[tool.hatch.version]\npath = "app/lone.py"\n'),
    "path in a container": with_file("Dockerfile", 'CMD ["python", "/srv/app/lone.py"]\n'),
    "path with backslashes": with_file("build.ps1", "python app\\lone.py\n"),
    "script without a suffix": with_file("run-it", "#!/bin/sh\nexec python -m app.lone\n"),
    "settings of an editor": with_file(
        ".vscode/launch.json", '{"configurations": [{"module": "app.lone"}]} // d\n'
    ),
    "build file": with_file("CMakeLists.txt", "COMMAND ${PY} ${HERE}/app/lone.py\n"),
    "place of migrations": with_file("alembic.ini", "[alembic]\nscript_location = app\n"),
    "program in an argument vector": with_core("A = ['python', '-c', 'import app.lone']\n"),
    "program in a constant": with_core("P = 'from app.lone import work; work(1)'\n"),
    "program that is run": with_core("def f(s):\n    s.exec('import app.lone')\n"),
    "attribute of a pattern": with_core("def f(n):\n    return f'app.{n}:work'\n"),
    "computed __all__": with_file(
        "app/__init__.py",
        "from app import core\nimport glob\n"
        "__all__ = [f[:-3] for f in glob.glob(__file__ + '*.py')]\n",
    ),
    "program of a workflow": with_file(".github/workflows/a.yml", "run: |\n  import app.lone\n"),
    "run in a notebook": with_file("docs/a.md", "%run ../app/lone.py\n"),
    "import": with_core("from app import lone\n"),
    "import in a function": with_core("def f():\n    import app.lone\n"),
    "import for type checkers": with_core(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app.lone import work\n"
    ),
    "import_module": with_core(DYNAMIC.format("'app.lone'")),
    "__import__": with_core("__import__('app.lone')\n"),
    "relative import_module": with_core(DYNAMIC.format("'.lone', __package__")),
    "f-string": with_core(DYNAMIC.format("f'app.{name}'")),
    "f-string of the package": with_core(DYNAMIC.format("f'{__package__}.{name}'")),
    "sum": with_core(DYNAMIC.format("'app.' + name")),
    "percent": with_core(DYNAMIC.format("'app.%s' % name")),
    "format": with_core(DYNAMIC.format("'app.{}'.format(name)")),
    "join": with_core(DYNAMIC.format("'.'.join(['app', name])")),
    "constant prefix": with_core("P = 'app.'\n" + DYNAMIC.format("P + name")),
    "middle of a name": with_core(DYNAMIC.format("f'app.lo{name}'")),
    "registry": with_core("KINDS = {'lone': 'app.lone.work'}\n"),
    "registry with a colon": with_core("KINDS = ['app.lone:work']\n"),
    "words beside a dynamic import": with_core(
        "N = ['lone']\n" + DYNAMIC.format("f'{PREFIX}{name}'")
    ),
    "lazy names": {
        **BASE,
        "app/__init__.py": (
            "from app import core\nL = {'w': '.lone'}\n\ndef __getattr__(n):\n    ...\n"
        ),
    },
    "__all__": {**BASE, "app/__init__.py": "from app import core\n__all__ = ['lone', 'core']\n"},
    "pkgutil": with_core(
        "import pkgutil, app\n\n"
        "for m in pkgutil.iter_modules(app.__path__):\n    __import__(m.name)\n"
    ),
    "listed files": with_core(
        "import importlib, os\nfor n in os.listdir(os.path.dirname(__file__)):\n"
        "    if n.endswith('.py'):\n        importlib.import_module(n)\n"
    ),
    "subprocess": with_core("import sys\nC = [sys.executable, '-m', 'app.lone']\n"),
    "command in a string": with_core("C = 'python -m app.lone --fast'\n"),
    "path in a string": with_core("C = ['python', 'app/lone.py']\n"),
    "file beside": with_core("from pathlib import Path\nP = Path(__file__).with_name('lone.py')\n"),
    "patched by a test": with_file(
        "tests/test_a.py",
        "from unittest import mock\n\ndef test_a():\n    mock.patch('app.lone.work')\n",
    ),
    "console script": with_file("pyproject.toml", '[project.scripts]\nx = "app.lone:work"\n'),
    "plug-in": with_file("pyproject.toml", '[project.entry-points.z]\nx = "app.lone"\n'),
    "poetry": with_file("pyproject.toml", '[tool.poetry.scripts]\nx = "app.lone:work"\n'),
    "setup.cfg": with_file(
        "setup.cfg", "[options.entry_points]\nconsole_scripts =\n    x = app.lone:work\n"
    ),
    "setup.py": with_file("setup.py", "setup(entry_points={'a': ['x = app.lone:work [fast]']})\n"),
    "entry_points.txt": with_file("app.dist-info/entry_points.txt", "[a]\nx = app.lone:work\n"),
    "-p of pytest": with_file("pytest.ini", "[pytest]\naddopts = -q -p app.lone\n"),
    "pytest_plugins": with_file("conftest.py", "pytest_plugins = ['app.lone']\n"),
    "Dockerfile": with_file("Dockerfile", 'CMD ["python", "-m", "app.lone"]\n'),
    "Makefile": with_file("Makefile", "x:\n\tpython app/lone.py\n"),
    "workflow": with_file(".github/workflows/a.yml", "x:\n  - run: python -m app.lone\n"),
    "YAML": with_file("conf/a.yaml", "hooks:\n  - app.lone.work\n"),
    "JSON": with_file("conf/a.json", '{"hook": {"path": "app.lone:work"}}'),
    "broken JSON": with_file("conf/a.json", '{"hook": "app.lone:work",}'),
    "lambda": with_file("serverless.yml", "f:\n  handler: app/lone.work\n"),
    "README": with_file("README.md", "Run `python -m app.lone` first.\n"),
    "automodule": with_file("docs/a.rst", ".. automodule:: app.lone\n"),
    "example in a document": with_file("docs/a.md", "```python\nfrom app.lone import work\n```\n"),
    "notebook": with_file(
        "n.ipynb", '{"cells": [{"cell_type": "code", "source": ["import app.lone as l"]}]}'
    ),
    "stub": with_file("app/__init__.pyi", "from .lone import work\n"),
}

NO_USES = {
    "report of coverage": with_file(
        "coverage.xml", '<coverage><class filename="app/lone.py"/></coverage>\n'
    ),
    "report of findings": with_file(
        "a.json", '{"runs": [{"physicalLocation": {"uri": "app/lone.py"}}]}\n'
    ),
    "watched by a workflow": with_file(
        ".github/workflows/a.yml", "on:\n  push:\n    paths:\n      - app/lone.py\n"
    ),
    "beside a scanned folder": with_core(
        "import pkgutil\nfrom pathlib import Path\n"
        "def f():\n"
        "    return list(pkgutil.walk_packages([str(Path(__file__).parent / 'plugins')]))\n"
    )
    | {"app/plugins/one.py": "X = 1\n"},
    "default prefix of names that users give": with_core(
        "from pkgutil import resolve_name\n"
        "def f(name):\n    name = 'app.' + name\n    return resolve_name(name)\n"
    ),
    "walk of another folder": with_core(
        "import os\ndef f(d):\n"
        "    return [__import__(n) for n in os.walk(d) if n.endswith('.py')]\n"
    ),
    "program that is a sentence": with_core("H = 'Once: import app.lone; but no more.'\n"),
    "nothing": BASE,
    "comment": with_core("# from app import lone\n"),
    "docstring": with_core('def f():\n    """Like app.lone."""\n'),
    "whole docstring": with_core('"""app.lone"""\n'),
    "message": with_core("M = 'see app.lone for more'\n"),
    "logger": with_core("import logging\nlogging.getLogger('app.lone')\n"),
    "loggers of a configuration": with_core("L = {'loggers': {'app.lone': {'level': 'INFO'}}}\n"),
    "comparison": with_core("def f(m):\n    return m == 'app.lone'\n"),
    "a word without an import": with_core("N = ['lone']\n"),
    "pattern without an import": with_core("def f(n):\n    return f'app.{n}'\n"),
    "omitted from coverage": with_file(
        "pyproject.toml", '[tool.coverage.run]\nomit = ["app/lone.py"]\n'
    ),
    "ignored by a type checker": with_file(
        "pyproject.toml", '[[tool.mypy.overrides]]\nmodule = "app.lone"\n'
    ),
    "ignored by a linter": with_file("setup.cfg", "[flake8]\nexclude = app/lone.py\n"),
    "commented out in YAML": with_file("a.yml", "run:\n  # - python -m app.lone\n  - echo\n"),
    "commented out in a Makefile": with_file("Makefile", "x:\n\techo # python -m app.lone\n"),
    "change log": with_file("CHANGELOG.md", "- `python -m app.lone` is gone\n"),
    "prose": with_file("README.md", "Once `app.lone` did this.\n"),
    "itself": with_file("app/lone.py", "NAME = 'app.lone'\n"),
    "lexer rules that include": with_core("def f(include):\n    return include('lone')\n"),
}


@pytest.mark.parametrize("files", USES.values(), ids=USES)
def test_a_used_module_is_no_orphan(files: dict[str, str], standings: Callable) -> None:
    assert "app/lone.py" not in standings(files)


@pytest.mark.parametrize("files", NO_USES.values(), ids=NO_USES)
def test_what_only_looks_like_a_use_is_none(files: dict[str, str], standings: Callable) -> None:
    assert standings(files)["app/lone.py"].orphan


ENTRIES = {
    "app/__main__.py": LONE,
    "app/tool.py": "def f():\n    pass\n\nif __name__ == '__main__':\n    f()\n",
    "tests/test_x.py": "def test_x():\n    pass\n",
    "tests/cases_x.py": "import unittest\n\nclass X(unittest.TestCase):\n    pass\n",
    "tests/conftest.py": LONE,
    "setup.py": LONE,
    "noxfile.py": LONE,
    "docs/conf.py": "project = 'x'\nextensions = []\n",
    "bin/run.py": "#!/usr/bin/env python\nprint(1)\n",
    "scripts/act.py": "import sys\nsys.exit(0)\n",
    "examples/show.py": LONE,
    "app/wsgi.py": "application = 1\n",
    "versions/a1.py": "revision = 'a1'\ndown_revision = None\n",
    "lambda_function.py": LONE,
}


@pytest.mark.parametrize(("path", "code"), ENTRIES.items(), ids=ENTRIES)
def test_an_entry_point_is_no_orphan(path: str, code: str, standings: Callable) -> None:
    found = standings({**BASE, path: code})
    assert path not in found
    assert found["app/lone.py"].orphan


@pytest.mark.parametrize(
    "path", ["scripts/library.py", "tests/unused.py", "wsgi.py", "app/migrations/helper.py"]
)
def test_a_place_alone_makes_no_entry_point(path: str, standings: Callable) -> None:
    assert standings({**BASE, path: LONE})[path].orphan


DJANGO = {
    "manage.py": "if __name__ == '__main__':\n    S = 'site_a.settings'\n",
    "site_a/__init__.py": "",
    "site_a/settings.py": (
        "INSTALLED_APPS = ['shop', 'desk.apps.Desk']\nROOT_URLCONF = 'site_a.urls'\n"
    ),
    "site_a/urls.py": "from django.urls import include\nU = [include('shop.urls')]\n",
    "shop/__init__.py": "",
    "shop/urls.py": "U = []\n",
    "shop/models.py": "from django.db import models\n",
    "shop/migrations/__init__.py": "",
    "shop/migrations/0001_a.py": "class Migration:\n    pass\n",
    "shop/management/__init__.py": "",
    "shop/management/commands/__init__.py": "",
    "shop/management/commands/go.py": "class Command:\n    pass\n",
    "shop/templatetags/__init__.py": "",
    "shop/templatetags/tags.py": "register = 1\n",
    "desk/__init__.py": "",
    "desk/apps.py": "class Desk:\n    pass\n",
    "desk/admin.py": "from django.contrib import admin\n",
    "gone/__init__.py": "",
    "gone/models.py": "from django.db import models\n",
    "gone/migrations/__init__.py": "",
    "gone/migrations/0001_a.py": "class Migration:\n    pass\n",
}


def test_django_loads_the_parts_of_installed_applications_only(standings: Callable) -> None:
    found = {path for path, each in standings(DJANGO).items() if each.orphan}
    assert {path for path in found if not path.endswith("__init__.py")} == {
        "gone/models.py",
        "gone/migrations/0001_a.py",
    }


def test_files_of_one_name_stay_apart(standings: Callable) -> None:
    files = {
        "main.py": "import pkg_a.common\n\nif __name__ == '__main__':\n    print(pkg_a)\n",
        "pkg_a/common.py": "VALUE = 1\n",
        "pkg_b/common.py": "VALUE = 2\n",
    }
    found = standings(files)
    assert set(found) == {"pkg_b/common.py"}
    assert found["pkg_b/common.py"].isolated


def test_a_helper_is_found_beside_a_test_without_a_package(standings: Callable) -> None:
    files = {"tests/helper.py": LONE, "tests/test_a.py": "from helper import work\n"}
    assert "tests/helper.py" not in standings({**BASE, **files})


def test_settings_of_django_are_read_without_a_project_around_them(standings: Callable) -> None:
    files = {
        **BASE,
        "conf/settings.py": (
            "INSTALLED_APPS = ['shop']\nMIGRATION_MODULES = {'shop': 'shop.moved'}\n"
        ),
        "shop/models.py": "class Item:\n    pass\n",
        "shop/migrations/0001_initial.py": "operations = []\n",
        "shop/moved/__init__.py": "",
        "shop/moved/0001_initial.py": "operations = []\n",
        "shop/prices.py": LONE,
    }
    found = {path for path, each in standings(files).items() if each.orphan}
    assert found == {"app/lone.py", "shop/prices.py"}


def test_a_name_in_an_orphan_is_a_use_and_an_import_in_it_is_none(standings: Callable) -> None:
    files = {
        **BASE,
        "app/loader.py": DYNAMIC.format("'app.lone'") + "import app.helper\n",
        "app/helper.py": LONE,
    }
    found = standings(files)
    assert set(found) == {"app/loader.py", "app/helper.py"}


def test_an_unused_module_that_scans_its_folder_hides_no_neighbour(standings: Callable) -> None:
    scan = "import pkgutil, os\nL = list(pkgutil.iter_modules([os.path.dirname(__file__)]))\n"
    assert standings({**BASE, "app/scanner.py": scan})["app/lone.py"].orphan


def test_an_import_in_a_package_is_of_python_and_not_of_a_file_beside(standings: Callable) -> None:
    files = {
        "app/__init__.py": "from app import core\n",
        "app/core.py": "import statistics\n",
        "app/statistics.py": "def mean(x):\n    return x\n",
        "pyproject.toml": '[project]\nname = "app"\n',
    }
    assert "app/statistics.py" in standings(files)
