"""Files that are there to be shown, compared or kept are no orphans."""

from collections.abc import Callable

import pytest

CODE = "def work(x):\n    return [x, x]\n"
KEPT = [
    "tests/roots/test-basic/conf.py",
    "tests/fixtures/simple/my_package/inner.py",
    "docs_src/security/tutorial001.py",
    "app/_vendor/lib/deep.py",
    "migrations/env.py",
]
ORPHANS = ["tests/helpers.py", "docs/_ext/old.py", "recipes/soup/deep.py", "app/vendors.py"]


@pytest.mark.parametrize("path", KEPT)
def test_it_is_kept_for_what_it_is(path: str, standings: Callable) -> None:
    code = "from alembic import context\n" if path.endswith("env.py") else CODE
    package = f"{path.rpartition('/')[0]}/__init__.py"
    files = {path: code} if "env.py" in path or "-" in path else {path: code, package: ""}
    assert path not in standings({"app/__init__.py": "", **files})


@pytest.mark.parametrize("path", ORPHANS)
def test_a_place_that_only_looks_like_one(path: str, standings: Callable) -> None:
    packages = {"recipes/__init__.py": "", "recipes/soup/__init__.py": ""}
    assert standings({"app/__init__.py": "", **packages, path: CODE})[path].orphan


@pytest.mark.parametrize(
    ("name", "is_kept"), [("production", True), ("settings_ci", True), ("settings_2019", False)]
)
def test_settings_count_by_what_they_are_for(name: str, is_kept: bool, standings: Callable) -> None:
    files = {
        "manage.py": "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site1.base')\n",
        "site1/__init__.py": "",
        "site1/base.py": "INSTALLED_APPS = []\n",
        f"site1/{name}.py": "from .base import *\n",
    }
    assert (f"site1/{name}.py" not in standings(files)) == is_kept


@pytest.mark.parametrize(
    ("code", "is_script"),
    [
        ("def f():\n    pass\n\n\ntry:\n    f()\nfinally:\n    print()\n", True),
        (
            "import codecs\n\ndef f():\n    pass\n\ncodecs.register(f)\n\ndef g():\n    pass\n",
            False,
        ),
        ("from .x import y\n\ny()\n", False),
    ],
)
def test_a_script_does_its_work_at_the_end(code: str, is_script: bool, standings: Callable) -> None:
    found = standings({"app/__init__.py": "", "tools/a.py": code})
    assert ("tools/a.py" not in found) == is_script
