"""From text to a specification: JSON, YAML, a function with a docstring, or a plain sentence."""

import json
import re
from typing import Any

from reverie.dreamers.generate.spec import Spec, read_spec, read_stub
from reverie.errors import UsageError

_YAML = re.compile(r"---|(sentence|signature|examples|docstring|body|id|name)\s*:(\s|$)")


def parse_spec(text: str) -> Spec:
    """A specification; what kind of text it is shows in how it begins."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith(("{", "[")):
        return read_spec(_json(start))
    if start.startswith(("def ", "import ", "from ", '"""')) and "def " in start:
        return read_stub(start)
    if _YAML.match(start):
        return read_spec(_yaml(start))
    return read_spec(start.strip())


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not a specification: {error}") from error


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise UsageError(
            "a specification in YAML needs PyYAML: pip install 'reverie[yaml]', or write it as JSON"
        ) from error
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = " ".join(str(error).split())
        raise UsageError(f"not a specification: {told:.160}") from error
