/** Window frames that DuckDB 1.4 counts wrongly. */
import { unsupported } from "../../../diagnostics.ts";
import { intervalParts } from "../../../intervals.ts";
import type { Expression, Frame, FrameBound, Window } from "../../../syntax/tree.ts";

export function lowerWindow(window: Window): Window {
  const { frame } = window;
  if (frame === undefined) return window;
  refuseEmpty(frame);
  if (frame.unit !== "range") return window;
  // The peers of the row: DuckDB leaves rows out where a distance is zero.
  return { ...window, frame: { ...frame, start: atPeers(frame.start), end: frame.end && atPeers(frame.end) } };
}

function atPeers(bound: FrameBound): FrameBound {
  return "offset" in bound && amountOf(bound.offset) === 0 ? { kind: "current-row" } : bound;
}

/** A frame that ends before it starts is empty; `count(*)` over one is -1 on DuckDB. */
function refuseEmpty({ start, end, span }: Frame): void {
  if (end === undefined || !("offset" in start) || !("offset" in end) || start.kind !== end.kind) return;
  const [from, to] = [amountOf(start.offset), amountOf(end.offset)];
  if (from === undefined || to === undefined || from === to || from > to === (start.kind === "preceding")) return;
  throw unsupported(
    "a window frame that ends before it starts",
    span,
    "Write the nearer bound where the frame begins.",
  );
}

function amountOf(offset: Expression): number | undefined {
  if (offset.kind === "number") return Number(offset.text);
  const parts = offset.kind === "interval" ? intervalParts(offset) : undefined;
  if (parts === undefined) return undefined;
  return parts.months === 0 && parts.days === 0 ? Number(parts.microseconds) : undefined;
}
