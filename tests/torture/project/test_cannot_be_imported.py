raise LookupError("at import")
