"""`python -m benchmarks.history.mining OWNER/NAME … --mirror DIR`: fixes as cases, by rule.

A commit is taken when its subject speaks of a fix, it changes functions of one module, at most 30
lines, and a file of tests; and when some test of those files passes with it and fails with the
module of its parent. The newest come first, at most three of one repository. Nobody reads them.
What is written is one JSON line each, for `mined.jsonl`; halves are taken by the hash of the id.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FIX = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bug|crash\w*|incorrect\w*|wrong\w*|regression)\b", re.IGNORECASE
)
_NOT_CODE = re.compile(
    r"\b(?:typos?|docs?|docstrings?|lint|flake8|mypy|types?|typing|ci|tox|travis|spelling|test|tests"
    r"|build|setup|readme|changelog|warnings?|coverage|deprecat\w*)\b", re.IGNORECASE
)  # fmt: skip
_OTHER = re.compile(
    r"(?:^|/)(?:setup|conftest|conf|noxfile|tasks|version|_version)\.py$|^(?:docs?|examples?|bench\w*|tools?|scripts?)/"
)
_MOST_LINES, _MOST_EACH, _MOST_TRIED = 30, 3, 12
_SUITE_SECONDS = 25.0
_PASSED = re.compile(r"^PASSED (\S+)", re.MULTILINE)
_FAILED = re.compile(r"^FAILED (\S+)", re.MULTILINE)


class Mirror:
    """One bare repository."""

    def __init__(self, root: Path, repo: str) -> None:
        self.repo = repo
        self.place = root / repo.replace("/", "+") / "repo"

    def git(self, *words: str, **more: str) -> str:
        """What a command of git prints."""
        line = ["git", "--git-dir", str(self.place), *words]
        done = subprocess.run(line, capture_output=True, check=True, env={**os.environ, **more})
        return done.stdout.decode("utf-8", "replace")

    def export(self, commit: str, folder: str) -> None:
        """All files of a commit."""
        index = os.path.join(folder, ".index")
        self.git("read-tree", commit, GIT_INDEX_FILE=index)
        self.git("--work-tree", folder, "checkout-index", "-a", "-f", GIT_INDEX_FILE=index)
        os.unlink(index)


def main() -> int:
    """Print what was found, repository by repository."""
    given = _parse_options()
    for repo in given.repos:
        mirror, taken = Mirror(given.mirror, repo), 0
        for case in _candidates(mirror):
            if _is_shown(mirror, case, given.python):
                print(json.dumps(case), flush=True)
                taken += 1
            if taken == _MOST_EACH:
                break
        print(f"{repo}: {taken}", file=sys.stderr, flush=True)
    return 0


def _candidates(mirror: Mirror) -> Iterator[dict[str, Any]]:
    log = mirror.git("log", "--no-merges", "--format=%H%x09%P%x09%s", "HEAD")
    tried = 0
    for line in log.splitlines():
        commit, parent, subject = line.split("\t", 2)
        if not parent or not _FIX.search(subject) or _NOT_CODE.search(subject):
            continue
        found = _one_module(mirror, commit, parent)
        if found is None:
            continue
        module, tests, lines = found
        functions = _changed(
            mirror.git("show", f"{parent}:{module}"), mirror.git("show", f"{commit}:{module}")
        )
        if not functions or "<module>" in functions:
            continue
        tried += 1
        if tried > _MOST_TRIED:
            return
        name = mirror.repo.partition("/")[2].removeprefix("python-").lower()
        case_id = f"A-{name}-{commit[:8]}"
        digest = int(hashlib.sha256(case_id.encode()).hexdigest(), 16)
        yield {
            "id": case_id, "class": "fault", "repo": mirror.repo, "commit": commit,
            "parent": parent,
            "module": module, "functions": functions, "test_files": tests, "changed_lines": lines,
            "install": ["pytest"], "distribution": name, "version": "1.0",
            "half": ("first", "kept")[digest % 2],
        }  # fmt: skip


def _one_module(mirror: Mirror, commit: str, parent: str) -> tuple[str, list[str], int] | None:
    """The module that a commit changes, its files of tests, and how many lines it changes."""
    counted = mirror.git("diff", "--numstat", "--no-renames", parent, commit)
    rows = [each.split("\t") for each in counted.splitlines()]
    modules, tests = [], []
    for added, removed, path in (each for each in rows if each[2].endswith(".py")):
        if "test" in path:
            tests.append((path, int(added)))
        elif not _OTHER.search(path):
            modules.append((path, int(added) + int(removed), int(removed)))
    shown = [path for path, added in tests if added]
    if len(modules) != 1 or not shown or modules[0][1] > _MOST_LINES:
        return None
    listed = mirror.git("ls-tree", "--name-only", parent, modules[0][0])
    return (modules[0][0], shown, modules[0][1]) if listed.strip() else None


def _changed(before: str, after: str) -> list[str]:
    """The functions of both versions whose syntax trees differ; all else counts as one."""
    try:
        old, new = _functions(before), _functions(after)
    except SyntaxError:
        return []
    names = [each for each in new if each in old and new[each] != old[each]]
    return [each for each in names if each != "<module>"] or names


def _functions(source: str) -> dict[str, str]:
    found: dict[str, str] = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{each.name}"
                if not isinstance(each, ast.ClassDef):
                    found[name] = ast.dump(each)
                else:
                    visit(each, f"{name}.")

    tree = ast.parse(source)
    visit(tree, "")
    found["<module>"] = "\n".join(
        ast.dump(each) for each in tree.body
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )  # fmt: skip
    return found


def _is_shown(mirror: Mirror, case: dict[str, Any], python: str) -> bool:
    """Whether tests of the fix pass with it, and some of them fail with the parent's module."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            mirror.export(case["commit"], folder)
        except subprocess.CalledProcessError:
            return False  # the mirror does not hold all of it
        with_fix = _run(folder, case["test_files"], python)
        module = Path(folder, case["module"])
        module.write_text(mirror.git("show", f"{case['parent']}:{case['module']}"), "utf-8")
        without = _run(folder, case["test_files"], python)
    failing = sorted(set(_PASSED.findall(with_fix)) & set(_FAILED.findall(without)))
    case["failing_tests"] = failing[:10]
    return bool(failing)


def _run(folder: str, files: list[str], python: str) -> str:
    line = [python, "-m", "pytest", "-q", "-rpf", "--tb=no", "-p", "no:cacheprovider",
            "-o", "addopts=",
            "-W", "ignore", *files]  # fmt: skip
    path = f"{folder}/src{os.pathsep}{folder}"
    try:
        done = subprocess.run(
            line, cwd=folder, capture_output=True, timeout=_SUITE_SECONDS,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.history.mining",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("repos", nargs="+", metavar="OWNER/NAME")
    parser.add_argument("--mirror", type=Path, required=True, metavar="DIR")
    parser.add_argument("--python", default=sys.executable, help="with pytest, and what tests need")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
