"""May these files be touched at this stage at all, and is the change small enough to be read?"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.python import parse
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.outcome import counted
from reverie.model.ruling import Answer, Ruling
from reverie.model.settings.judgement import GuardSection
from reverie.syntax.nodes import dotted, functions

# By a whole word in the name of a file or folder: `auth.py`, `auth_backend.py`, `core/security/`.
_SECURITY_WORDS = frozenset(
    {"auth", "authn", "authz", "authentication", "authorization", "authorisation", "oauth",
     "oauth2", "security", "crypto", "cryptography", "credential", "credentials", "secret",
     "secrets", "login", "password", "passwords", "permission", "permissions", "jwt", "csrf",
     "saml", "ldap", "acl", "rbac", "signing", "authenticator", "certificates", "tls", "ssl"}
)  # fmt: skip
_MIGRATION_WORDS = frozenset({"migration", "migrations", "alembic", "schema_migrations"})
_CONFIGURATION_NAMES = frozenset(
    {"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "pytest.ini",
     ".pytest.ini", "pytest.toml", ".pytest.toml", "mypy.ini", ".mypy.ini", "ruff.toml",
     ".ruff.toml", ".coveragerc", ".flake8", "makefile", "manifest.in", "pipfile", "pipfile.lock",
     "poetry.lock", "uv.lock", "pdm.lock", "environment.yml", "dockerfile", "justfile", "tasks.py",
     "hatch.toml", ".env", "codeowners", ".gitattributes", ".gitignore", ".gitmodules",
     "sitecustomize.py", "usercustomize.py", "_pytest.py", "pytest.py", "jenkinsfile"}
)  # fmt: skip
_CONFIGURATION_PATTERNS = ("requirements*.txt", "constraints*.txt", ".env.*", "*.pth", "*.egg-link")
_PIPELINE_FOLDERS = frozenset(
    {".github", ".gitlab", ".circleci", ".ci", ".azure-pipelines", ".buildkite", ".woodpecker",
     ".git", ".husky", ".pre-commit"}
)  # fmt: skip
_PIPELINE_NAMES = (".gitlab-ci*.yml", ".travis.yml", "azure-pipelines*.yml", ".pre-commit-*.yaml",
                   "appveyor.yml", ".drone.yml", "bitbucket-pipelines.yml")  # fmt: skip
_OWN_FOLDERS = frozenset({".reverie", "reverie_pytest"})
_JUDGES = frozenset(
    {"pytest", "_pytest", "pluggy", "iniconfig", "coverage", "unittest", "hypothesis",
     "sitecustomize", "usercustomize", "reverie_pytest"}
)  # fmt: skip
_TEST = re.compile(r"^\s*(?:async\s+)?(?:def\s+test|class\s+Test)", re.MULTILINE)
_COMPILED = ("*.so", "*.pyd", "*.pyc", "*.pyo", "*.dll", "*.dylib", "*.a", "*.o", "*.whl", "*.egg")
_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.MULTILINE)
_REGULAR_MODES = frozenset({None, "100644", "100755"})


def module_of(path: str) -> str:
    """The dotted name of a Python file: `shop.till`, and `shop.__init__` for a package's front."""
    parts = path.removesuffix(".py").split("/")
    if parts[0] in ("src", "lib") and len(parts) > 1:
        parts = parts[1:]
    return ".".join(parts)


