"""Source files that nobody would write: cut off, scrambled, nested, endless."""

import random
from collections.abc import Callable, Sequence

_TOKENS = [
    b"(", b")", b"[", b"]", b"{", b"}", b":", b"\n", b"    ", b"\t", b"'", b'"', b'"""', b"\\",
    b"#", b"def ", b"class ", b"lambda ", b"if ", b"else", b"import ", b"from . import *",
    b"async ", b"await ", b"yield ", b"match x:\n", b"case _:", b"@", b"*", b"**", b"->", b":=",
    b"f'{", b"\x0c", b"\r", b"\x00", b"\xef\xbb\xbf", b"\xff", "\u202e".encode(),
    b"# coding: utf-7\n", b"type X[T] = ", b"1e999", b"0x", b"9" * 5000, b"__all__ = ", b">>> ",
    b"except* ", b"print 'x'",
]  # fmt: skip
_NESTS = [
    (b"(", b")"), (b"[", b"]"), (b"-", b""), (b"not ", b""), (b"lambda: ", b""), (b"f(", b")"),
    (b"a if b else ", b""), (b"{1: ", b"}"), (b"a.b[", b"]"), (b"x + ", b""), (b"await ", b""),
]  # fmt: skip


def mangled(sources: Sequence[bytes], chance: random.Random, number: int) -> bytes:
    """The `number`th mangled file; the kinds take turns."""
    kinds: list[Callable[[bytes, random.Random], bytes]] = [
        _cut_off, _flip_bytes, _random_bytes, _insert_tokens, _delete_lines, _nest, _huge_literal,
        _shuffle_lines, _indent, _tokens_only,
    ]  # fmt: skip
    return kinds[number % len(kinds)](chance.choice(sources), chance)


def _cut_off(source: bytes, chance: random.Random) -> bytes:
    return source[: chance.randrange(len(source))]


def _flip_bytes(source: bytes, chance: random.Random) -> bytes:
    raw = bytearray(source)
    for _ in range(chance.randint(1, 20)):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(raw)


def _random_bytes(_: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.randint(0, 5000))


def _insert_tokens(source: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(source))
        source = source[:place] + chance.choice(_TOKENS) + source[place:]
    return source


def _delete_lines(source: bytes, chance: random.Random) -> bytes:
    return b"".join(line for line in source.splitlines(True) if chance.random() > 0.1)


def _shuffle_lines(source: bytes, chance: random.Random) -> bytes:
    lines = source.splitlines(True)
    chance.shuffle(lines)
    return b"".join(lines)


def _nest(source: bytes, chance: random.Random) -> bytes:
    opened, closed = chance.choice(_NESTS)
    depth = chance.choice([50, 99, 150, 900, 3000, 50_000])
    return source[:200] + b"\nx = " + opened * depth + b"1" + closed * depth + b"\n"


def _huge_literal(source: bytes, chance: random.Random) -> bytes:
    size = chance.choice([1000, 100_000, 700_000])
    literal = chance.choice(
        [
            b"'" + b"a" * size + b"'",
            b"9" * min(size, 100_000),
            b"[" + b"1, " * (size // 3) + b"]",
            b"{" + b"'k': 'v', " * (size // 10) + b"}",
            b"+".join([b"a"] * (size // 100)),
            b"b'''" + b"\\x00\n" * (size // 5) + b"'''",
        ]
    )
    return b"DATA = " + literal + b"\n" + source


def _indent(_: bytes, chance: random.Random) -> bytes:
    depth = chance.choice([20, 95, 99, 101, 300])
    opener = chance.choice([b"if x:\n", b"def f():\n", b"class A:\n", b"while 1:\n", b"try:\n"])
    body = b"".join(b" " * level + opener for level in range(depth))
    return body + b" " * depth + b"pass\n"


def _tokens_only(_: bytes, chance: random.Random) -> bytes:
    return b"".join(chance.choice(_TOKENS) for _ in range(chance.randint(1, 400)))
