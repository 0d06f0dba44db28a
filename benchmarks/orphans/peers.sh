#!/usr/bin/env bash
# Installs what the orphans benchmark needs beside it: the packages that the sample is grown from,
# and vulture and deptry in a virtual environment of their own.
set -eu
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(dirname "$(dirname "$here")")"
peers="$root/benchmarks/.peers/orphans"

"$root/.venv/bin/python" -m venv "$peers/venv"
"$peers/venv/bin/python" -m pip install -q vulture deptry
"$peers/venv/bin/python" -m pip install -q --upgrade --target "$peers/packages" \
    click flask httpx rich celery scrapy networkx django aiohttp pygments \
    marshmallow tornado starlette babel paramiko apscheduler loguru jsonschema \
    httpie mkdocs cookiecutter sphinx werkzeug uvicorn requests \
    fastapi wagtail pre-commit typer jinja2
