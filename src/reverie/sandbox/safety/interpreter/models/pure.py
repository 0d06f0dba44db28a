"""Functions that only compute: folded when all their arguments are constants."""

import functools
from collections.abc import Callable
from typing import Any

from reverie.sandbox.safety.interpreter.attributes import call_method
from reverie.sandbox.safety.interpreter.folding import (
    BULK_BYTES,
    MAX_SIZE,
    NotConstant,
    fold_call,
    is_text_codec,
)
from reverie.sandbox.safety.interpreter.interpreter import Arguments, CallSite, Excess
from reverie.sandbox.safety.interpreter.knowledge import knowledge
from reverie.sandbox.safety.interpreter.values import Known, Value, join, parts_of, text_atom

METHOD_OWNERS = frozenset({"builtins.str", "builtins.bytes", "builtins.dict", "builtins.int"})
CONSTRUCTORS = frozenset({"fromhex", "fromkeys", "from_bytes", "maketrans"})
_BYTE_CODECS = frozenset(
    {"rot13", "rot-13", "hex", "hex-codec", "base64", "base64-codec", "base-64"}
)


def call_unbound(method: str, site: CallSite) -> Value | None:
    """A method called on its class, with the object as first argument."""
    if not site.positional:
        return None
    rest = Arguments(site.positional[1:], site.arguments.keywords, site.arguments.open_ended)
    results = [call_method(site.machine, a, method, rest, site.node) for a in site.positional[0]]
    found = [result for result in results if result is not None]
    return join(found) if found else None


def _decompress(data: bytes, *_: object, **__: object) -> bytes:
    import zlib

    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, MAX_SIZE)
    except zlib.error as problem:
        raise ValueError(str(problem)) from None


def _codecs_decode(data: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    import codecs

    return codecs.decode(data, _plain_codec(encoding), errors)


def _codecs_encode(data: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    import codecs

    return codecs.encode(data, _plain_codec(encoding), errors)


def _plain_codec(encoding: str) -> str:
    plain = encoding.lower().replace("_", "-")
    if plain not in _BYTE_CODECS and not is_text_codec(plain):
        raise ValueError(encoding)
    return encoding


def _json_loads(data: str | bytes) -> Any:
    import json

    return json.loads(data)


@functools.cache
def _functions() -> dict[str, Callable[..., Any]]:
    import base64
    import binascii
    import html
    import operator
    import urllib.parse

    found: dict[str, Callable[..., Any]] = {
        "builtins.bytes.fromhex": bytes.fromhex,
        "builtins.bytearray.fromhex": bytes.fromhex,
        "builtins.int.from_bytes": int.from_bytes,
        "builtins.str.maketrans": str.maketrans,
        "binascii.unhexlify": binascii.unhexlify,
        "binascii.a2b_hex": binascii.a2b_hex,
        "binascii.a2b_base64": binascii.a2b_base64,
        "codecs.decode": _codecs_decode,
        "codecs.encode": _codecs_encode,
        "html.unescape": html.unescape,
        "json.loads": _json_loads,
        "urllib.parse.unquote": urllib.parse.unquote,
        "zlib.decompress": _decompress,
        "gzip.decompress": _decompress,
        "operator.add": operator.add,
        "operator.concat": operator.concat,
        "operator.getitem": operator.getitem,
    }
    for function in (chr, ord, len, int, abs, hex, oct, bin, min, max, sum, bool):
        found[f"builtins.{function.__name__}"] = function
    codecs = [name for name in dir(base64) if name.endswith(("decode", "encode", "bytes"))]
    return found | {f"base64.{name}": getattr(base64, name) for name in codecs}


def _fold(site: CallSite) -> Value | None:
    function = _functions()[site.symbol.name]
    if site.arguments.open_ended:
        return None
    try:
        value = fold_call(function, site.positional, site.arguments.keywords)
    except NotConstant:
        return None
    if site.symbol.name in knowledge().decoders:
        return tuple(Known(a.value, True) if isinstance(a, Known) else a for a in value)
    return value


def _to_text(site: CallSite) -> Value | None:
    """`str(x)` and `os.fspath(x)` keep what is known of a text or a path."""
    if len(site.positional) != 1 or site.arguments.keywords:
        return _bytes_to_text(site)
    found = [a for a in site.positional[0] if parts_of(a) != (None,) and not _is_bytes(a)]
    if not found:
        return None
    decoded = any(isinstance(a, Known) and a.decoded for a in found)
    return join([(text_atom(parts_of(atom), decoded=decoded),) for atom in found])


def _is_bytes(atom: object) -> bool:
    return isinstance(atom, Known) and isinstance(atom.value, bytes)


def _bytes_to_text(site: CallSite) -> Value | None:
    if not site.positional or not all(_is_bytes(a) for a in site.positional[0]):
        return None
    keyword = site.arguments.get(1, "encoding")
    rest = Arguments((keyword,) if keyword else ())
    results = [call_method(site.machine, a, "decode", rest, site.node) for a in site.positional[0]]
    found = [result for result in results if result is not None]
    return join(found) if found else None


def _to_bytes(site: CallSite) -> Value | None:
    """`bytes([101, 118])`; `bytes(10**12)` asks for memory by its argument."""
    for atom in site.positional[0] if site.positional else ():
        if isinstance(atom, Known) and isinstance(atom.value, int) and atom.value >= BULK_BYTES:
            site.machine.emit(Excess(site.node, "bulk", "a buffer of more than a gigabyte"))
    try:
        return fold_call(_small_bytes, site.positional, site.arguments.keywords)
    except NotConstant:
        return None


def _small_bytes(source: Any = b"", encoding: str | None = None) -> bytes:
    if isinstance(source, int):
        raise ValueError(source)
    return bytes(source, encoding) if encoding is not None else bytes(source)


MODELS: dict[str, Callable[[CallSite], Value | None]] = {
    **dict.fromkeys(_functions(), _fold),
    "builtins.str": _to_text,
    "os.fspath": _to_text,
    "builtins.bytes": _to_bytes,
    "builtins.bytearray": _to_bytes,
}
