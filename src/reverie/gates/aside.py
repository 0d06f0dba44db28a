"""Files of a change that no code reaches: texts for people, and scripts that nobody imports.

They come with honest work, above all with speed-ups: a change log, a page, a benchmark. What is
judged is the code; these are left aside and named, and a script is owed a look by a person.
"""

import re
from dataclasses import replace
from fnmatch import fnmatchcase

from reverie.gates.gate import Matter
from reverie.gates.paths import holds_tests, is_test_path, red_line
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.outcome import counted
from reverie.model.ruling import Need, NeedKind

_TOLD = ("*.md", "*.rst", "*.txt")
_CHANGE_LOG = re.compile(
    r"(change[-_]?log|changes|history|news|releases?|release[-_]notes)(\.(md|rst|txt))?",
    re.IGNORECASE,
)
_TEXTS = frozenset(
    {"docs", "doc", "documentation", "changes", "changelog", "news", "newsfragments"}
)
_SCRIPTS = frozenset(
    {"benchmarks", "benchmark", "bench", "perf", "asv_bench", "examples", "scripts", "tools"}
)
"""Folders of programs that people start, and no program imports."""
_REGULAR = frozenset({None, "100644"})


def left_aside(matter: Matter) -> Matter:
    """The same matter without what no code reaches, unless nothing else would be left of it."""
    if matter.stage not in (Stage.B, Stage.C):
        return matter
    kept = tuple(each for each in matter.change.edits if not is_aside(each, matter))
    if not kept or len(kept) == len(matter.change.edits):
        return matter
    paths = tuple(each.path for each in matter.change.edits if each not in kept)
    return replace(matter, change=Change(kept), aside=(*matter.aside, *paths))


def needs_of_aside(matter: Matter) -> tuple[Need, ...]:
    """A look at programs that were not judged: promoted, they lie where somebody may start them."""
    scripts = [path for path in matter.aside if path.endswith(".py")]
    if not scripts:
        return ()
    files = counted(len(scripts), "script")
    words = f"a look at {files} that no code imports, and that {_were(scripts)} not judged: "
    return (Need(NeedKind.OTHER, words=words + ", ".join(scripts)),)


def _were(found: list[str]) -> str:
    return "was" if len(found) == 1 else "were"


def is_aside(edit: FileEdit, matter: Matter) -> bool:
    """Whether a file is for people alone: no code lies beside it, names it or imports it."""
    is_plain = edit.after is not None and edit.renamed_from is None and not edit.is_binary
    is_regular = not {edit.mode_before, edit.mode_after} - _REGULAR
    if not is_plain or not is_regular or red_line(edit.path, matter.section) is not None:
        return False
    top = edit.path.removeprefix("src/").partition("/")[0]
    if top in matter.surroundings.packages or is_test_path(edit.path, matter.section):
        return False
    if edit.path.endswith(".py"):
        return _is_script(edit, top, matter)
    return _is_text(edit.path, top) and not _is_named(edit.path.rpartition("/")[2], matter)


def _is_text(path: str, top: str) -> bool:
    name = path.rpartition("/")[2]
    if _CHANGE_LOG.fullmatch(name):
        return True
    folder = top.lower().removesuffix(".d")  # changelog.d: one fragment for each change
    is_place = folder in _TEXTS if "/" in path else name.upper().startswith("README")
    return is_place and any(fnmatchcase(name.lower(), each) for each in _TOLD)


def _is_script(edit: FileEdit, top: str, matter: Matter) -> bool:
    """Whether a Python file is a program of its own; the folder may not be imported either."""
    is_place = "/" in edit.path and top in _SCRIPTS
    stem = edit.path.rpartition("/")[2].removesuffix(".py")
    is_ours = stem == "__init__" or holds_tests(edit.path, edit)
    return is_place and not is_ours and not _is_named(stem, matter) and not _imported(top, matter)


def _is_named(name: str, matter: Matter) -> bool:
    """Whether code says a name, before the change or after it."""
    words = matter.surroundings.words
    is_known = name in words or any(word.endswith(f".{name}") for word in words)
    return is_known or any(name in text for text in _code_after(matter))


def _imported(top: str, matter: Matter) -> bool:
    """Whether code outside of a folder imports from it."""
    found = re.compile(rf"^\s*(?:from|import)\s+{re.escape(top)}\b", re.MULTILINE)
    sources = matter.surroundings.sources.items()
    others = (text for module, text in sources if module.partition(".")[0] != top)
    return any(found.search(text) for text in (*others, *_code_after(matter)))


def _code_after(matter: Matter) -> list[str]:
    """Texts of the changed code; a script may speak of itself."""
    return [
        each.after or ""
        for each in matter.change.edits
        if each.path.endswith((".py", ".pyi")) and each.path.partition("/")[0] not in _SCRIPTS
    ]
