"""A repository at first sight: where its code, its tests and its pipeline are; excluded modules.

Excluded are modules that nobody should write a test for, with what gives them away.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from reverie.index.discovery import FoundFile, survey
from reverie.index.naming import layout_of, name_files, prefixes, read_project
from reverie.index.paths import packages_around
from reverie.model.repository.candidate import ExcludedModule, Exclusion
from reverie.model.repository.code import Module
from reverie.model.sections import IndexSection

HEAD_BYTES = 4096
_HEAD_LINES = 20
_TEST_FOLDERS = frozenset({"tests", "test", "testsuite", "testsuites"})
_TEST_FILES = ("test_*.py", "*_test.py", "*_tests.py", "tests.py", "conftest.py")
_VENDOR_FOLDERS = frozenset(
    {
        *("_vendor", "vendor", "vendored", "_vendored", "third_party", "thirdparty"),
        *("_third_party", "_thirdparty", "bundled", "_bundled"),
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
_COPIED = re.compile(
    r"\b(?:vendored|bundled) (?:from|copy|version)\b|\b(?:unmodified|verbatim) copy\b"
    r"|\bcopied (?:unmodified|verbatim) from\b"
    r"|\b(?:changes?|fix(?:es)?) belongs? upstream\b",
    re.IGNORECASE,
)
"""How a file says that it was copied here, and is changed elsewhere."""


_BESIDE = frozenset(
    {
        *("example", "examples", "demo", "demos", "sample", "samples", "doc", "docs"),
        *("benchmark", "benchmarks", "bench", "script", "scripts", "contrib", "ci"),
        *("tool", "tools", "hack", "dev", "devtools"),
        *("scratch", "playground", "notebook", "notebooks", "experiments", "tmp"),
    }
)
"""Folders of a repository's root that hold what is not shipped, unless they are packages."""
_BUILDING = frozenset({"setup.py", "noxfile.py", "conftest.py", "fabfile.py", "build.py"})
"""Files of the root that build, test or release the rest."""


def exclusions_of(
    modules: Sequence[Module], sources: Mapping[str, bytes | None], patterns: Collection[str] = ()
) -> list[ExcludedModule | None]:
    """Why each module is no candidate; None where it is one.

    Examples, scripts and the like count only where there is nothing else.
    """
    found = [exclusion_of(each, sources.get(each.path) or b"", patterns) for each in modules]
    paths = {each.path for each in modules}
    beside = [_beside(each.path, paths) for each in modules]
    if all(folder for folder, why in zip(beside, found, strict=True) if why is None):
        return found
    return [
        ExcludedModule(each.path, Exclusion.BESIDE, _why_beside(folder))
        if folder and (why is None or why.reason is Exclusion.NO_FUNCTIONS)
        else why
        for each, folder, why in zip(modules, beside, found, strict=True)
    ]


def _why_beside(folder: str) -> str:
    if folder.endswith(".py"):
        return f"nothing can import it by its name {folder}"
    return "builds or tests the rest" if folder == "." else f"in a folder named {folder}"


def _beside(path: str, paths: Collection[str]) -> str | None:
    folder, _, rest = path.partition("/")
    if path in _BUILDING:
        return "."
    if rest and folder in _BESIDE and f"{folder}/__init__.py" not in paths:
        return folder
    name = path.rpartition("/")[2]
    return None if name.removesuffix(".py").isidentifier() else name


def exclusion_of(
    module: Module, head: bytes, patterns: Collection[str] = ()
) -> ExcludedModule | None:
    """Why a module is no candidate. `head` is the beginning of its file."""
    path = PurePosixPath(module.path)
    for pattern in patterns:
        if fnmatchcase(module.path, pattern):
            return ExcludedModule(module.path, Exclusion.SETTING, f"matches {pattern}")
    found = _test(path) or _vendored(path, head) or _generated(path, head)
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


