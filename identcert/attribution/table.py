"""An attribution in words, tables and JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from identcert.attribution.analysis import Attribution, GeneratorReport
from identcert.attribution.directions import Direction
from identcert.attribution.lift import LiftResult, identifiability_sentence

Rows = list[list[str]]


def report_lines(found: Attribution, top: int = 10) -> list[str]:
    """Return the report that a person reads, line by line."""
    network = found.parametrisation.network
    lines = [
        f"{network}: {len(found.parametrisation.coordinates)} parameters, "
        f"{len(found.probe.points)} probe points; rms of f {found.function_rms:.4g}",
    ]
    for item in found.generators:
        lines += ["", *_generator_lines(item)]
        lines += _direction_lines(found, item.orbit, top)
    lines.append("")
    if found.defect is None or found.average is None:
        lines.append(f"No defect direction: {found.no_average}.")
        return lines
    share = found.defect.target_rms / (found.function_rms or 1.0)
    lines.append(
        f"Defect δ = f − P_E f ({found.average.text()}): rms {found.defect.target_rms:.4g}, "
        f"{share:.2%} of f"
    )
    lines.append(f"  b* towards equivariance (numeric): {_solved(found.defect)}")
    return lines + _direction_lines(found, found.defect, top)


def _generator_lines(item: GeneratorReport) -> list[str]:
    lines = [f"Generator {item.generator.name}: rms of η {item.orbit.target_rms:.4g}"]
    if item.lift is not None:
        lines.append(f"  lift: {lift_sentence(item.lift)}")
        if item.structural_residual is not None:
            residual = f"{item.structural_residual:.1e}"
            lines.append(f"  the structural lift solves Jc = η to {residual} in float64")
        lines.append(f"  {identifiability_sentence(item.lift)}")
    lines.append(f"  c* along the orbit (numeric): {_solved(item.orbit)}")
    return lines


def lift_sentence(lift: LiftResult) -> str:
    """Return in words whether a direction lifts, how that is known, and by what."""
    structural = lift.structural
    if structural.is_present:
        base = "structural (exact): the first and last layers carry the action"
    elif lift.lifts:
        base = f"exact, by the rule {lift.rule}: Jc = η has a solution, not the structural one"
    elif lift.lifts is False:
        base = f"none, exactly, by the rule {lift.rule}: η is not in Im J"
    else:
        base = f"not decided ({lift.why_not}); only the numeric residual speaks"
    if not structural.is_present:
        base += f"; the structural lift would move {structural.obstacle}, which is not free"
    return base


def _solved(direction: Direction) -> str:
    gauge = "sensitivity gauge" if direction.gauge else "plain norm"
    dead = f", {direction.dead} dead columns" if direction.dead else ""
    return (
        f"relative residual {direction.residual:.2e}, rank {direction.rank} of "
        f"{direction.components.size}{dead}; {gauge}, {direction.regularisation.text()}"
    )


def _direction_lines(found: Attribution, direction: Direction, top: int) -> list[str]:
    rows = [["layer", "parameters", "part of Σ(S·c)²", "signed share of R²"]]
    groups = np.array(found.model.groups)
    masses = direction.group_masses(found.model.groups)
    for name, mass in masses.items():
        inside = groups == name
        share = float(direction.shares[inside].sum())
        rows.append([name, str(int(inside.sum())), f"{mass:.3f}", f"{share:+.3f}"])
    lines = ["", *_aligned(rows)]
    if top:
        rows = [["parameter", "value", "S", "c", "S·c", "signed share"]]
        for k in top_parameters(direction, top):
            numbers = (
                found.model.theta[k], direction.sensitivity[k], direction.components[k],
                direction.magnitudes[k],
            )  # fmt: skip
            cells = [f"{x:.4g}" for x in numbers]
            rows.append([found.model.names[k], *cells, f"{direction.shares[k]:+.3f}"])
        lines += ["", *_aligned(rows)]
    return lines


def top_parameters(direction: Direction, count: int) -> list[int]:
    """Return the parameters of largest |S·c|, the largest first."""
    order = np.argsort(-np.abs(direction.magnitudes), kind="stable")
    return [int(k) for k in order[:count]]


def _aligned(rows: Rows) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "    " + "  ".join(
            cell.ljust(w) if k == 0 else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]  # fmt: skip


def to_json(found: Attribution, top: int = 10) -> dict[str, Any]:
    """Return the JSON object of ``identcert attribute --json``."""
    share = None if found.defect is None else found.defect.target_rms / (found.function_rms or 1.0)
    return {
        "parameters": len(found.parametrisation.coordinates),
        "probe_points": len(found.probe.points),
        "function_rms": found.function_rms,
        "generators": [
            {
                "name": item.generator.name,
                "lift": None if item.lift is None else lift_json(item.lift),
                "structural_residual": item.structural_residual,
                "orbit": _direction_json(found, item.orbit, top),
            }
            for item in found.generators
        ],
        "average": None if found.average is None else found.average.text(),
        "no_average": found.no_average or None,
        "relative_defect": share,
        "defect": None if found.defect is None else _direction_json(found, found.defect, top),
    }


def lift_json(lift: LiftResult) -> dict[str, Any]:
    """Return the exact answer as JSON; numbers are texts of the field."""
    field = lift.parametrisation.network.field
    direction = lift.direction
    return {
        "lifts": lift.lifts,
        "kind": lift.kind,
        "rule": lift.rule,
        "structural": lift.structural.is_present,
        "obstacle": lift.structural.obstacle or None,
        "is_injective": lift.is_injective,
        "direction": None if direction is None else [_text(field, c) for c in direction],
        "identifiability": identifiability_sentence(lift),
        "why_not": lift.why_not or None,
    }


def _text(field: Any, value: Any) -> str:
    return str(field.text(value)) if getattr(value, "field", field) == field else str(value)


def _direction_json(found: Attribution, direction: Direction, top: int) -> dict[str, Any]:
    return {
        "numeric": True,
        "target_rms": direction.target_rms,
        "relative_residual": direction.residual,
        "r_squared": direction.r_squared,
        "share_sum": float(direction.shares.sum()),
        "rank": direction.rank,
        "dead": direction.dead,
        "gauge": "sensitivity" if direction.gauge else "plain",
        "regularisation": direction.regularisation.text(),
        "layers": direction.group_masses(found.model.groups),
        "top": [
            {
                "parameter": found.model.names[k],
                "value": float(found.model.theta[k]),
                "sensitivity": float(direction.sensitivity[k]),
                "component": float(direction.components[k]),
                "share": float(direction.shares[k]),
            }
            for k in top_parameters(direction, top)
        ],
        "components": direction.components.tolist(),
    }
