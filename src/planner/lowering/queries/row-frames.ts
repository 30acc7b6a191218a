/**
 * Window frames for targets that support only ROWS, and require a frame for an aggregate with an order: Redshift
 * (https://docs.aws.amazon.com/redshift/latest/dg/c_Window_functions.html) and Doris
 * (https://doris.apache.org/docs/dev/sql-manual/sql-functions/window-functions/overview). `queries/peer-frames.ts`
 * has made frames of rows of those up to the last peer.
 */
import { unsupported } from "../../diagnostics.ts";
import { functionName } from "../../functions/calls.ts";
import { type ChildMapper, mapBody, mapExpression, transformQuery } from "../../syntax/rewrite.ts";
import type { Call, Expression, Frame, FrameBound, Query, Select, Window } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";

/** Functions without a frame. */
const RANKS: ReadonlySet<string> = new Set(
  "row_number rank dense_rank percent_rank cume_dist ntile lag lead".split(" "),
);

/** Whether a window function reads the rows of a frame. */
export const hasFrame = (node: Call): boolean => !RANKS.has(functionName(node));

/** The lowered statement with its windows, before lengths are added to its keys. */
export function withRowsInFrames(statement: Query): Query {
  return transformQuery(statement, {
    body: (node) => (node.kind === "select" ? framed(node) : node),
    query: (node) => {
      for (const { expression, span } of node.orderBy) {
        if (!someExpression(expression, isUnframed)) continue;
        throw unsupported("a window function in ORDER BY", span, "Select it, and sort by its name.");
      }
      return node;
    },
  });
}

const isUnframed = (node: Expression): boolean =>
  node.kind === "call" &&
  node.over !== undefined &&
  node.over.orderBy.length > 0 &&
  node.over.frame?.unit !== "rows" &&
  hasFrame(node);

function framed(select: Select): Select {
  const change = (node: Expression): Expression => {
    // Inner queries are already rewritten.
    const inner = mapExpression(node, mapper);
    return inner.kind === "call" && inner.over !== undefined ? withFrame(inner, inner.over) : inner;
  };
  const mapper: ChildMapper = {
    expression: change,
    query: (query) => query,
    body: (body) => body,
    table: (table) => table,
    item: (item) => {
      const expression = item.kind === "item" ? change(item.expression) : undefined;
      return item.kind !== "item" || expression === undefined || expression === item.expression
        ? item
        : { ...item, expression };
    },
  };
  const changed = mapBody(select, mapper);
  return changed.kind === "select" ? changed : select;
}

function withFrame(node: Call, over: Window): Call {
  const name = functionName(node);
  const { frame, orderBy, span } = over;
  if (RANKS.has(name)) {
    if (orderBy.length === 0 && name !== "row_number") {
      throw unsupported(`${name} without an order`, span, "Write OVER (ORDER BY …).");
    }
    return { ...node, over: { ...over, frame: undefined } };
  }
  if (frame?.unit === "rows") return node;
  if (frame !== undefined && hasDistance(frame)) {
    throw unsupported("a RANGE frame with a distance", frame.span, "Join the table with itself on a range.");
  }
  const start: FrameBound = frame?.start ?? { kind: "unbounded-preceding" };
  const end: FrameBound = frame?.end ?? { kind: "current-row" };
  const isWhole = start.kind === "unbounded-preceding" && end.kind === "unbounded-following";
  if (orderBy.length === 0)
    return isOrdered(name) ? refused(name, over) : { ...node, over: { ...over, frame: undefined } };
  const isFirst = name === "first_value" && start.kind === "unbounded-preceding";
  if (!isWhole && !isFirst) {
    const hint =
      "Write ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW, with an order in which no two rows are equal.";
    throw unsupported("a window up to rows that are equal in its order", span, hint);
  }
  return { ...node, over: { ...over, frame: { unit: "rows", start, end, exclude: undefined, span } } };
}

const isOrdered = (name: string): boolean => /^(?:first|last|nth)_value$/.test(name);

function refused(name: string, { span }: Window): never {
  throw unsupported(`${name} without an order`, span, "Write OVER (ORDER BY …).");
}

const hasDistance = ({ start, end }: Frame): boolean =>
  [start, end].some((bound) => bound !== undefined && "offset" in bound);
