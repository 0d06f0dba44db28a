"""The half of the sample that the search was tuned on."""

from benchmarks.orphans.case import COPY, DONOR, ISOLATED, ORPHAN, REDUNDANT, USED, Case

PYPROJECT = "pyproject.toml"


def _used(name: str, repository: str, used: str | tuple[str, ...], files: dict[str, str]) -> Case:
    paths = (used,) if isinstance(used, str) else used
    planted = dict.fromkeys(paths, DONOR)
    return Case(name, repository, {**planted, **files}, dict.fromkeys(paths, USED))


def _orphan(name: str, repository: str, path: str, files: dict[str, str] | None = None) -> Case:
    return Case(name, repository, {path: DONOR, **(files or {})}, {path: ORPHAN})


TRAPS = (
    _used("console script", "click", "{pkg}/cli_entry.py",
          {PYPROJECT: '[project]\nname = "{pkg}"\n[project.scripts]\ntool = "{pkg}.cli_entry:main"\n'}),
    _used("gui script", "flask", "src/{pkg}/window.py",
          {PYPROJECT: '[project]\nname = "{pkg}"\n[project.gui-scripts]\nwin = "{pkg}.window:main"\n'}),
    _used("plugin entry point", "click", "{pkg}/sphinx_bridge.py",
          {PYPROJECT: '[project.entry-points."sphinx.builders"]\nbridge = "{pkg}.sphinx_bridge"\n'}),
    _used("pytest plugin entry point", "flask", "src/{pkg}/pytest_support.py",
          {PYPROJECT: '[project.entry-points.pytest11]\nsupport = "{pkg}.pytest_support"\n'}),
    _used("entry point in setup.cfg", "httpx", "{pkg}/extra/cfg_tool.py",
          {"setup.cfg": "[metadata]\nname = httpx\n[options.entry_points]\nconsole_scripts =\n    cfg-tool = {pkg}.extra.cfg_tool:run\n"}),
    _used("entry point in setup.py", "rich", "{pkg}/setup_entry.py",
          {"setup.py": "from setuptools import setup\nsetup(name='rich', entry_points={'console_scripts': ['x = {pkg}.setup_entry:go']})\n"}),
    _used("cmdclass by path", "rich", "build_tools/cmds.py",
          {"setup.py": "from build_tools import cmds\n"}),
    _used("__main__ of a sub-package", "click", "{pkg}/devtool/__main__.py", {"{pkg}/devtool/__init__.py": ""}),
    Case("main block", "click", {"{pkg}/inspect_tool.py": "import json\n\ndef main():\n    print(json.dumps({}))\n\nif __name__ == '__main__':\n    main()\n"}, {"{pkg}/inspect_tool.py": USED}),
    _used("conftest", "flask", ("conftest.py", "tests/unit/conftest.py"), {}),
    Case("test", "flask", {"tests/unit/test_views_more.py": "def test_nothing():\n    assert True\n"}, {"tests/unit/test_views_more.py": USED}),
    _used("helper beside a test", "flask", "tests/unit/shared_fakes.py",
          {"tests/unit/test_fakes.py": "from shared_fakes import *\n\ndef test_it():\n    pass\n"}),
    _used("helper package of tests", "click", "tests/support/runners.py",
          {"tests/__init__.py": "", "tests/support/__init__.py": "", "tests/test_runners.py": "from .support import runners\n"}),
    _used("pytest_plugins", "click", "tests/plugins_db.py", {"tests/conftest.py": 'pytest_plugins = ["tests.plugins_db"]\n'}),
    _used("-p in addopts", "click", "tests/early_plugin.py", {PYPROJECT: '[tool.pytest.ini_options]\naddopts = "-q -p tests.early_plugin"\n'}),
    _used("import_module", "click", "{pkg}/late_formats.py",
          {"{pkg}/late_user.py": "from importlib import import_module\n\ndef load():\n    return import_module('{pkg}.late_formats')\n", "{pkg}/core.py": "\nfrom . import late_user\n"}),
    _used("registry of strings", "flask", ("src/{pkg}/backends/redis_store.py", "src/{pkg}/backends/file_store.py"),
          {"src/{pkg}/backends/__init__.py": "STORES = {'redis': '{pkg}.backends.redis_store.Store', 'file': '{pkg}.backends.file_store:Store'}\n", "src/{pkg}/app.py": "\nfrom . import backends\n"}),
    _used("f-string over a sub-package", "click", ("{pkg}/plugins/alpha.py", "{pkg}/plugins/beta.py"),
          {"{pkg}/plugins/__init__.py": "", "{pkg}/plugin_loader.py": "import importlib\n\ndef load(name):\n    return importlib.import_module(f'{pkg}.plugins.{name}')\n", "{pkg}/utils.py": "\nfrom . import plugin_loader\n"}),
    _used("pkgutil over its own package", "flask", ("src/{pkg}/checks/one.py", "src/{pkg}/checks/two.py"),
          {"src/{pkg}/checks/__init__.py": "import importlib\nimport pkgutil\n\nfor each in pkgutil.iter_modules(__path__):\n    importlib.import_module(__name__ + '.' + each.name)\n", "src/{pkg}/ctx.py": "\nfrom . import checks\n"}),
    _used("lazy names", "httpx", "{pkg}/lazy_part.py",
          {"{pkg}/__init__.py": "\n_LAZY = {'Part': '.lazy_part'}\n\ndef __getattr__(name):\n    import importlib\n    return getattr(importlib.import_module(_LAZY[name], __package__), name)\n"}),
    _used("Dockerfile", "httpx", "{pkg}/worker.py", {"Dockerfile": 'FROM python:3.12\nCMD ["python", "-m", "{pkg}.worker"]\n'}),
    _used("Makefile", "httpx", "scripts/regen.py", {"Makefile": "data:\n\tpython scripts/regen.py --all\n"}),
    _used("workflow of continuous integration", "httpx", "tools/check_links.py",
          {".github/workflows/ci.yml": "jobs:\n  lint:\n    steps:\n      - run: python tools/check_links.py docs\n"}),
    _used("command in the README", "rich", "scripts/make_assets.py", {"README.md": "\n```console\n$ python scripts/make_assets.py\n```\n"}),
    _used("module in the README", "rich", "{pkg}/doc_tool.py", {"README.md": "\nRun `python -m {pkg}.doc_tool` to see it.\n"}),
    _used("Sphinx and its own extension", "rich", "docs/_ext/cards.py",
          {"docs/conf.py": "import sys\nsys.path.insert(0, '_ext')\nproject = 'rich'\nextensions = ['sphinx.ext.autodoc', 'cards']\n"}),
    _used("noxfile and tasks", "rich", ("noxfile.py", "fabfile.py"), {}),
    Case("alembic", "flask", {"migrations/env.py": "from alembic import context\n", "migrations/script.py.mako": "x\n", "migrations/versions/0a1_first.py": "revision = '0a1'\ndown_revision = None\n\ndef upgrade():\n    pass\n"}, {"migrations/env.py": USED, "migrations/versions/0a1_first.py": USED}),
    _used("uvicorn in code", "httpx", "{pkg}/served.py", {"serve.py": "import uvicorn\n\nif __name__ == '__main__':\n    uvicorn.run('{pkg}.served:app')\n"}),
    Case("Django application", "shop", {
        "manage.py": "import os\n\nif __name__ == '__main__':\n    os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site_conf.settings')\n    from django.core.management import execute_from_command_line\n",
        "site_conf/__init__.py": "", "site_conf/settings.py": "INSTALLED_APPS = ['django.contrib.admin', 'orders', 'stock.apps.StockConfig']\nMIDDLEWARE = ['site_conf.timing.TimingMiddleware']\nROOT_URLCONF = 'site_conf.urls'\nWSGI_APPLICATION = 'site_conf.wsgi.application'\n",
        "site_conf/timing.py": "class TimingMiddleware:\n    pass\n", "site_conf/urls.py": "from django.urls import include, path\nurlpatterns = [path('', include('orders.urls'))]\n",
        "site_conf/wsgi.py": "from django.core.wsgi import get_wsgi_application\napplication = get_wsgi_application()\n",
        "orders/__init__.py": "", "orders/models.py": "from django.db import models\n\nclass Order(models.Model):\n    pass\n", "orders/admin.py": "from django.contrib import admin\n",
        "orders/urls.py": "urlpatterns = []\n", "orders/migrations/__init__.py": "", "orders/migrations/0001_initial.py": "from django.db import migrations\n\nclass Migration(migrations.Migration):\n    operations = []\n",
        "orders/management/__init__.py": "", "orders/management/commands/__init__.py": "", "orders/management/commands/close_orders.py": "from django.core.management.base import BaseCommand\n\nclass Command(BaseCommand):\n    def handle(self):\n        pass\n",
        "orders/templatetags/__init__.py": "", "orders/templatetags/money.py": "from django import template\nregister = template.Library()\n",
        "stock/__init__.py": "", "stock/apps.py": "from django.apps import AppConfig\n\nclass StockConfig(AppConfig):\n    name = 'stock'\n", "stock/models.py": "from django.db import models\n",
    }, dict.fromkeys(("site_conf/timing.py", "site_conf/urls.py", "site_conf/wsgi.py", "orders/models.py", "orders/admin.py", "orders/urls.py", "orders/migrations/0001_initial.py", "orders/management/commands/close_orders.py", "orders/templatetags/money.py", "stock/apps.py", "stock/models.py"), USED)),
)  # fmt: skip

