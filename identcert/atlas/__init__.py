"""All networks that are equivariant for a given choice of latent actions."""