def _vendored(path: PurePosixPath, head: bytes) -> tuple[Exclusion, str] | None:
    folder = next((name for name in path.parts[:-1] if name in _VENDOR_FOLDERS), None)
    if folder is not None:
        return Exclusion.VENDORED, f"in a folder named {folder}"
    for line in _opening_remarks(head.decode("utf-8", "replace")):
        if _COPIED.search(line):
            return Exclusion.VENDORED, f"says {line.strip()[:80]!r}"
    return None


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


_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+)", re.MULTILINE)
_UNITTEST = re.compile(rb"^[ \t]*(?:from|import)[ \t]+unittest\b", re.MULTILINE)
_PYTEST = re.compile(rb"^[ \t]*(?:from|import)[ \t]+pytest\b|^def test", re.MULTILINE)
_READ_BYTES = 1 << 18
_COLLECTED = ("test_*.py", "*_test.py")
_TEST_NAMES = ("tests", "test", "testsuite", "testsuites", "*_tests", "tests_*", "spec", "specs")
_MOSTLY = 0.8
_PIPELINES = (
    *(".github/workflows/*.yml", ".github/workflows/*.yaml", ".gitlab-ci.yml", ".travis.yml"),
    *("azure-pipelines.yml", ".circleci/config.yml", "Jenkinsfile", "bitbucket-pipelines.yml"),
    *("appveyor.yml", ".drone.yml", ".buildkite/*.yml", ".woodpecker/*.yml", ".woodpecker.yml"),
    *("tox.ini", "noxfile.py"),
)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What was seen. Paths are from the repository on, with `/`."""

    modules: int
    """Python files that are neither tests nor somebody else's."""
    test_files: int
    layout: str
    """`src`, `flat`, `folders` (code below other folders) or `empty`."""
    roots: tuple[str, ...]
    """Folders besides the repository itself that imports start from."""
    is_told: bool
    """Whether project files say all of `roots` by themselves."""
    framework: str | None
    """`pytest` or `unittest`; None without tests."""
    test_roots: tuple[str, ...]
    """Folders of tests: by name where it is a usual one, else by path."""
    strangers: tuple[str, ...]
    """Patterns of what was copied here or generated, and is changed elsewhere."""
    environment: str | None
    """The virtual environment whose interpreter runs the tests."""
    pipelines: tuple[str, ...]
    """Files of continuous integration."""
    has_git: bool


def look_around(root: Path, section: IndexSection, testpaths: tuple[str, ...] = ()) -> Outlook:
    """Look at a repository; nothing of it is run. `testpaths`: where pytest is told to look."""
    found = survey(root, section.exclude)
    files = [each for each in found.files if each.problem is None and each.path.isprintable()]
    tests = [each for each in files if holds_tests(PurePosixPath(each.path))]
    strange = {each.path: stranger(PurePosixPath(each.path)) for each in files}
    others = {each.path for each in tests} | {path for path, by in strange.items() if by}
    own = [each.path for each in files if each.path not in others]
    roots, is_told = _roots(root, files, own, found.projects)
    return Outlook(
        modules=len(own),
        test_files=sum(_is_collected(each.path) for each in tests),
        layout=_layout(own, roots),
        roots=roots,
        is_told=is_told,
        framework=_framework(root, tests),
        test_roots=_test_roots(root, list(strange), testpaths),
        strangers=tuple(sorted({by for by in strange.values() if by})),
        environment=_environment(root),
        pipelines=_pipelines(root),
        has_git=(root / ".git").exists(),
    )


def _roots(
    root: Path, files: list[FoundFile], own: list[str], projects: tuple[str, ...]
) -> tuple[tuple[str, ...], bool]:
    """The folders that the index takes imports to start from, and whether it was told so.

    Only folders that, written down, leave every module its name.
    """
    read = [read_project(root, folder) for folder in dict.fromkeys((".", *projects))]
    around, used = packages_around(root), frozenset(prefixes(_imported(files)))
    paths = [each.path for each in files]
    told = layout_of(read, around, ())
    named = name_files(paths, told, lambda: used)
    seen = {named[path].root for path in own} - {"."}
    roots = tuple(dict.fromkeys((*told.declared, *sorted(seen - set(told.projects)))))
    again = name_files(paths, layout_of(read, around, roots), lambda: used)
    if {path: each.name for path, each in named.items()} != {
        path: each.name for path, each in again.items()
    }:
        return told.declared, True
    return roots, roots == told.declared


