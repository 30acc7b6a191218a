/** Aggregates under other names, and in the shapes that other dialects write them in. */
import { PlannerError } from "../diagnostics.ts";
import { decimal, integer, logical, renamed, text } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { one, positional, type Rewrite, two } from "./call-shapes.ts";

export const AGGREGATE_SYNONYMS: readonly (readonly [string, Rewrite])[] = [
  ["first", (call) => firstInOrder(call)],
  ["count_if", (call) => one(call, (x) => counted(call, x))],
  ["countif", (call) => one(call, (x) => counted(call, x))],
  ["listagg", (call) => aggregatedText(call)],
  ["group_concat", (call) => aggregatedText(call)],
  ["string_agg", (call) => aggregatedText(call)],
  ["median", (call) => one(call, (x) => percentile(call, "percentile_cont", x, decimal("0.5", call)))],
  [
    "percentile_cont",
    (call) =>
      call.withinGroup.length > 0 ? undefined : two(call, (x, p) => percentile(call, "percentile_cont", x, p)),
  ],
  [
    "percentile_disc",
    (call) =>
      call.withinGroup.length > 0 ? undefined : two(call, (x, p) => percentile(call, "percentile_disc", x, p)),
  ],
  ["quantile_cont", (call) => two(call, (x, p) => percentile(call, "percentile_cont", x, p))],
  ["quantile_disc", (call) => two(call, (x, p) => percentile(call, "percentile_disc", x, p))],
  ["mode", (call) => (call.withinGroup.length > 0 ? undefined : one(call, (x) => ordered(call, "mode", [], x)))],
];

/** Without an order, no row is the first. */
function firstInOrder(call: Call): Expression | undefined {
  if (call.over !== undefined) return undefined;
  if (call.orderBy.length === 0) {
    throw new PlannerError("FUNCTION_NOT_ALLOWED", "first depends on an order that a table does not have", {
      span: call.span,
      hint: "Use first(x ORDER BY y), min_by(x, y), or any_value(x).",
    });
  }
  return { kind: "subscript", operand: renamed(call, "array_agg"), index: integer(1, call), span: call.span };
}

function counted(call: Call, condition: Expression): Expression {
  const filter = call.filter === undefined ? condition : logical("and", [call.filter, condition], call);
  return { ...renamed(call, "count"), arguments: [], star: true, filter };
}

/** Canonical form: one name, with the order inside the parentheses. The separator defaults to a comma. */
function aggregatedText(call: Call): Expression {
  const [value, separator] = call.arguments;
  if (value === undefined) return call;
  return {
    ...renamed(call, "string_agg"),
    arguments: [value, separator ?? { name: undefined, value: text(",", call) }, ...call.arguments.slice(2)],
    orderBy: call.orderBy.length > 0 ? call.orderBy : call.withinGroup,
    withinGroup: [],
  };
}

function ordered(call: Call, name: string, given: readonly Expression[], key: Expression): Expression {
  return {
    ...positional(call, name, given),
    withinGroup: [{ expression: key, direction: undefined, nulls: undefined, span: key.span }],
  };
}

function percentile(call: Call, name: string, x: Expression, p: Expression): Expression {
  if (x.kind === "number" && p.kind !== "number") {
    throw new PlannerError("INVALID_QUERY", `${name}(x, fraction) has its fraction second`, {
      span: call.span,
      hint: `Write ${name}(fraction) WITHIN GROUP (ORDER BY x).`,
    });
  }
  return ordered(call, name, [p], x);
}
