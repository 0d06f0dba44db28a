#!/usr/bin/env bash
# Installs the packages whose functions are tried, in an environment of their own.
set -eu
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
"$root/.venv/bin/python" -m venv "$root/benchmarks/.peers/inputs"
"$root/benchmarks/.peers/inputs/bin/python" -m pip install -q anyio arrow babel cattrs click filelock \
    flask humanize jinja2 markdown-it-py marshmallow packaging pathspec pendulum platformdirs pydantic \
    pyparsing rich starlette structlog tenacity tomlkit typer werkzeug yarl