def _imported(files: Iterable[FoundFile]) -> set[str]:
    names = {name for each in files for name in _IMPORT.findall(_head(each.place))}
    return {name.decode("utf-8", "replace").strip(".") for name in names}


def _head(place: str) -> bytes:
    try:
        with open(place, "rb") as file:
            return file.read(_READ_BYTES)
    except OSError:
        return b""


def _layout(own: list[str], roots: Collection[str]) -> str:
    if not own:
        return "empty"
    if any(path.startswith("src/") for path in own) and "src" in roots:
        return "src"
    return "folders" if roots else "flat"


def _framework(root: Path, tests: list[FoundFile]) -> str | None:
    heads = [_head(each.place) for each in tests if _is_collected(each.path)]
    if not heads:
        return None
    settled = any((root / name).is_file() for name in ("pytest.ini", "conftest.py"))
    if settled or any(_PYTEST.search(head) for head in heads):
        return "pytest"
    return "unittest" if any(_UNITTEST.search(head) for head in heads) else "pytest"


def _is_collected(path: str) -> bool:
    name = path.rpartition("/")[2]
    return any(fnmatchcase(name, each) for each in _COLLECTED)


def _test_roots(root: Path, paths: list[str], testpaths: tuple[str, ...]) -> tuple[str, ...]:
    """Where pytest is told to look, and what has the name of a folder of tests.

    Where it is told nothing, folders count too that hold little else: else they are benchmarks.
    """
    of_tests = _folders_of_tests(paths)
    told = {each.strip("/") for each in testpaths if (root / each).is_dir()} & of_tests
    known = {each for each in of_tests if _is_named_so(each)} if told else of_tests
    seen = {
        folder
        for path in paths
        if _is_collected(path)
        for folder in [each for each in _above(path) if each in known][:1]
    }
    shown = {_by_name(folder) for folder in told | seen}
    return tuple(sorted(each for each in shown if not _is_covered(each, shown)))


def _folders_of_tests(paths: list[str]) -> frozenset[str]:
    """Folders that have the name of one, or hold little else."""
    files, tests = Counter[str](), Counter[str]()
    for path in paths:
        if not path.endswith("/__init__.py"):
            folders = list(_above(path))
            files.update(folders)
            tests.update(folders if holds_tests(PurePosixPath(path)) else ())
    return frozenset(
        each
        for each, count in files.items()
        if _is_named_so(each) or tests[each] >= _MOSTLY * count
    )


def _above(path: str) -> Iterator[str]:
    """The folders around a file, outermost first."""
    parts = path.split("/")
    yield from ("/".join(parts[:count]) for count in range(1, len(parts)))


def _is_named_so(folder: str) -> bool:
    name = folder.rpartition("/")[2].lower()
    return any(fnmatchcase(name, each) for each in _TEST_NAMES)


def _by_name(folder: str) -> str:
    name = folder.rpartition("/")[2]
    return name if name in ("tests", "test") else folder


def _is_covered(folder: str, shown: Collection[str]) -> bool:
    """Whether another name or path stands for it already."""
    is_named = "/" in folder and any(part in shown for part in folder.split("/"))
    return is_named or any(each in shown for each in _above(folder))


def _environment(root: Path) -> str | None:
    """The one that trials would take."""
    for name in (".venv", "venv"):
        if (root / name / "bin" / "python").exists():
            return name
    return None


def _pipelines(root: Path) -> tuple[str, ...]:
    found = [each for pattern in _PIPELINES for each in root.glob(pattern) if each.is_file()]
    names = {each.relative_to(root).as_posix() for each in found}
    return tuple(sorted(name for name in names if name.isprintable()))