PLANTED = (
    *(_orphan("plain", repository, path) for repository, path in (
        ("click", "{pkg}/tables.py"), ("click", "{pkg}/_spare.py"), ("flask", "src/{pkg}/throttle.py"),
        ("flask", "src/{pkg}/json/compact.py"), ("httpx", "{pkg}/_transports/pigeon.py"),
        ("httpx", "{pkg}/cookies_jar.py"), ("rich", "{pkg}/treemap.py"), ("rich", "{pkg}/sparkline.py"),
        ("shop", "orders/discounts.py"), ("shop", "stock/forecasting.py"),
    )),
    _orphan("in a docstring", "click", "{pkg}/pager_two.py", {"{pkg}/formatting.py": '\n\ndef _note():\n    """See {pkg}.pager_two for how it was done."""\n'}),
    _orphan("in a comment", "click", "{pkg}/colours.py", {"{pkg}/termui.py": "\n# from {pkg}.colours import palette\n"}),
    _orphan("name of a logger", "flask", "src/{pkg}/audit.py", {"src/{pkg}/logging.py": "\nimport logging as _l\n_l.getLogger('{pkg}.audit').setLevel(30)\n"}),
    _orphan("left out by tools", "flask", "src/{pkg}/vendored_bits.py", {PYPROJECT: '[tool.coverage.run]\nomit = ["src/{pkg}/vendored_bits.py"]\n[[tool.mypy.overrides]]\nmodule = "{pkg}.vendored_bits"\nignore_errors = true\n'}),
    _orphan("in the change log", "httpx", "{pkg}/retry.py", {"CHANGELOG.md": "## 0.9\n- `{pkg}.retry` is no longer imported, `from {pkg}.retry import x` still works\n"}),
    _orphan("commented out in a workflow", "httpx", "tools/old_check.py", {".github/workflows/nightly.yml": "jobs:\n  x:\n    steps:\n      # - run: python tools/old_check.py\n      - run: echo\n"}),
    Case("chain", "rich", {"{pkg}/dead_head.py": "from {pkg}.dead_middle import run\n\ndef go():\n    return run()\n", "{pkg}/dead_middle.py": "from . import dead_tail\n\ndef run():\n    return dead_tail.VALUE\n", "{pkg}/dead_tail.py": "VALUE = 3\n\ndef tail():\n    return VALUE\n"}, dict.fromkeys(("{pkg}/dead_head.py", "{pkg}/dead_middle.py", "{pkg}/dead_tail.py"), ORPHAN)),
    _orphan("the name of a used module elsewhere", "flask", "src/{pkg}/sansio/helpers.py"),
    _orphan("the name of a third party", "rich", "{pkg}/_yaml/yaml.py", {"{pkg}/_yaml/__init__.py": "", "{pkg}/console.py": "\n\ndef _load_yaml():\n    import yaml\n    return yaml\n"}),
    _orphan("beside plug-ins, not one of them", "click", "{pkg}/plugins_index.py"),
    _orphan("unused application part", "shop", "orders/exporters.py"),
    Case("dead application", "shop", {"returns/__init__.py": "", "returns/models.py": "from django.db import models\n\nclass Return(models.Model):\n    pass\n", "returns/services.py": "from returns.models import Return\n\ndef total():\n    return Return\n"}, {"returns/models.py": ORPHAN, "returns/services.py": ORPHAN}),
    *(Case("isolated pair", repository, {f"{folder}/{left}.py": f"from {name}.{right} import helper\n\ndef use(x):\n    return helper(x) + 1\n", f"{folder}/{right}.py": f"def helper(x):\n    {back}\n    return x * 2\n"}, {f"{folder}/{left}.py": ISOLATED, f"{folder}/{right}.py": ISOLATED}) for repository, folder, name, left, right, back in (
        ("click", "{pkg}", "{pkg}", "pair_left", "pair_right", "pass"),
        ("flask", "src/{pkg}/json", "{pkg}.json", "twin_a", "twin_b", "from {pkg}.json import twin_a"),
        ("httpx", "{pkg}", "{pkg}", "duo_one", "duo_two", "from . import duo_one"),
    )),
    *(Case("redundant copy", repository, {path: COPY}, {path: REDUNDANT}) for repository, path in (
        ("click", "{pkg}/text_helpers.py"), ("flask", "src/{pkg}/config_copy.py"), ("httpx", "{pkg}/urls_old.py"), ("rich", "{pkg}/columns2.py"), ("rich", "{pkg}/progress_backup.py"),
    )),
)  # fmt: skip

REPOSITORIES = {"click": "click", "flask": "flask", "httpx": "httpx", "rich": "rich", "shop": ""}
CASES = (*TRAPS, *PLANTED)
