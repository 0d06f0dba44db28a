"""Functions that make paths out of paths."""

from collections.abc import Callable

from reverie.sandbox.safety.interpreter.interpreter import CallSite
from reverie.sandbox.safety.interpreter.values import (
    Items,
    Parts,
    Symbol,
    Value,
    join,
    join_parts,
    join_paths,
    known,
    map_text,
    name_of,
    parent_of,
    parts_of,
    text_atom,
)

PATH = "pathlib.Path()"
_TEMPORARY: Parts = ("/tmp/", None)


def _join(site: CallSite) -> Value | None:
    return join_paths(site.positional) if not site.arguments.open_ended else None


def _first_text(site: CallSite) -> Value | None:
    return map_text(site.positional[0], lambda parts: parts) if site.positional else None


def _dirname(site: CallSite) -> Value | None:
    return map_text(site.positional[0], parent_of) if site.positional else None


def _basename(site: CallSite) -> Value | None:
    return map_text(site.positional[0], name_of) if site.positional else None


def _path(site: CallSite) -> Value | None:
    if site.arguments.open_ended:
        return (Symbol(PATH, (None,)),)
    joined = join_paths(site.positional) if site.positional else known(".")
    return join([(Symbol(PATH, parts_of(atom)),) for atom in joined])


def _same_path(site: CallSite) -> Value | None:
    return (Symbol(PATH, site.symbol.text or (None,)),)


def _joinpath(site: CallSite) -> Value | None:
    own: Value = (Symbol(PATH, site.symbol.text or (None,)),)
    joined = join_paths([own, *site.positional])
    return join([(Symbol(PATH, parts_of(atom)),) for atom in joined])


def _below(site: CallSite) -> Value | None:
    """`iterdir`, `glob`, `with_name`: something in the same folder or below it."""
    text = site.symbol.text or (None,)
    found = Symbol(PATH, join_parts([text, (None,)]))
    return (Items("list", ((found,),)),)


def _sibling(site: CallSite) -> Value | None:
    text = parent_of(site.symbol.text or (None,))
    name = site.positional[0] if site.positional else ()
    parts = parts_of(name[0]) if len(name) == 1 else (None,)
    if site.symbol.name.endswith("with_suffix"):
        parts = (None, *parts)
    return (Symbol(PATH, join_parts([text, parts])),)


def _as_text(site: CallSite) -> Value | None:
    return (text_atom(site.symbol.text or (None,)),)


def _fixed(parts: Parts, *, as_path: bool) -> Callable[[CallSite], Value | None]:
    def model(_: CallSite) -> Value | None:
        return (Symbol(PATH, parts),) if as_path else (text_atom(parts),)

    return model


def _temporary_object(site: CallSite) -> Value | None:
    return (Symbol(f"{site.symbol.name}()", _TEMPORARY),)


def _mkstemp(_: CallSite) -> Value | None:
    return (Items("tuple", (known(3), (text_atom(_TEMPORARY),))),)


def _environ(site: CallSite) -> Value | None:
    """Only the variables that name the home folder tell something about a path."""
    key = site.positional[0] if site.positional else ()
    if key in (known("HOME"), known("USERPROFILE")):
        return known("~")
    return None


_PATH_METHODS: dict[str, Callable[[CallSite], Value | None]] = {
    "expanduser": _same_path,
    "resolve": _same_path,
    "absolute": _same_path,
    "joinpath": _joinpath,
    "iterdir": _below,
    "glob": _below,
    "rglob": _below,
    "with_name": _sibling,
    "with_stem": _sibling,
    "with_suffix": _sibling,
    "as_posix": _as_text,
    "__str__": _as_text,
    "__fspath__": _as_text,
}

MODELS: dict[str, Callable[[CallSite], Value | None]] = {
    "os.path.join": _join,
    "os.path.expanduser": _first_text,
    "os.path.abspath": _first_text,
    "os.path.realpath": _first_text,
    "os.path.normpath": _first_text,
    "os.path.expandvars": _first_text,
    "os.path.dirname": _dirname,
    "os.path.basename": _basename,
    "os.getcwd": _fixed((".",), as_path=False),
    "pathlib.Path": _path,
    "pathlib.Path.home": _fixed(("~",), as_path=True),
    "pathlib.Path.cwd": _fixed((".",), as_path=True),
    "tempfile.gettempdir": _fixed(("/tmp",), as_path=False),
    "tempfile.mkdtemp": _fixed(_TEMPORARY, as_path=False),
    "tempfile.mktemp": _fixed(_TEMPORARY, as_path=False),
    "tempfile.mkstemp": _mkstemp,
    "tempfile.TemporaryDirectory": _temporary_object,
    "tempfile.NamedTemporaryFile": _temporary_object,
    "os.environ.get": _environ,
    **{f"{PATH}.{name}": model for name, model in _PATH_METHODS.items()},
}