@dataclass(frozen=True, slots=True)
class PathsGate:
    """Refuses what no change may touch, and at stage A whatever is not a test."""

    name: str = "paths"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each file that is out of bounds."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "every file may be touched at this stage"
        if matter.aside:
            said += f"; left aside, since no code reaches it: {', '.join(matter.aside)}"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for edit in matter.change.edits:
            for path in filter(None, (edit.path, edit.renamed_from)):
                found = red_line(path, matter.section)
                if found is None:
                    found = _out_of_stage(path, edit, matter)
                if found is not None:
                    yield Ruling(self.name, Answer.FAIL, *found, path)
                    break
            else:
                yield from self._form(edit)

    def _form(self, edit: FileEdit) -> Iterator[Ruling]:
        if _is_unreadable(edit):
            said = "Python cannot read it, or reads it otherwise than a person does"
            yield Ruling(self.name, Answer.FAIL, "unreadable_file", said, edit.path)
        if {edit.mode_before, edit.mode_after} - _REGULAR_MODES:
            said = "a link or a submodule leads out of what can be judged"
            yield Ruling(self.name, Answer.FAIL, "not_a_plain_file", said, edit.path)
        elif edit.before is not None and edit.after is not None and _mode_changed(edit):
            said = "the change makes a file executable or the reverse"
            yield Ruling(self.name, Answer.FAIL, "mode_changed", said, edit.path)


def _is_unreadable(edit: FileEdit) -> bool:
    if edit.after is None or not edit.path.endswith((".py", ".pyi")):
        return False
    has_odd_bytes = any("\ud800" <= char <= "\udfff" or char == "\0" for char in edit.after)
    opening = "\n".join(edit.after.split("\n")[:2])
    cookie = _COOKIE.search(opening)
    has_odd_cookie = cookie is not None and cookie[1].lower() not in ("utf-8", "utf8")
    return has_odd_bytes or has_odd_cookie or parse(edit.path, edit.after) is None


def _mode_changed(edit: FileEdit) -> bool:
    modes = (edit.mode_before, edit.mode_after)
    return None not in modes and modes[0] != modes[1]


def red_line(path: str, section: GuardSection) -> tuple[str, str] | None:
    """Reason code and reason for which a path is out of bounds at every stage."""
    parts = path.lower().split("/")
    name = parts[-1]
    if any(matches(path, each) for each in section.protected):
        return "protected_file", "the settings protect this file"
    if ".." in parts or path.startswith("/") or "" in parts:
        return "path_outside", "the path leads out of the repository"
    if _OWN_FOLDERS & set(parts):
        return "own_file", "Reverie's own files are not for changes to touch"
    if _PIPELINE_FOLDERS & set(parts) or any(fnmatchcase(name, each) for each in _PIPELINE_NAMES):
        return "pipeline_file", "continuous integration is for people to change"
    if name in _CONFIGURATION_NAMES or any(fnmatchcase(name, e) for e in _CONFIGURATION_PATTERNS):
        return "configuration_file", "configuration decides how changes are judged"
    if _import_name(parts) in _JUDGES:
        return "shadows_judge", "it would be imported instead of what runs and judges the tests"
    if any(fnmatchcase(name, each) for each in _COMPILED):
        return "compiled_file", "nobody can read compiled code"
    words = {word for part in parts for word in _words(part)}
    is_test = is_test_path(path, section)
    if _MIGRATION_WORDS & words and not is_test:
        return "migration_file", "schema migrations are for people to change"
    if _SECURITY_WORDS & words and not is_test:
        return "protected_file", "authentication and security code is for people to change"
    return None


def _import_name(parts: list[str]) -> str:
    """The name that a file, or the package it lies in, is imported by at the top."""
    inside = parts[1:] if parts[0] in ("src", "lib") and len(parts) > 1 else parts
    return inside[0].removesuffix(".py").removesuffix(".pyi")


def _out_of_stage(path: str, edit: FileEdit, matter: Matter) -> tuple[str, str] | None:
    is_test = is_test_path(path, matter.section)
    is_python = path.endswith((".py", ".pyi"))
    if matter.stage is Stage.A:
        if not is_test:
            return "production_changed", "a change of tests touches files of tests only"
        if not is_python and edit.before is not None:
            return "test_data_changed", "data that tests read is changed"
        return None
    if matter.stage is Stage.INTEGRATION:
        return None if is_test and edit.before is None and is_python else _no_front(path, edit)
    if matter.stage is Stage.STUBS:
        return _no_stub(edit, is_python=is_python, is_test=is_test)
    if is_test or holds_tests(path, edit):
        code = "test_deleted" if _loses_tests(edit) else "tests_touched"
        return code, "a change of production code leaves the tests as they are"
    if not is_python:
        return "not_python", "refactorings and speed-ups change Python code only"
    is_critical = any(matches(path, each) for each in matter.section.critical)
    if is_critical and matter.stage is Stage.C:
        return "critical_module", "the settings call this module critical"
    return None


