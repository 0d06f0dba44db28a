"""The files that a proof is about, packed: always the same bytes for the same files."""

import io
import os
import tarfile
from pathlib import Path

from reverie.errors import BundleRefused, Refused
from reverie.promotion.git import Git
from reverie.promotion.trees import (
    EXECUTABLE,
    SUBMODULE,
    SYMLINK,
    contents,
    is_safe,
    path_bytes,
    read_tree,
    tree_of,
)

MAX_BYTES = 256 << 20


def pack_revision(git: Git, revision: str) -> bytes:
    """All files of a revision, below the folder that `git` stands for."""
    entries = read_tree(git, tree_of(git, git.resolve(revision)))
    packed = io.BytesIO()
    found = dict(contents(git, entries))
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(entries):
            entry = entries[path]
            about = tarfile.TarInfo(os.fsdecode(path_bytes(path)))
            if entry.mode == SUBMODULE:
                about.type, about.mode = tarfile.DIRTYPE, 0o755
            elif entry.mode == SYMLINK:
                about.type, about.linkname = tarfile.SYMTYPE, os.fsdecode(found[path])
            else:
                about.size = len(found[path])
                about.mode = 0o755 if entry.mode == EXECUTABLE else 0o644
            archive.addfile(about, io.BytesIO(found.get(path, b"")))
            if packed.tell() > MAX_BYTES:
                raise Refused(f"the files of {revision!r} are too many to put into a bundle")
    return packed.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    """Write packed files into an empty folder; `BundleRefused` for whatever leads out of it."""
    links: list[tuple[Path, str]] = []
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:") as archive:
        for about in archive:
            if not is_safe(about.name):
                raise BundleRefused("unsafe_name", f"the archive holds {about.name!r}")
            place = folder / about.name
            place.parent.mkdir(parents=True, exist_ok=True)
            if about.isdir():
                place.mkdir(exist_ok=True)
            elif about.issym():
                links.append((place, about.linkname))
            elif about.isreg():
                stream = archive.extractfile(about)
                place.write_bytes(stream.read() if stream is not None else b"")
                place.chmod(0o755 if about.mode & 0o100 else 0o644)
            else:
                raise BundleRefused(
                    "unsafe_name", f"the archive holds more than files: {about.name!r}"
                )
    for place, target in links:  # last, so that no file was ever written through one
        os.symlink(target, place)
