"""What a dream about a module depends on, as one hash: while it stays, nothing is tried twice."""

import hashlib
from collections.abc import Mapping

from reverie import __version__
from reverie.model.repository.code import CodeIndex


def source_hashes(index: CodeIndex, ground: str) -> Mapping[str, str]:
    """By module name: itself, all of the repository that it imports, and the tests that import it.

    `ground` is what else a dream depends on, the interpreter for one.
    """
    contents = {module.name: module.content_hash for module in index.modules}
    tests = {module.name for module in index.modules if module.is_test}
    imported: dict[str, set[str]] = {}
    for importer, name in index.edges:
        imported.setdefault(importer, set()).add(name)
    return {
        name: _digest(name, _depends_on(name, imported, tests), contents, ground)
        for name in contents
    }


def content_hashes(index: CodeIndex) -> Mapping[str, str]:
    """By module name: its own source alone."""
    return {module.name: module.content_hash for module in index.modules}


def _depends_on(name: str, imported: Mapping[str, set[str]], tests: set[str]) -> set[str]:
    found, left = {name}, [name]
    while left:
        for each in imported.get(left.pop(), ()):
            if each not in found:
                found.add(each)
                left.append(each)
    return found | {test for test in tests if name in imported.get(test, ())}


def _digest(name: str, names: set[str], contents: Mapping[str, str], ground: str) -> str:
    told = [
        __version__,
        ground,
        name,
        *(f"{each} {contents.get(each, '')}" for each in sorted(names)),
    ]
    return hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()


def reach_of(index: CodeIndex, module: str) -> float:
    """The share of the other modules that import one, directly or not."""
    found, left = {module}, [module]
    while left:
        name = left.pop()
        new = {importer for importer, imported in index.edges if imported == name} - found
        found |= new
        left += new
    return (len(found) - 1) / max(len(index.modules) - 1, 1)
