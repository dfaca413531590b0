"""The certifier: search for evidence, and the sentences that explain it."""
