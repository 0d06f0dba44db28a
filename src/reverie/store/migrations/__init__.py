"""Steps from every earlier schema to the present one; applied when a journal is opened."""
