"""Whether a change was one of layout and comments only."""

import ast
import re
import warnings

# What formatters add, drop and respell. Texts that differ in more cannot have the same tree,
# but for spellings so rare that they may count as changes.
_LAYOUT = re.compile(rb"#[^\n]*|[\s\"'(),;\\]+")


def is_formatting_only(old: bytes, new: bytes) -> bool:
    """Whether both sources have the same syntax tree. Cheap where they plainly have not."""
    if _LAYOUT.sub(b"", old).lower() != _LAYOUT.sub(b"", new).lower():
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(old)) == ast.dump(ast.parse(new))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
