"""Exact arithmetic: the only door to FLINT and to SymPy domains."""
