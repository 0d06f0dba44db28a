"""What the dashboard asks the journal: page by page, along an index, never the whole table."""
