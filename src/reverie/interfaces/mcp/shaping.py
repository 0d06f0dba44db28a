"""Answers that fit into an agent's context: bounded, given once, and kept whole to be read later.

What is cut says so in `cut`, and `whole` is the resource that has all of it.
"""

import functools
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, Field

CHARACTERS_PER_TOKEN = 3
"""Of JSON with code in it, on the safe side: tokenisers make 3 to 4 of them one token."""
ANSWER_TOKENS = 4_000
DETAIL_TOKENS = 40_000
PAGE_CHARACTERS = 30_000
_SAID_CHARACTERS = 600
_KEPT = 64
_LEAST_ITEMS, _LEAST_CHARACTERS = 3, 200
_CUT = " … cut"
Call = Callable[..., Awaitable[Any]]


class Answer(BaseModel):
    """What every tool answers besides its own: what was left out, and where all of it is."""

    cut: list[str] = Field(
        default_factory=list, description="Parts that were shortened; empty: this is everything"
    )
    whole: str | None = Field(
        default=None, description="Resource with the whole answer, where something was cut"
    )

    def said(self) -> str:
        """The answer in one line, for people and for clients that read no structure."""
        return "; ".join(_words(self.model_dump(exclude={"cut", "whole"})))


def _words(document: dict[str, Any]) -> Iterator[str]:
    for name, value in list(document.items())[:8]:
        if isinstance(value, list | dict):
            yield f"{name}: {len(value)}"
        elif value is not None and len(str(value)) <= 100:
            yield f"{name}: {' '.join(str(value).split())}"


@dataclass(slots=True)
class Shelf:
    """Whole answers of this server, the newest ones."""

    kept: "OrderedDict[str, str]" = field(default_factory=OrderedDict)
    count: int = 0

    def keep(self, text: str) -> str:
        """The address under which a text can be read, page by page."""
        self.count += 1
        name = f"a{self.count}"
        self.kept[name] = text
        while len(self.kept) > _KEPT:
            self.kept.popitem(last=False)
        return f"reverie://answer/{name}/1"

    def page(self, name: str, number: int) -> str | None:
        """One page of an answer; None where there is none."""
        text = self.kept.get(name)
        if text is None or number < 1 or (number - 1) * PAGE_CHARACTERS >= len(text):
            return None
        start = (number - 1) * PAGE_CHARACTERS
        more = len(text) > start + PAGE_CHARACTERS
        rest = f"\n[next page: reverie://answer/{name}/{number + 1}]" if more else ""
        return text[start : start + PAGE_CHARACTERS] + rest


def tokens_of(document: Any) -> int:
    """About how many tokens a document takes in a context."""
    return -(-len(dumped(document)) // CHARACTERS_PER_TOKEN)


def dumped(document: Any) -> str:
    """JSON without blanks."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def fitted(document: dict[str, Any], tokens: int) -> tuple[dict[str, Any], list[str]]:
    """A document that takes at most so many tokens, and what was shortened in it.

    Always the largest list, text or table is halved, so that the rest stays whole.
    """
    cut: dict[str, tuple[int, int]] = {}
    while tokens_of(document) > tokens:
        found = max(_cuttable(document, ""), key=lambda each: each.weight, default=None)
        if found is None:
            break
        before, after = found.halve()
        first, _ = cut.get(found.path, (before, after))
        cut[found.path] = (first, after)
    return document, [f"{path}: {after} of {before}" for path, (before, after) in cut.items()]


@dataclass(frozen=True, slots=True)
class _Part:
    """A list, a text or a table that can be shortened where it stands."""

    holder: Any
    key: Any
    path: str
    weight: int

    def halve(self) -> tuple[int, int]:
        value = self.holder[self.key]
        if isinstance(value, str):
            text = value.removesuffix(_CUT)
            self.holder[self.key] = text[: len(text) // 2] + _CUT
            return len(text), len(text) // 2
        half = len(value) // 2
        kept = value[:half] if isinstance(value, list) else dict(list(value.items())[:half])
        self.holder[self.key] = kept
        return len(value), half


def _cuttable(value: Any, path: str) -> Iterator[_Part]:
    if isinstance(value, dict):
        pairs: Any = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    else:
        return
    for key, inner in pairs:
        place = f"{path}.{key}" if path else str(key)
        is_long = isinstance(inner, str) and len(inner) > _LEAST_CHARACTERS
        is_many = isinstance(inner, list) and len(inner) > _LEAST_ITEMS
        is_table = isinstance(inner, dict) and len(inner) > 8 * _LEAST_ITEMS
        if is_long or is_many or is_table:
            yield _Part(value, key, place, len(dumped(inner)))
        yield from _cuttable(inner, place)


def shape_answers(server: MCPServer[Any], shelf: Shelf, *, as_text: bool = False) -> None:
    """Make every tool of a server answer within bounds, and once.

    As structure, with one line of text beside it; or for clients that read only text, as text.
    """
    for tool in server._tool_manager.list_tools():
        tool.fn = _shaped(tool.fn, shelf, as_text=as_text)
        if as_text:
            tool.fn_metadata.output_model = None
            tool.fn_metadata.output_schema = None
            tool.__dict__.pop("output_schema", None)


def _shaped(call: Call, shelf: Shelf, *, as_text: bool) -> Call:
    @functools.wraps(call)
    async def answered(**given: Any) -> CallToolResult:
        found = await call(**given)
        return told(found, shelf, is_detailed=bool(given.get("detail")), as_text=as_text)

    return answered


def told(
    found: Answer, shelf: Shelf, *, is_detailed: bool = False, as_text: bool = False
) -> CallToolResult:
    """An answer as it goes out."""
    said = found.said()[:_SAID_CHARACTERS]
    document = found.model_dump(mode="json")
    tokens = DETAIL_TOKENS if is_detailed else ANSWER_TOKENS
    text = dumped(document)
    room = tokens - tokens_of(said) - 200
    document, cut = fitted(document, room)
    if cut:
        document["cut"] = [*document["cut"], *cut[:12]]
        document["whole"] = shelf.keep(json.dumps(json.loads(text), indent=1, ensure_ascii=False))
    if as_text:
        return CallToolResult(content=[TextContent(type="text", text=dumped(document))])
    return CallToolResult(
        content=[TextContent(type="text", text=said)], structured_content=document
    )
