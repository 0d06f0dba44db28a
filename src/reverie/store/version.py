"""What marks a journal as ours: names, the schema version, and what to do about another one."""

from reverie.errors import StoreError

SCHEMA_VERSION = "0017"
"""The newest migration; a test holds it to the newest file in `migrations/versions`."""

VERSION_TABLE = "schema_version"
POSTGRES_SCHEMA = "reverie"
SQLITE_APPLICATION_ID = 0x52657672  # "Revr": tells our file from anybody else's SQLite file


def refuse_unknown_version(version: str, location: str) -> None:
    """Raise when the journal is newer than this Reverie, or has no version we ever wrote."""
    if not version.isdigit():
        raise StoreError(f"the journal {location} has an unknown schema version {version!r}")
    if int(version) > int(SCHEMA_VERSION):
        raise StoreError(
            f"the journal {location} was written by a newer Reverie (schema {version}, this one "
            f"knows {SCHEMA_VERSION}): upgrade Reverie; nothing was changed"
        )
