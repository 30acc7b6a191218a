/**
 * Windows without PARTITION BY and ORDER BY that DuckDB computes while it reads the rows. Over a UNION ALL below a join, several threads
 * number the same rows: `row_number() OVER ()` gives a number twice, and may end the process. `first_value` is the first of all rows,
 * whatever its frame is. Seen on 1.4.4 with two threads; not reported.
 *
 * With a frame that needs the later rows, DuckDB reads all rows first and keeps their order. ORDER BY NULL would lose this order.
 */
import { functionName } from "../../../functions/calls.ts";
import { integer, renamed, withArguments } from "../../../syntax/build.ts";
import type { Call, Frame, Window } from "../../../syntax/tree.ts";

/** Functions whose value no frame changes. */
const WITHOUT_FRAMES: ReadonlySet<string> = new Set("row_number rank dense_rank percent_rank lag lead".split(" "));

const isOfAllRows = ({ base, partitionBy, orderBy }: Window): boolean =>
  base === undefined && partitionBy.length === 0 && orderBy.length === 0;

export function withRowsRead(window: Window, of: Call | undefined): Window {
  if (!isOfAllRows(window)) return window;
  if (of !== undefined && WITHOUT_FRAMES.has(functionName(of))) {
    const [start, end] = [{ kind: "unbounded-preceding" }, { kind: "unbounded-following" }] as const;
    return { ...window, frame: { unit: "rows", start, end, exclude: "group", span: window.span } };
  }
  const { frame } = window;
  if (frame === undefined || !isRunning(frame)) return window;
  return { ...window, frame: { ...frame, end: { kind: "following", offset: integer(0, frame) } } };
}

/** From the first row to the current one. */
const isRunning = ({ unit, start, end, exclude }: Frame): boolean =>
  unit === "rows" &&
  exclude === undefined &&
  start.kind === "unbounded-preceding" &&
  (end === undefined || end.kind === "current-row");

/** `nth_value(x, 1)`: DuckDB computes it over its frame. */
export function firstValue(node: Call): Call {
  if (node.over === undefined || !isOfAllRows(node.over)) return node;
  return withArguments(renamed(node, "nth_value"), [...node.arguments.map(({ value }) => value), integer(1, node)]);
}
