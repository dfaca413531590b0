"""Parameter-level attribution of symmetry."""
