"""What tools load by the name or the place of a file, without anything naming it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from posixpath import basename, dirname

from reverie.index.graph import ModuleNames
from reverie.index.orphans.evidence_files import Evidence
from reverie.index.orphans.source import SourceFacts
from reverie.model.repository.code import Module

_TOOL_FILES = {
    "setup.py": "run by the packaging tools",
    "manage.py": "the project's command line",
    "noxfile.py": "read by nox",
    "fabfile.py": "read by Fabric",
    "dodo.py": "read by doit",
    "locustfile.py": "read by Locust",
    "hatch_build.py": "read by Hatch",
    "pavement.py": "read by Paver",
    "sitecustomize.py": "imported by Python itself",
    "usercustomize.py": "imported by Python itself",
    "gunicorn.conf.py": "read by Gunicorn",
    "gunicorn_conf.py": "read by Gunicorn",
    "lambda_function.py": "called by AWS Lambda",
    "function_app.py": "called by Azure Functions",
    "conftest.py": "read by pytest",
    "wsgi.py": "served by a WSGI server",
    "asgi.py": "served by an ASGI server",
    "wscript.py": "read by waf",
    "ruff_plugin.py": "read by its tool",
}
_SERVED = {"app.py", "main.py", "application.py", "server.py", "streamlit_app.py"}
_SERVED_NAMES = {"app", "application", "handler", "lambda_handler", "server"}
_TEST_FOLDERS = {"test", "tests", "testing", "unit_tests", "integration_tests", "e2e"}
_DATA_FOLDERS = {
    "data", "testdata", "test_data", "fixtures", "snippets", "samples", "golden", "cases",
    "resources", "assets", "examples", "input", "inputs", "expected",
}  # fmt: skip
_SHOWN_FOLDERS = {"examples", "example", "demo", "demos", "tutorials", "samples", "notebooks",
                  "docs", "doc", "docs_src", "snippets", "recipes"}  # fmt: skip
_SHOWN_TREES = {"docs_src", "examples", "docs", "doc"}
"""At the top of a repository they are no packages, even where they look like some."""
_TEMPLATE_FOLDERS = {"templates", "project_template", "app_template", "skeleton", "scaffold"}
_VENDOR_FOLDERS = {"_vendor", "vendor", "vendored", "_vendored", "third_party", "_third_party"}
_SCRIPT_FOLDERS = {"scripts", "script", "bin", "tools", "hack", "benchmarks", "ci", "dev", "util"}
_ENVIRONMENTS = {
    "settings", "setting", "config", "conf", "base", "common", "default", "defaults", "global",
    "local", "dev", "devel", "development", "prod", "production", "live", "stage", "staging",
    "test", "tests", "testing", "ci", "docker", "heroku", "qa", "uat", "demo", "e2e", "example",
    "sample", "preview", "sandbox", "debug", "build", "collectstatic", "env", "site", "server",
    "remote",
}  # fmt: skip
"""What settings of Django are called by where they are for."""
_DJANGO_PLACES = {"management.commands": "Command", "templatetags": "register",
                  "migrations": "Migration"}  # fmt: skip
_DJANGO_MODULES = {"models", "admin", "apps", "translation", "wagtail_hooks", "search_indexes",
                   "checks", "cms_plugins"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One module with all that a convention may look at."""

    module: Module
    facts: SourceFacts
    names: ModuleNames
    evidence: Evidence

    @property
    def file(self) -> str:
        """The name of the file."""
        return basename(self.module.path)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders above it, outermost first."""
        return tuple(self.module.path.split("/")[:-1])

    @property
    def is_in_package(self) -> bool:
        """Whether its folder has an `__init__.py`."""
        return f"{dirname(self.module.path)}/__init__.py" in self.names.by_path


def entry_reason(place: Place) -> str | None:
    """Why a module is an entry point although nothing names it; None if it is none."""
    return next((reason for rule in _RULES if (reason := rule(place)) is not None), None)


def _runs_itself(place: Place) -> str | None:
    if place.file == "__main__.py":
        return "run by python -m"
    if place.module.has_main_block:
        return "has a __main__ block"
    return "a script with a shebang" if place.facts.has_shebang else None


def _belongs_to_a_tool(place: Place) -> str | None:
    if place.file in ("wsgi.py", "asgi.py") and not place.facts.defines & _SERVED_NAMES:
        return None
    if place.file == "tasks.py" and not place.folders and "task" in place.facts.defines:
        return "read by Invoke"
    if place.file == "conf.py" and {"extensions", "project"} & place.facts.defines:
        return "read by Sphinx"
    if place.file in _SERVED and place.facts.defines & _SERVED_NAMES:
        return "the application that a server loads"
    return _TOOL_FILES.get(place.file)


def is_test(place: Place) -> bool:
    """Whether a test runner collects the file."""
    patterns = {"test_*.py", "*_test.py", "tests.py"}
    for text in place.evidence.texts.values():
        patterns.update(text.test_patterns)
    if any(fnmatchcase(place.file, pattern) for pattern in patterns):
        return True
    if not _TEST_FOLDERS & set(place.folders):
        return False
    module = place.module
    return any(each.name.startswith("test") for each in module.functions) or any(
        any(base.endswith("TestCase") for base in each.bases) for each in module.classes
    )


def _is_a_test(place: Place) -> str | None:
    if is_test(place):
        return "a test"
    return "data of a test" if _is_data_of_a_test(place) else None


def _is_data_of_a_test(place: Place) -> bool:
    """Below the tests, in a folder for data or one that cannot be imported."""
    folders = place.folders
    below = next((at for at, name in enumerate(folders) if name in _TEST_FOLDERS), len(folders))
    for at in range(below + 1, len(folders)):
        if not folders[at].isidentifier():
            return True
        is_package = f"{'/'.join(folders[: at + 1])}/__init__.py" in place.names.by_path
        if folders[at] in _DATA_FOLDERS and not is_package:
            return True
    return False


def is_shown(place: Place) -> bool:
    """Whether a file is there to be read, copied or compared: an example, a template, data."""
    if _TEMPLATE_FOLDERS & set(place.folders) or any("{{" in name for name in place.folders):
        return True
    return _is_example(place) or _is_data_of_a_test(place)


def _is_example(place: Place) -> bool:
    if len(place.folders) > 1 and place.folders[0] in _SHOWN_TREES:
        return not place.folders[-1].startswith("_")
    is_below = bool(_SHOWN_FOLDERS & set(place.folders)) and not place.is_in_package
    return is_below and not place.folders[-1].startswith("_")


def _is_shown_or_run(place: Place) -> str | None:
    if _TEMPLATE_FOLDERS & set(place.folders) or any("{{" in name for name in place.folders):
        return "part of a template"
    if _is_example(place):
        return "an example"
    if _VENDOR_FOLDERS & set(place.folders):
        return "the code of others, kept as it is"
    if place.is_in_package:
        return None
    if _SCRIPT_FOLDERS & set(place.folders) and place.facts.acts_when_run:
        return "a script that acts when run"
    return None


def _is_alembic(place: Place) -> str | None:
    defines = place.facts.defines
    if {"revision", "down_revision"} <= defines:
        return "a migration that Alembic reads"
    template = f"{dirname(place.module.path)}/script.py.mako"
    is_beside = template in place.evidence.folders or _imports(place.module, "alembic")
    if place.file == "env.py" and is_beside:
        return "the environment of Alembic"
    return None


def _is_framework_file(place: Place) -> str | None:
    if _is_settings_of_an_environment(place):
        return "settings of Django"
    folders = place.folders
    if "dags" in folders and {"DAG", "dag"} & place.facts.defines:
        return "a DAG that Airflow reads"
    is_behave = any(path.endswith(".feature") for path in place.evidence.folders)
    if is_behave and ("steps" in folders or place.file == "environment.py"):
        return "a step that behave reads"
    if folders[-1:] == ("pages",) and "st" in place.facts.defines:
        return "a page that Streamlit serves"
    return None


def _is_settings_of_an_environment(place: Place) -> bool:
    """Settings that a deployment chooses by a variable: by their name, or all there are."""
    sources = place.evidence.sources
    stars = (each.module for each in place.module.imports if each.name == "*")
    bases = (sources.get(place.names.named(name) or "", SourceFacts()) for name in stars)
    is_main = is_django_settings(place.facts)
    if not is_main and not any(is_django_settings(base) for base in bases):
        return False
    if is_main and sum(is_django_settings(facts) for facts in sources.values()) == 1:
        return True
    is_package = place.file == "__init__.py"
    title = place.folders[-1] if is_package and place.folders else place.file.removesuffix(".py")
    return set(title.split("_")) <= _ENVIRONMENTS


_RULES: tuple[Callable[[Place], str | None], ...] = (
    _runs_itself,
    _belongs_to_a_tool,
    _is_a_test,
    _is_shown_or_run,
    _is_alembic,
    _is_framework_file,
)


def django_parts(names: ModuleNames, sources: dict[str, SourceFacts]) -> Iterator[tuple[str, str]]:
    """(user, module): what Django loads of an application without being told.

    The user is the application's package, or the settings that name one without `__init__.py`.
    """
    named = _installed(sources)
    if not named and not _uses_django(names):
        return
    for path, module in names.by_path.items():
        package = _application_of(module, sources.get(path, SourceFacts()), named)
        user = None if package is None else names.named(package, path) or named.get(package)
        if user is not None:
            yield user, path


def _application_of(module: Module, facts: SourceFacts, named: Mapping[str, str]) -> str | None:
    """The application that a module is a part of by its place and name."""
    package, _, leaf = module.name.rpartition(".")
    for place, defined in _DJANGO_PLACES.items():
        if package.endswith(f".{place}") and not leaf.startswith("_"):
            is_part = place != "migrations" or defined in facts.defines or leaf[:4].isdigit()
            return package.removesuffix(f".{place}") if is_part else None
    is_part = leaf in _DJANGO_MODULES and (package in named or _imports(module, "django"))
    return package if is_part else None


def _installed(sources: dict[str, SourceFacts]) -> dict[str, str]:
    """The names that settings of Django speak of, with the settings."""
    return {
        start: path
        for path, facts in sources.items()
        if is_django_settings(facts)
        for mention in facts.mentions
        for start in (mention.text, mention.text.partition(".apps.")[0])
    }


def is_django_settings(facts: SourceFacts) -> bool:
    """Whether a module is a settings module of Django."""
    return bool({"INSTALLED_APPS", "ROOT_URLCONF"} & facts.defines)


def _uses_django(names: ModuleNames) -> bool:
    return "django" in names or any(_imports(each, "django") for each in names.by_path.values())


def _imports(module: Module, top_level: str) -> bool:
    return any(each.module.partition(".")[0] == top_level for each in module.imports)
