"""Writes the generated parts of docs/. `make docs` runs it; a test compares the result."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from reference import (
    commands_page,
    decisions_page,
    names_list,
    questions_table,
    rewrites_list,
    rules_list,
)

from reverie.settings import ALIASES, Settings, known_settings, shown

DOCS = Path(__file__).parent.parent / "docs"
SETTINGS_PAGE = DOCS / "reference" / "settings.md"
BEGIN = "<!-- begin {}: written by make docs -->"
END = "<!-- end {} -->"


def whole_pages() -> dict[Path, str]:
    """The pages that are generated from beginning to end."""
    return {
        DOCS / "reference" / "commands.md": commands_page(),
        DOCS / "internal" / "decisions.md": decisions_page(DOCS / "decisions"),
    }


def parts() -> dict[Path, dict[str, str]]:
    """The tables that are generated inside of pages, by the name in their marks."""
    return {
        SETTINGS_PAGE: {"settings": settings_list(), "aliases": aliases_list()},
        DOCS / "reference" / "python.md": {"names": names_list()},
        DOCS / "reference" / "rewrites.md": {"rewrites": rewrites_list()},
        DOCS / "internal" / "rewrite_language.md": {"questions": questions_table()},
        DOCS / "reference" / "safety_rules.md": {"rules": rules_list()},
    }


def settings_list() -> str:
    """Every setting by section: key, default, bounds, what a repository may say, what it does."""
    lines: list[str] = []
    for key, about in known_settings().items():
        section = key.partition(".")[0]
        if f"### {section}" not in lines:
            lines += ["", f"### {section}", ""]
        facts = [_default(shown(key, Settings().value(key))), _bounds(about.reader.bounds)]
        if about.repository.doc != "nothing":
            facts.append(f"*{_permission(about.repository.doc)}*")
        told = "; ".join(fact for fact in facts if fact)
        lines.append(f"- `{key}`{f' ({told})' if told else ''}: {about.doc}")
    return "\n".join(lines[1:])


def _permission(doc: str) -> str:
    """What a repository may set, in as few words as a list of two hundred allows."""
    words = {"a lower value": "lower", "a higher value": "higher", "any value": "any"}
    if doc.startswith("a stricter one of "):
        return "stricter"
    return next((doc.replace(long, words[long]) for long in words if long in doc), doc)


def _bounds(text: str) -> str:
    for prefix in (
        "a whole number from ",
        "a number from ",
        "a time such as 90s, 10m or 1h, from ",
        "one of ",
    ):
        text = text.removeprefix(prefix)
    return "" if text == "true or false" else text


def aliases_list() -> str:
    """Every setting that has other variable names, with these."""
    names: dict[str, list[str]] = {}
    for alias in ALIASES:
        note = ""
        if alias.when_true is not None:
            note = f" (on: `{alias.when_true}`)"
        if alias.shared:
            note = " (ignored where its value is no use)"
        meaning = "`--repo`" if alias.key == "repository" else f"`{alias.key}`"
        names.setdefault(meaning, []).append(f"`{alias.name}`{note}")
    return "\n".join(f"- {meaning}: {', '.join(each)}" for meaning, each in names.items())


def with_tables(page: str, tables: dict[str, str]) -> str:
    """A page with its generated tables brought up to date."""
    for name, table in tables.items():
        begin, end = BEGIN.format(name), END.format(name)
        before, _, rest = page.partition(begin)
        after = rest.partition(end)[2]
        page = f"{before}{begin}\n{table}\n{end}{after}"
    return page


def _default(value: object) -> str:
    if value in (None, "", [], {}):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    tables = {page: with_tables(page.read_text("utf-8"), each) for page, each in parts().items()}
    for page, text in {**tables, **whole_pages()}.items():
        page.write_text(text, "utf-8")
        print(f"wrote {page.relative_to(DOCS)}")
