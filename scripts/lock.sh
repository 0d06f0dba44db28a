#!/usr/bin/env bash
# Writes requirements/*.txt: every package that is installed here, by version and hash, for all
# platforms and for Python 3.11 and newer. What is locked stays; UPGRADE=1 takes the newest.
# The files name no package index: whichever the machine uses has to have these very files.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1

uv=$(command -v uv || true)
if [ -z "$uv" ]; then
  uv=.venv/uv/bin/uv
  [ -x "$uv" ] || .venv/bin/python -m pip install --quiet --target .venv/uv uv
fi
build=$(mktemp --suffix .in)
trap 'rm -f "$build"' EXIT
.venv/bin/python -c 'import tomllib
print("\n".join(tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"]))' >"$build"

lock() {
  local file=requirements/$1.txt
  shift
  "$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
    --no-emit-index-url --no-emit-find-links ${UPGRADE:+--upgrade} --output-file "$file" "$@"
  if grep -n '://' "$file"; then
    echo "lock: $file names a place on the network" >&2
    exit 1
  fi
}

mkdir -p requirements
lock dev --all-extras --group dev pyproject.toml "$build"
lock image --extra coverage --extra postgres --constraint requirements/dev.txt pyproject.toml "$build"
lock beside --group pyproject.toml:beside
lock site --group pyproject.toml:docs
lock model --no-deps --group pyproject.toml:model
