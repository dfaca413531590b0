"""Reduction of networks and the submodels that are left."""
