/** Dates under the names that the functions of other services have (decisions K9). */
import { PlannerError } from "../diagnostics.ts";
import { cast, text } from "../syntax/build.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import { one, positional, type Rewrite, two } from "./call-shapes.ts";
import { postgresPattern } from "./date-patterns.ts";

export const DATE_SYNONYMS: readonly (readonly [string, Rewrite])[] = [
  ["date_format", (call) => two(call, (x, pattern) => formatted(call, x, pattern))],
  [
    "strftime",
    (call) => two(call, (a, b) => (isPattern(a) && !isPattern(b) ? formatted(call, b, a) : formatted(call, a, b))),
  ],
  ["date_parse", (call) => two(call, (x, pattern) => parsed(call, x, pattern))],
  // A zone-less time of the session's zone, which is UTC.
  ["from_unixtime", (call) => one(call, (x) => cast(positional(call, "to_timestamp", [x]), "timestamp", call))],
  ["to_unixtime", (call) => one(call, (x) => ({ kind: "extract", field: "epoch", operand: x, span: call.span }))],
];

/** SQLite has the pattern first, DuckDB last. */
const isPattern = (expression: Expression): boolean => expression.kind === "string" && expression.value.includes("%");

const formatted = (call: Call, x: Expression, pattern: Expression): Expression =>
  positional(call, "to_char", [x, translated(call, pattern)]);

const parsed = (call: Call, x: Expression, pattern: Expression): Expression =>
  cast(positional(call, "to_timestamp", [x, translated(call, pattern)]), "timestamp", call);

function translated(call: Call, pattern: Expression): Expression {
  const name = call.name[0]?.name.toLowerCase() ?? "";
  if (pattern.kind !== "string") {
    throw new PlannerError("FUNCTION_NOT_ALLOWED", `${name} with a computed pattern has a language per source`, {
      span: pattern.span,
      hint: "Write the pattern as a literal, or use to_char(x, pattern).",
    });
  }
  const outcome = postgresPattern(pattern.value);
  if (outcome.ok) return text(outcome.pattern, pattern);
  throw new PlannerError("FUNCTION_NOT_ALLOWED", `${name} cannot say ${outcome.token} with one meaning`, {
    span: pattern.span,
    hint: "Use to_char(x, 'YYYY-MM-DD HH24:MI:SS') with the tokens of PostgreSQL.",
  });
}
