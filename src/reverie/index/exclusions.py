"""Which modules nobody should write a test for, and what gives them away."""

import re
from collections.abc import Collection
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from reverie.model.candidate import ExcludedModule, Exclusion
from reverie.model.code import Module

HEAD_BYTES = 4096
_HEAD_LINES = 20
_TEST_FOLDERS = frozenset({"tests", "test", "testsuite", "testsuites"})
_TEST_FILES = ("test_*.py", "*_test.py", "*_tests.py", "tests.py", "conftest.py")
_VENDOR_FOLDERS = frozenset(
    {
        *("_vendor", "vendor", "vendored", "_vendored", "third_party", "thirdparty"),
        *("3rdparty", "extern", "_extern", "externals", "site-packages", "node_modules"),
    }
)
_GENERATED_FILES = ("*_pb2.py", "*_pb2_grpc.py", "_version.py", "_parser_tab.py", "parsetab.py")
_GENERATED = re.compile(
    r"@generated\b|\bDO NOT (?:EDIT|MODIFY)\b"
    r"|^\W*(?:this (?:file|module|code) (?:is|was|has been) )?(?:auto(?:matically)?[- ]?)?"
    r"generated(?:\W*$|[.!;:]| (?:by|from|with|using|on|file|code|automatically)\b)",
    re.IGNORECASE,
)


def exclusion_of(
    module: Module, head: bytes, patterns: Collection[str] = ()
) -> ExcludedModule | None:
    """Why a module is no candidate. `head` is the beginning of its file."""
    path = PurePosixPath(module.path)
    for pattern in patterns:
        if fnmatchcase(module.path, pattern):
            return ExcludedModule(module.path, Exclusion.SETTING, f"matches {pattern}")
    found = _test(path) or _vendored(path) or _generated(path, head)
    if found is not None:
        return ExcludedModule(module.path, *found)
    if module.error is not None:
        return ExcludedModule(module.path, Exclusion.NOT_PARSED, module.error)
    if not module.functions and not any(each.methods for each in module.classes):
        return ExcludedModule(module.path, Exclusion.NO_FUNCTIONS, "nothing in it can be called")
    return None


def holds_tests(path: PurePosixPath) -> bool:
    """Whether a file's name or folder says that it holds tests, and not what tests are made of.

    Stricter than the index, which also looks for inputs in a package named `testing`.
    """
    return _test(path) is not None


def stranger(path: PurePosixPath) -> str | None:
    """The name or pattern by which a file is somebody else's: copied here, or generated."""
    folder = next((name for name in path.parts[:-1] if name in _VENDOR_FOLDERS), None)
    return folder or next((each for each in _GENERATED_FILES if fnmatchcase(path.name, each)), None)


def _test(path: PurePosixPath) -> tuple[Exclusion, str] | None:
    folder = next((name for name in path.parts[:-1] if name in _TEST_FOLDERS), None)
    if folder is not None:
        return Exclusion.TEST, f"in a folder named {folder}"
    pattern = next((each for each in _TEST_FILES if fnmatchcase(path.name, each)), None)
    return None if pattern is None else (Exclusion.TEST, f"named like {pattern}")


def _vendored(path: PurePosixPath) -> tuple[Exclusion, str] | None:
    folder = next((name for name in path.parts[:-1] if name in _VENDOR_FOLDERS), None)
    return None if folder is None else (Exclusion.VENDORED, f"in a folder named {folder}")


def _generated(path: PurePosixPath, head: bytes) -> tuple[Exclusion, str] | None:
    pattern = next((each for each in _GENERATED_FILES if fnmatchcase(path.name, each)), None)
    if pattern is not None:
        return Exclusion.GENERATED, f"named like {pattern}"
    for line in _opening_remarks(head.decode("utf-8", "replace")):
        if _GENERATED.search(line):
            return Exclusion.GENERATED, f"says {line.strip()[:80]!r}"
    return None


def _opening_remarks(text: str) -> list[str]:
    """The comments and the docstring that a file opens with."""
    remarks: list[str] = []
    quote = None
    for line in text.splitlines()[:_HEAD_LINES]:
        bare = line.strip()
        if quote is not None:
            remarks.append(line)
            quote = None if quote in bare else quote
        elif bare[:3] in ('"""', "'''"):
            remarks.append(bare[3:])
            quote = None if bare[3:].endswith(bare[:3]) else bare[:3]
        elif bare.startswith("#"):
            remarks.append(bare)
        elif bare:
            break
    return remarks
