"""Exact certificates for equivariant neural networks."""

__version__ = "0.1.0"
