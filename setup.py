"""Ships the Coq library of ``proofs/checker`` inside the package, as ``identcert/witness/coq``."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCoq(build_py):
    """Copies the Coq sources beside the exporter; a checkout uses them where they are."""

    def run(self) -> None:
        """Build the package, then add the library."""
        super().run()
        if getattr(self, "editable_mode", False):
            return
        target = Path(self.build_lib, "identcert", "witness", "coq")
        target.mkdir(parents=True, exist_ok=True)
        for source in sorted(Path("proofs", "checker").glob("*.v")):
            copyfile(source, target / source.name)


setup(cmdclass={"build_py": BuildWithCoq})
