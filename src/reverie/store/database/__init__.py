"""The databases behind the journal: SQLite and PostgreSQL, migration, archives."""
