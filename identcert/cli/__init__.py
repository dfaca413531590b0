"""The command line: words only; it computes nothing."""