def _no_front(path: str, edit: FileEdit) -> tuple[str, str] | None:
    is_front = path.rpartition("/")[2] == "__init__.py"
    if is_front and edit.before is not None and edit.after is not None and not edit.renamed_from:
        return None
    said = "an integration adds tests, and an import to the front of a package"
    return "production_changed", said


def _no_stub(edit: FileEdit, *, is_python: bool, is_test: bool) -> tuple[str, str] | None:
    is_there = edit.before is not None and edit.after is not None and not edit.renamed_from
    is_new = edit.before is None
    if is_python and (is_new if is_test else is_there):
        return None
    return "production_changed", "a stub is written where it was declared, beside new tests"


def holds_tests(path: str, edit: FileEdit) -> bool:
    """Whether a file has tests in it, wherever it lies and however it is called."""
    texts = (edit.before or "", edit.after or "")
    if is_test_module(path):
        return any(_TEST.search(text) for text in texts)
    trees = [found.tree for text in texts if (found := parse(path, text))]
    named = (node for tree in trees for _, node in functions(tree) if node.name.startswith("test"))
    return any(map(_asserts, (each for node in named for each in ast.walk(node))))


def _asserts(node: ast.AST) -> bool:
    name = dotted(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return isinstance(node, ast.Assert) or name.startswith(("assert", "raises"))


def _loses_tests(edit: FileEdit) -> bool:
    before, after = ((text or "").count("def test") for text in (edit.before, edit.after))
    return after < before or (edit.before is not None and edit.after is None)


def is_test_path(path: str, section: GuardSection) -> bool:
    """Whether a file is part of the tests."""
    parts = path.split("/")
    for root in section.test_roots:
        root = root.strip("/")
        if path.startswith(f"{root}/") or root in parts[:-1]:
            return True
    is_named = is_test_module(path) or parts[-1] in ("test.py", "tests.py")
    return parts[-1] == "conftest.py" or (is_named and parts[0] != "src")


def is_test_module(path: str) -> bool:
    """Whether pytest collects a file by its name."""
    name = path.rpartition("/")[2]
    return fnmatchcase(name, "test_*.py") or fnmatchcase(name, "*_test.py")


def matches(path: str, pattern: str) -> bool:
    """Whether a pattern names a path, a folder above it, or any part of it."""
    places = ["/".join(path.split("/")[: n + 1]) for n in range(path.count("/") + 1)]
    if "/" not in pattern.strip("/"):
        places += path.split("/")
    bare = pattern.strip("/").removesuffix("/**")
    return any(fnmatchcase(place, bare) for place in places)


def _words(part: str) -> Iterator[str]:
    yield from part.replace("-", "_").replace(".", "_").split("_")
    yield part


@dataclass(frozen=True, slots=True)
class SizeGate:
    """Refuses a change of more files or lines than its stage allows."""

    name: str = "size"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Files at every stage; lines at stage B."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        edits = matter.change.edits
        lines = sum(each.lines_added + each.lines_removed for each in edits)
        said = f"{counted(len(edits), 'file')}, {counted(lines, 'line')}"
        return ruled(self.name, self._objections(matter, len(edits), lines), said)

    def _objections(self, matter: Matter, files: int, lines: int) -> Iterator[Ruling]:
        section = matter.section
        most = section.test_files if matter.stage is Stage.A else section.files
        if files > most:
            said = f"{matter.stage.word} allows {counted(most, 'file')} in one change"
            yield Ruling(self.name, Answer.FAIL, "too_many_files", said, files, most)
        if matter.stage is Stage.B and lines > section.lines:
            said = f"refactoring allows {section.lines} changed lines"
            yield Ruling(self.name, Answer.FAIL, "too_many_lines", said, lines, section.lines)
