"""A cycle for people and programs: one document, and one page that opens from disk."""
