/**
 * RANGE frames that begin or end at a distance of zero: the rows that are equal to the current one in their order. DuckDB leaves some of
 * them out. Seen on 1.4.4; reported for 1.5.4 as https://github.com/duckdb/duckdb/issues/23664, mended after that by
 * https://github.com/duckdb/duckdb/pull/23710.
 */
import type { FrameBound, Window } from "../../../syntax/tree.ts";
import { distanceOf } from "../frames.ts";

export function withFramesAtPeers(window: Window): Window {
  const { frame } = window;
  if (frame?.unit !== "range") return window;
  return { ...window, frame: { ...frame, start: atPeers(frame.start), end: frame.end && atPeers(frame.end) } };
}

function atPeers(bound: FrameBound): FrameBound {
  return "offset" in bound && distanceOf(bound.offset) === 0 ? { kind: "current-row" } : bound;
}
