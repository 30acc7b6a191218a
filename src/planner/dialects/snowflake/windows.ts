/**
 * Windows. FIRST_VALUE and its kin have the whole partition where nobody says otherwise, so a frame is written for all that look at one;
 * ranks and neighbours have none, and an order. https://docs.snowflake.com/en/sql-reference/functions-window-syntax
 */
import { unsupported } from "../../diagnostics.ts";
import { refuseMixedReals } from "../../lowering/numbers/rounded-reals.ts";
import { scaleOf } from "../../lowering/numbers/scales.ts";
import { countOf } from "../../lowering/numbers/written-counts.ts";
import { values } from "../../syntax/build.ts";
import type { Call, Expression, SortItem, Window } from "../../syntax/tree.ts";
import { NULL_TYPE, typeOrUnknown } from "../../types.ts";

/** The digits of a decimal; `undefined` for other types. */
function digitsBehind(value: Expression): number | undefined {
  const { kind } = typeOrUnknown(value);
  return kind === "decimal" || kind === "integer" ? scaleOf(value) : 0;
}

/** Which have no frame. */
const RANKED: ReadonlySet<string> = new Set(
  "row_number rank dense_rank percent_rank cume_dist ntile lag lead".split(" "),
);

/** Bound, and not lowered yet. */
export function window(node: Window): Window {
  const { frame } = node;
  const hasDistance = [frame?.start, frame?.end].some((bound) => bound !== undefined && "offset" in bound);
  if (frame?.unit === "range" && hasDistance) {
    throw unsupported("a RANGE frame with a distance", frame.span, "Join the table with itself on a range.");
  }
  return node;
}

/** An order in which all rows are alike. */
function anyOrder({ span }: Window): SortItem {
  return { expression: { kind: "null", span, type: NULL_TYPE }, direction: undefined, nulls: undefined, span };
}

export function ranked(node: Call): Call {
  const { over } = node;
  if (over === undefined) return node;
  const orderBy = over.orderBy.length > 0 ? over.orderBy : [anyOrder(over)];
  return { ...node, over: { ...over, orderBy, frame: undefined } };
}

export function neighbour(node: Call): Call {
  const { over } = node;
  const [value, distance, otherwise] = values(node);
  refuseMixedReals([value, otherwise].filter((each) => each !== undefined));
  const digits = [value, otherwise].map((each) => each && digitsBehind(each));
  if (otherwise !== undefined && otherwise.kind !== "null" && (digits[0] ?? -1) < (digits[1] ?? 0)) {
    throw unsupported("a default with more digits than the values", otherwise.span, "Use coalesce.");
  }
  if (distance !== undefined && countOf(distance) === undefined) {
    throw unsupported("a computed distance between rows", distance.span, "Write it as a literal.");
  }
  if (over !== undefined && over.orderBy.length > 0) return ranked(node);
  throw unsupported(`${node.name[0]?.name} of rows in no order`, node.span, "Write ORDER BY in OVER.");
}

export function valueOfFrame(node: Call): undefined {
  if (node.over === undefined || node.over.orderBy.length > 0) return;
  throw unsupported(`${node.name[0]?.name} of rows in no order`, node.span, "Write ORDER BY in OVER.");
}

/** The frame that PostgreSQL has without a word. */
export function withFrame(node: Expression): Expression {
  if (node.kind !== "call" || node.over === undefined || RANKED.has(node.name[0]?.name ?? "")) return node;
  const { over } = node;
  if (over.frame !== undefined || over.orderBy.length === 0) return node;
  const start = { kind: "unbounded-preceding" } as const;
  const end = { kind: "current-row" } as const;
  return { ...node, over: { ...over, frame: { unit: "range", start, end, exclude: undefined, span: over.span } } };
}
