"""Keyword profiles: which scenarios suit a workflow, by the words it is written with."""

import re
from collections.abc import Iterable, Mapping

from reverie.workflows.scenarios.presets import MIX, SCENARIOS

KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "high_latency_api": (
        "api", "http", "https", "url", "urllib", "requests", "httpx", "aiohttp", "client", "fetch",
        "download", "upload", "socket", "grpc", "rpc", "remote", "webhook", "endpoint",
    ),
    "flaky_upstream": (
        "api", "http", "https", "urllib", "requests", "httpx", "aiohttp", "client", "fetch",
        "retry", "upstream", "service", "gateway", "broker", "queue", "remote", "socket",
    ),
    "hostile_input": (
        "parse", "parser", "input", "form", "query", "sql", "sqlite", "html", "xml", "json", "yaml",
        "decode", "deserialize", "template", "render", "path", "file", "upload", "search", "regex",
    ),
    "user_misuse": (
        "user", "auth", "login", "permission", "role", "account", "admin", "validate", "check",
        "argument", "option", "cli", "convert", "format", "price", "discount",
    ),
    "concurrency_spike": (
        "thread", "threading", "async", "asyncio", "await", "lock", "pool", "executor", "worker",
        "queue", "cache", "counter", "session", "concurrent", "parallel", "global", "ticket",
    ),
    "schema_drift": (
        "record", "records", "row", "rows", "csv", "schema", "column", "columns", "field", "fields",
        "json", "import", "load", "transform", "orders", "items", "table", "dataframe", "etl",
    ),
    "resource_strain": (
        "batch", "bulk", "compute", "matrix", "sort", "cache", "buffer", "stream", "large",
        "memory", "train", "model", "index", "compress", "image", "chunk", "words",
    ),
}  # fmt: skip
"""Words, as they stand in names, that make a scenario worth its while."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Every word in names and sources, `loadOrders` and `load_orders` alike."""
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def suggested_scenarios(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Scenarios with the words that call for each, best first; the mix when two or more are."""
    words = words_of(texts)
    found = {name: tuple(sorted(words.intersection(profile))) for name, profile in KEYWORDS.items()}
    chosen = {name: hits for name, hits in found.items() if hits}
    order = sorted(chosen, key=lambda name: (-len(chosen[name]), SCENARIOS.index(name)))
    result = {name: chosen[name] for name in order}
    return {**result, MIX: ()} if len(result) > 1 else result
