"""Unpacking what somebody else has packed: files, folders and links, inside of one folder."""

import os
import tarfile
from pathlib import Path


def extract_plain(packed: tarfile.TarFile, folder: Path) -> None:
    """What an archive holds, with no owner of its own; `TarError` for what would lie outside."""
    if hasattr(tarfile, "data_filter"):
        packed.extractall(folder, filter="data")
    else:  # Python 3.11.0 to 3.11.3
        extract_one_by_one(packed, folder)


def extract_one_by_one(packed: tarfile.TarFile, folder: Path) -> None:
    """The same, each beside those that lie there already: links may lead through links."""
    for member in packed:
        packed.extract(_plain(member, folder), folder)


def _plain(member: tarfile.TarInfo, folder: Path) -> tarfile.TarInfo:
    if not (member.isfile() or member.isdir() or member.issym() or member.islnk()):
        raise tarfile.ExtractError(f"{member.name!r} is no plain file")
    places = [folder / member.name]
    if member.issym():
        places.append((folder / member.name).parent / member.linkname)
    elif member.islnk():
        places.append(folder / member.linkname)
    inside = folder.resolve()
    for place in places:
        if not place.resolve().is_relative_to(inside):
            raise tarfile.ExtractError(f"{member.name!r} would lie outside, or leads there")
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    member.uid, member.gid = os.getuid(), os.getgid()
    member.uname = member.gname = ""
    return member
