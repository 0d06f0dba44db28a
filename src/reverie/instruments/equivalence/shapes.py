"""The shape of a callable of a version, as the makers of inputs read it."""

from reverie.inputs import CallableShape, folder_resolver, read
from reverie.instruments.equivalence.targets import Version


def shape_in(version: Version, qualname: str) -> CallableShape:
    """Parameters and types, with those of the version's relatives; `UsageError` if it has none."""
    if not version.roots:
        return read(version.source, qualname)
    relatives = folder_resolver(*version.roots)
    return read(version.source, qualname, module=version.module, resolver=relatives)
