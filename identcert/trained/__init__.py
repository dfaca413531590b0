"""Numeric work on trained networks; every number here is labelled numeric."""
