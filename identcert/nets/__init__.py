"""Activations, layers, networks over an exact field, and the files they come from."""
