"""The half of the sample that was written before, and not looked at while, tuning."""

from benchmarks.orphans.case import COPY, DONOR, ISOLATED, ORPHAN, REDUNDANT, USED, Case
from benchmarks.orphans.tuned import PYPROJECT, _orphan, _used

TRAPS = (
    _used("script of Poetry", "celery", "{pkg}/bin/poet.py", {PYPROJECT: '[tool.poetry]\nname = "{pkg}"\n[tool.poetry.scripts]\npoet = "{pkg}.bin.poet:main"\n'}),
    _used("plug-in of Poetry", "celery", "{pkg}/contrib/plug.py", {PYPROJECT: '[tool.poetry.plugins."x.y"]\nplug = "{pkg}.contrib.plug:Plug"\n'}),
    _used("__import__", "celery", "{pkg}/utils/lately.py", {"{pkg}/utils/needs.py": "def get():\n    return __import__('{pkg}.utils.lately', fromlist=['x'])\n", "{pkg}/app/base.py": "\nfrom celery.utils import needs\n"}),
    _used("percent format", "celery", "{pkg}/engines/engine_a.py", {"{pkg}/engines/__init__.py": "import importlib\n\ndef get(name):\n    return importlib.import_module('{pkg}.engines.%s' % name)\n", "{pkg}/app/task.py": "\nfrom celery import engines\n"}),
    _used("relative import_module", "scrapy", "{pkg}/codecs_extra/zip_codec.py", {"{pkg}/codecs_extra/__init__.py": "from importlib import import_module\n\nKINDS = ['zip_codec']\n\ndef load():\n    return [import_module('.' + each, package=__name__) for each in KINDS]\n", "{pkg}/http/__init__.py": "\nimport scrapy.codecs_extra\n"}),
    _used("str.format and a constant", "scrapy", "{pkg}/parsers/csv_parser.py", {"{pkg}/parsers/__init__.py": "", "{pkg}/parser_choice.py": "import importlib\nBASE = '{pkg}.parsers'\n\ndef choose(kind):\n    return importlib.import_module('.'.join([BASE, kind]))\n", "{pkg}/http/headers.py": "\nfrom scrapy import parser_choice\n"}),
    _used("runpy", "scrapy", "{pkg}/run_me.py", {"{pkg}/cmdline.py": "\n\ndef _again():\n    import runpy\n    runpy.run_module('{pkg}.run_me')\n"}),
    _used("spec from a file", "scrapy", "extras/hooks/on_start.py", {"{pkg}/spider_hooks.py": "import importlib.util\n\ndef hook():\n    return importlib.util.spec_from_file_location('hook', 'extras/hooks/on_start.py')\n", "{pkg}/signals.py": "\nfrom scrapy import spider_hooks\n"}),
    _used("subprocess with -m", "networkx", "{pkg}/utils/child.py", {"{pkg}/utils/start.py": "import subprocess\nimport sys\n\ndef go():\n    subprocess.run([sys.executable, '-m', '{pkg}.utils.child'], check=True)\n", "{pkg}/utils/misc.py": "\nfrom . import start\n"}),
    _used("listed folder", "networkx", ("{pkg}/extensions/one_ext.py", "{pkg}/extensions/two_ext.py"), {"{pkg}/extensions/__init__.py": "import importlib\nimport os\n\nfor name in sorted(os.listdir(os.path.dirname(__file__))):\n    if name.endswith('.py') and name != '__init__.py':\n        importlib.import_module(f'{__name__}.{name[:-3]}')\n", "{pkg}/utils/decorators.py": "\nimport networkx.extensions\n"}),
    _used("pathlib glob of a folder beside", "networkx", "{pkg}/drawing/themes/dark.py", {"{pkg}/drawing/theme_loader.py": "from importlib import import_module\nfrom pathlib import Path\n\ndef themes():\n    for path in (Path(__file__).parent / 'themes').glob('*.py'):\n        yield import_module(f'networkx.drawing.themes.{path.stem}')\n", "{pkg}/drawing/layout.py": "\nfrom networkx.drawing import theme_loader\n"}),
    _used("settings in YAML", "celery", "{pkg}/hooks/yaml_hook.py", {"config/app.yaml": "hooks:\n  - {pkg}.hooks.yaml_hook.Hook\n"}),
    _used("settings in JSON", "celery", "{pkg}/hooks/json_hook.py", {"config/app.json": '{"hooks": {"start": "{pkg}.hooks.json_hook:start"}}\n'}),
    _used("logging.ini", "celery", "{pkg}/hooks/log_handler.py", {"logging.ini": "[handler_x]\nclass={pkg}.hooks.log_handler.Handler\nargs=()\n"}),
    _used("Procfile", "scrapy", "{pkg}/web.py", {"Procfile": "web: gunicorn {pkg}.web:app --log-file -\n"}),
    _used("docker-compose", "scrapy", "{pkg}/scheduler.py", {"docker-compose.yml": "services:\n  beat:\n    command: python -m {pkg}.scheduler\n"}),
    _used("pre-commit hook", "networkx", "tools/spell.py", {".pre-commit-config.yaml": "repos:\n  - repo: local\n    hooks:\n      - id: spell\n        entry: python tools/spell.py\n        language: system\n"}),
    _used("tox", "networkx", "tools/gallery.py", {"tox.ini": "[testenv:gallery]\ncommands =\n    python tools/gallery.py {posargs}\n"}),
    _used("serverless handler", "celery", "functions/resize.py", {"serverless.yml": "functions:\n  resize:\n    handler: functions/resize.handler\n"}),
    _used("lambda in a template", "celery", "functions/notify.py", {"template.yaml": "Resources:\n  Notify:\n    Properties:\n      CodeUri: functions/\n      Handler: notify.handler\n"}),
    _used("systemd unit", "scrapy", "{pkg}/daemon.py", {"deploy/crawl.service": "[Service]\nExecStart=/usr/bin/python3 -m {pkg}.daemon --fg\n"}),
    _used("crontab", "scrapy", "scripts/nightly_clean.py", {"deploy/crontab": "5 4 * * * cd /srv && python scripts/nightly_clean.py\n"}),
    _used("notebook", "networkx", "{pkg}/nb_support.py", {"notebooks/intro.ipynb": '{"cells": [{"cell_type": "code", "source": ["from {pkg}.nb_support import show\\n", "show()"]}]}\n'}),
    _used("mock.patch", "networkx", "{pkg}/patched.py", {"tests/test_patched.py": "from unittest import mock\n\ndef test_it():\n    with mock.patch('{pkg}.patched.thing'):\n        pass\n"}),
    Case("TestCase without the name", "networkx", {"tests/suite_graphs.py": "import unittest\n\nclass Graphs(unittest.TestCase):\n    def test_one(self):\n        pass\n"}, {"tests/suite_graphs.py": USED}),
    _used("SPIDER_MODULES", "crawl", ("crawl/spiders/news.py", "crawl/spiders/blogs.py"), {"crawl/__init__.py": "", "crawl/spiders/__init__.py": "", "crawl/settings.py": "BOT_NAME = 'crawl'\nSPIDER_MODULES = ['crawl.spiders']\nITEM_PIPELINES = {'crawl.pipelines.Clean': 300}\n", "crawl/pipelines.py": "class Clean:\n    pass\n", "scrapy.cfg": "[settings]\ndefault = crawl.settings\n"}),
    _used("stub beside", "networkx", "{pkg}/lazy_stubbed.py", {"{pkg}/lazy_sub/__init__.py": "import lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)\n", "{pkg}/lazy_sub/__init__.pyi": "from ..lazy_stubbed import thing\n", "{pkg}/utils/random_sequence.py": "\nimport networkx.lazy_sub\n"}),
    _used("lazy attach", "networkx", "{pkg}/lazy_two/inner.py", {"{pkg}/lazy_two/__init__.py": "import lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach(__name__, submodules=['inner'])\n", "{pkg}/utils/heaps.py": "\nimport networkx.lazy_two\n"}),
    _used("__all__ of a package", "celery", "{pkg}/shapes/circle.py", {"{pkg}/shapes/__init__.py": "__all__ = ['circle']\n", "{pkg}/app/defaults.py": "\nfrom celery.shapes import *\n"}),
    _used("mypy plug-in", "celery", "{pkg}/typing_plugin.py", {"mypy.ini": "[mypy]\nplugins = {pkg}.typing_plugin\n"}),
    _used("pylint plug-in", "celery", "lint_rules.py", {".pylintrc": "[MASTER]\nload-plugins=lint_rules\n"}),
    _used("build hook", "scrapy", "hatch_build.py", {}),
    _used("celery include", "scrapy", "{pkg}/background.py", {"{pkg}/celery_app.py": "from celery import Celery\napp = Celery('x', include=['{pkg}.background'])\n", "deploy/run.sh": "#!/bin/sh\nexec celery -A {pkg}.celery_app worker\n"}),
    _used("only for type checkers", "scrapy", "{pkg}/shapes_types.py", {"{pkg}/item.py": "\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from scrapy.shapes_types import Shape\n"}),
    _used("optional import", "celery", "{pkg}/speedups_py.py", {"{pkg}/platforms.py": "\ntry:\n    from celery import speedups_py\nexcept ImportError:\n    speedups_py = None\n"}),
    _used("behave", "celery", ("features/steps/queue_steps.py", "features/environment.py"), {"features/queue.feature": "Feature: queue\n"}),
    _used("locust", "scrapy", "load/locustfile.py", {}),
    _used("automodule", "networkx", "{pkg}/documented_part.py", {"doc/reference.rst": ".. automodule:: {pkg}.documented_part\n   :members:\n"}),
    _used("py_modules", "scrapy", "single_file.py", {"setup.py": "from setuptools import setup\nsetup(name='scrapy', packages=['scrapy'], py_modules=['single_file'])\n"}),
    Case("second Django project", "board", {
        "manage.py": "#!/usr/bin/env python\nimport os\nimport sys\n\ndef main():\n    os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings.local')\n\nif __name__ == '__main__':\n    main()\n",
        "config/__init__.py": "", "config/settings/__init__.py": "", "config/settings/base.py": "LOCAL_APPS = ['board.posts', 'board.people.apps.PeopleConfig']\nINSTALLED_APPS = ['django.contrib.auth'] + LOCAL_APPS\nROOT_URLCONF = 'config.urls'\nTEMPLATES = [{'OPTIONS': {'context_processors': ['board.people.context.whoami']}}]\nAUTHENTICATION_BACKENDS = ['board.people.login.ByMail']\n",
        "config/settings/local.py": "from .base import *\n", "config/settings/production.py": "from .base import *\n", "config/urls.py": "from django.urls import include, path\nurlpatterns = [path('p/', include('board.posts.urls', namespace='p'))]\n",
        "Dockerfile": "ENV DJANGO_SETTINGS_MODULE=config.settings.production\nCMD gunicorn config.wsgi:application\n", "config/wsgi.py": "from django.core.wsgi import get_wsgi_application\napplication = get_wsgi_application()\n", "config/celery_app.py": "from celery import Celery\napp = Celery('board')\napp.autodiscover_tasks()\n", "Procfile": "worker: celery -A config.celery_app worker\n",
        "board/__init__.py": "", "board/posts/__init__.py": "", "board/posts/models.py": "from django.db import models\n", "board/posts/urls.py": "from . import views\nurlpatterns = []\n", "board/posts/views.py": "def index(request):\n    return None\n", "board/posts/tasks.py": "def send():\n    pass\n", "board/posts/migrations/__init__.py": "", "board/posts/migrations/0001_initial.py": "from django.db import migrations\n\nclass Migration(migrations.Migration):\n    dependencies = []\n", "board/posts/migrations/0002_more.py": "from django.db import migrations\n\nclass Migration(migrations.Migration):\n    dependencies = [('posts', '0001_initial')]\n",
        "board/people/__init__.py": "", "board/people/apps.py": "from django.apps import AppConfig\n\nclass PeopleConfig(AppConfig):\n    name = 'board.people'\n\n    def ready(self):\n        import board.people.signals\n", "board/people/signals.py": "def connect():\n    pass\n", "board/people/models.py": "from django.db import models\n", "board/people/admin.py": "from django.contrib import admin\n", "board/people/context.py": "def whoami(request):\n    return {}\n", "board/people/login.py": "class ByMail:\n    pass\n", "board/people/templatetags/__init__.py": "", "board/people/templatetags/faces.py": "from django import template\nregister = template.Library()\n",
    }, dict.fromkeys(("config/settings/production.py", "config/urls.py", "config/wsgi.py", "config/celery_app.py", "board/posts/models.py", "board/posts/tasks.py", "board/posts/views.py", "board/posts/migrations/0001_initial.py", "board/posts/migrations/0002_more.py", "board/people/apps.py", "board/people/signals.py", "board/people/admin.py", "board/people/context.py", "board/people/login.py", "board/people/templatetags/faces.py"), USED)),
)  # fmt: skip

