"""The certifier: search for evidence, and the sentences that explain it.

The package and the function of the same name are one object: ``identcert.certify`` is
this package, and calling it is calling `identcert.certify.driver.certify`. So the name
means the same whichever of its modules was imported first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from identcert.certify.result import Result
    from identcert.groups.action import Action
    from identcert.nets.network import Network


class _CallablePackage(ModuleType):
    def __call__(
        self,
        network: Network | str | Path,
        action: Action | str | Path,
        *,
        budget: float = 60.0,
        seed: int = 0,
        progress: Callable[[str], None] | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
    ) -> Result:
        """Decide equivariance; see `identcert.certify.driver.certify`."""
        from identcert.certify.driver import certify

        return certify(
            network,
            action,
            budget=budget,
            seed=seed,
            progress=progress,
            jobs=jobs,
            executor=executor,
        )


sys.modules[__name__].__class__ = _CallablePackage
