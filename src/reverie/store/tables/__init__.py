"""The tables of the journal, by subject; `reverie.store.schema` puts them together."""
