"""Evidence folders: their bytes, their specification, their storage."""
