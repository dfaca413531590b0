"""The demonstration: two trained digit classifiers under the left-right mirror.

Both give the same answer on an image and on its mirror image for every test image, so no
test on data tells them apart. One is invariant exactly, the other is not.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from identcert.certify.driver import certify
from identcert.errors import EvidenceRejected
from identcert.witness.store import check_writable

STORY = (
    ("digits_mirror.onnx", "trained with a mirror penalty: 64-16-16-10, tanh, float32 weights"),
    ("digits_tied.onnx", "filters kept in exactly mirrored pairs during training"),
)


def demonstrate(out: Path, say: Callable[[str], object]) -> None:
    """Certify the shipped networks, print what was found and where the evidence lies.

    Raises
    ------
    InputError
        If the output folder cannot be written.
    EvidenceRejected
        If a verdict is not the one that the demonstration is about.
    """
    check_writable(out)
    say("Scikit-learn's 8x8 digits, classified by two trained networks with 95 % test accuracy.")
    say("Both answer the same on every test image and on its mirror image.\n")
    with_verdicts = []
    data = Path(str(files("identcert.cli") / "demo"))
    for name, what in STORY:
        say(f"== {name} ({what})")
        result = certify(data / name, data / "mirror.action.json")
        directory = result.save(out / name.removesuffix(".onnx"))
        say(result.explain())
        say(f"Evidence: {directory} (verify it with: identcert check {directory})\n")
        with_verdicts.append(str(result.verdict))
    if with_verdicts != ["not_equivariant", "layerwise"]:
        raise EvidenceRejected(f"the demonstration expected other verdicts than {with_verdicts}")
