"""Run ``python -m identcert``."""

from identcert.cli.app import main

main()