PLANTED = (
    *(_orphan("plain", repository, path) for repository, path in (
        ("celery", "{pkg}/utils/stopwatch.py"), ("celery", "{pkg}/backends/papyrus.py"), ("celery", "{pkg}/concurrency/rotor.py"),
        ("scrapy", "{pkg}/downloader_lite.py"), ("scrapy", "{pkg}/utils/braille.py"), ("scrapy", "{pkg}/linkextractors/fuzzy.py"),
        ("networkx", "{pkg}/algorithms/hypercube.py"), ("networkx", "{pkg}/readwrite/morse.py"), ("networkx", "{pkg}/_scratch.py"),
        ("board", "board/posts/ranking.py"), ("board", "board/people/badges.py"), ("crawl", "crawl/throttle.py"),
    )),
    _orphan("only named in its own docstring", "celery", "{pkg}/utils/selfish.py"),
    _orphan("in a message", "scrapy", "{pkg}/utils/hints.py", {"{pkg}/exceptions.py": "\n\nclass HintError(Exception):\n    text = 'see scrapy.utils.hints for what to do'\n"}),
    _orphan("compared, not loaded", "networkx", "{pkg}/utils/shadow.py", {"{pkg}/utils/backends.py": "\n\ndef _is_shadow(module):\n    return module.__name__ == 'networkx.utils.shadow'\n"}),
    _orphan("ignored by a linter", "networkx", "{pkg}/generators/vendor_copy.py", {"setup.cfg": "[flake8]\nexclude = {pkg}/generators/vendor_copy.py\n[mypy-{pkg}.generators.vendor_copy]\nignore_errors = True\n"}),
    _orphan("in codecov", "celery", "{pkg}/utils/uncovered.py", {"codecov.yml": "ignore:\n  - celery/utils/uncovered.py\n"}),
    _orphan("called dead in a document", "scrapy", "tools/legacy_bench.py", {"docs/dev.md": "`tools/legacy_bench.py` is no longer used and will be removed.\n"}),
    _orphan("commented in settings", "board", "board/people/gravatar.py", {"config/settings/base.py": "# EXTRA = ['board.people.gravatar']\n"}),
    _orphan("helper in the tests that none imports", "networkx", "tests/old_factories.py"),
    _orphan("helper of a management command gone", "board", "board/posts/import_helpers.py"),
    Case("long chain", "celery", {f"{{pkg}}/lost/step{n}.py": (f"from {{pkg}}.lost.step{n + 1} import go\n\ndef run{n}():\n    return go()\n" if n < 4 else "def go():\n    return 4\n").replace("import go", "import run%d as go" % (n + 1) if n < 3 else "import go") for n in range(5)} | {"{pkg}/lost/__init__.py": ""}, {f"{{pkg}}/lost/step{n}.py": ORPHAN for n in range(5)}),
    Case("dynamic chain", "scrapy", {"{pkg}/gone_loader.py": "from importlib import import_module\n\ndef load():\n    return import_module('{pkg}.gone_target')\n", "{pkg}/gone_target.py": DONOR}, {"{pkg}/gone_loader.py": ORPHAN, "{pkg}/gone_target.py": ORPHAN}),
    Case("circle of three", "networkx", {"{pkg}/ring_a.py": "from networkx import ring_b\n\ndef a():\n    return ring_b.b\n", "{pkg}/ring_b.py": "from networkx import ring_c\n\ndef b():\n    return ring_c.c\n", "{pkg}/ring_c.py": "def c():\n    from networkx import ring_a\n    return ring_a.a\n"}, dict.fromkeys(("{pkg}/ring_a.py", "{pkg}/ring_b.py", "{pkg}/ring_c.py"), ORPHAN)),
    Case("dead package", "board", {"board/polls/__init__.py": "", "board/polls/models.py": "from django.db import models\n\nclass Poll(models.Model):\n    pass\n", "board/polls/admin.py": "from django.contrib import admin\nfrom board.polls.models import Poll\n"}, {"board/polls/models.py": ORPHAN, "board/polls/admin.py": ORPHAN}),
    *(Case("isolated pair", repository, {f"{folder}/{left}.py": f"from {name}.{right} import worker\n\ndef begin(x):\n    return worker(x) - 1\n", f"{folder}/{right}.py": f"def worker(x):\n    {back}\n    return [x]\n"}, {f"{folder}/{left}.py": ISOLATED, f"{folder}/{right}.py": ISOLATED}) for repository, folder, name, left, right, back in (
        ("celery", "{pkg}/utils", "{pkg}.utils", "yin", "yang", "from celery.utils import yin"),
        ("scrapy", "{pkg}", "{pkg}", "salt", "pepper", "pass"),
        ("board", "board/people", "board.people", "left_shoe", "right_shoe", "pass"),
        ("networkx", "{pkg}/linalg", "{pkg}.linalg", "castor", "pollux", "from networkx.linalg import castor"),
    )),
    *(Case("redundant copy", repository, {path: COPY}, {path: REDUNDANT}) for repository, path in (
        ("celery", "{pkg}/utils/words.py"), ("celery", "{pkg}/signals_v2.py"), ("scrapy", "{pkg}/utils/links_old.py"), ("scrapy", "{pkg}/selector_more.py"), ("networkx", "{pkg}/algorithms/flows.py"), ("networkx", "{pkg}/readwrite/text_copy.py"),
    )),
)  # fmt: skip

REPOSITORIES = {"celery": "celery", "scrapy": "scrapy", "networkx": "networkx", "board": "", "crawl": ""}
CASES = (*TRAPS, *PLANTED)
