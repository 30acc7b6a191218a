/** Distances of window frames. What DuckDB does wrong with them is in `quirks/`. */
import { intervalParts } from "../../intervals.ts";
import type { Expression } from "../../syntax/tree.ts";

/** A distance that is written out: a number, or microseconds. */
export function distanceOf(offset: Expression): number | undefined {
  if (offset.kind === "number") return Number(offset.text);
  const parts = offset.kind === "interval" ? intervalParts(offset) : undefined;
  if (parts === undefined) return undefined;
  return parts.months === 0 && parts.days === 0 ? Number(parts.microseconds) : undefined;
}
