"""The bytes of evidence.

canonical bytes == ASCII JSON, keys sorted, no blanks, one final newline, no floats
"""

from __future__ import annotations

import hashlib
import json


def canonical_bytes(tree: object) -> bytes:
    r"""Return the one spelling of a JSON tree that evidence files use.

    Examples
    --------
    >>> canonical_bytes({"b": ["1/2"], "a": 1})
    b'{"a":1,"b":["1/2"]}\n'
    """
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii") + b"\n"


def sha256(content: bytes) -> str:
    """Return the SHA-256 digest of some bytes, in lower-case hexadecimal."""
    return hashlib.sha256(content).hexdigest()
