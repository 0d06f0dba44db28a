# entry: ignored_files
"""Files that a backup leaves out."""

import random


def ignored_files(files: list[str], prefixes: list[str]) -> list[str]:
    """Files that begin with any of the prefixes."""
    found = []
    for file in files:
        if any(file.startswith(prefix) for prefix in prefixes):
            found.append(file)
    return found


def make_input(n: int, seed: int):
    r = random.Random(seed)
    files = [f"{r.choice(['src', 'tmp', 'build', 'doc'])}/f{r.randrange(n + 1)}" for _ in range(n)]
    return (files, ["tmp/", "build/", "cache/", ".git/", "node/"]), {}
