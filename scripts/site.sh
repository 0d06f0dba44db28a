#!/usr/bin/env bash
# Builds docs/ as a site into build/site, with the generator that the group `docs` names, in a
# folder of its own: what it needs never meets what Reverie needs.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1

tools=.venv/site
if ! [ -x "$tools/bin/zensical" ]; then
  .venv/bin/python -m pip install --quiet --require-hashes --target "$tools" --requirement requirements/site.txt
fi
rm -rf build/site
PYTHONPATH=$PWD/$tools .venv/bin/python "$tools/bin/zensical" build --clean --strict
