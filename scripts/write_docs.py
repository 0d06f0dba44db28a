"""Writes the generated parts of docs/. `make docs` runs it; a test compares the result."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from reference import commands_page, decisions_page, python_page

from reverie.settings import ALIASES, Settings, known_settings, shown, variable_of

DOCS = Path(__file__).parent.parent / "docs"
SETTINGS_PAGE = DOCS / "settings.md"
BEGIN = "<!-- begin {}: written by make docs -->"
END = "<!-- end {} -->"


def whole_pages() -> dict[Path, str]:
    """The pages that are generated from beginning to end."""
    return {
        DOCS / "commands.md": commands_page(),
        DOCS / "python_names.md": python_page(),
        DOCS / "decisions.md": decisions_page(DOCS / "decisions"),
    }


def settings_table() -> str:
    """Every setting: key, variable, default, bounds, what a repository may say, what it does."""
    titles = ("setting", "variable", "default", "bounds", "a repository may set", "what it does")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for key, about in known_settings().items():
        default = _default(shown(key, Settings().value(key)))
        names = f"`{key}`", f"`{variable_of(key)}`"
        cells = (*names, default, about.reader.bounds, about.repository.doc, about.doc)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def aliases_table() -> str:
    """Every other variable name that is accepted."""
    lines = ["| variable | means | note |", "|---|---|---|"]
    for alias in ALIASES:
        note = "-"
        if alias.when_true is not None:
            note = f"on: `{alias.when_true}`; off says nothing"
        if alias.shared:
            note = "other programs use it too: a value that is no use here is passed over"
        meaning = "`--repo`" if alias.key == "repository" else f"`{alias.key}`"
        lines.append(f"| `{alias.name}` | {meaning} | {note} |")
    return "\n".join(lines)


def with_tables(page: str) -> str:
    """The settings page with its tables brought up to date."""
    for name, table in (("settings", settings_table()), ("aliases", aliases_table())):
        begin, end = BEGIN.format(name), END.format(name)
        before, _, rest = page.partition(begin)
        after = rest.partition(end)[2]
        page = f"{before}{begin}\n{table}\n{end}{after}"
    return page


def _default(value: object) -> str:
    if value in (None, [], {}):
        return "-"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    settings = with_tables(SETTINGS_PAGE.read_text("utf-8"))
    for page, text in {SETTINGS_PAGE: settings, **whole_pages()}.items():
        page.write_text(text, "utf-8")
        print(f"wrote {page.name}")
