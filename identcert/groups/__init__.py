"""Groups by generators, their affine representations, actions and closures."""
