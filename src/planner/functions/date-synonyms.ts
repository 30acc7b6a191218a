/**
 * Dates and intervals under the names, and with the units and formats, that other services have
 * (docs/decisions/0039-names-of-other-engines.md).
 */
import { PlannerError } from "../diagnostics.ts";
import { unitOfWord } from "../intervals.ts";
import { binary, cast, integer, text, unbound, values } from "../syntax/build.ts";
import type { Call, Expression, IntervalUnit } from "../syntax/tree.ts";
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
  [
    "from_unixtime",
    (call) => one(call, (x) => cast(positional(call, "to_timestamp", [x]), "timestamp", unbound(call))),
  ],
  ["to_unixtime", (call) => one(call, (x) => ({ kind: "extract", field: "epoch", operand: x, span: call.span }))],
  ...(["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const).map(
    (field) => [field, (call: Call) => one(call, (x) => extract(call, field, x))] as const,
  ),
  ["dayofmonth", (call) => one(call, (x) => extract(call, "day", x))],
  ["dayofyear", (call) => one(call, (x) => extract(call, "doy", x))],
  ["weekofyear", (call) => one(call, (x) => extract(call, "week", x))],
  ["date_part", (call) => datePart(call)],
  ["datepart", (call) => datePart(call)],
  [
    "datetrunc",
    (call) => withUnit(call, 0, 2, (unit, [x]) => x && positional(call, "date_trunc", [text(unit, call), x])),
  ],
  ["trunc", (call) => truncatedDate(call)],
  ["dateadd", (call) => withUnit(call, 0, 3, (unit, [n, x]) => n && x && shifted(call, x, "+", n, unit))],
  ["timestampadd", (call) => withUnit(call, 0, 3, (unit, [n, x]) => n && x && shifted(call, x, "+", n, unit))],
  ["add_months", (call) => two(call, (x, n) => shifted(call, x, "+", n, "month"))],
  ["date_add", (call) => shiftedDate(call, "+")],
  ["date_sub", (call) => shiftedDate(call, "-")],
  // BigQuery has a name for each type.
  ...["datetime_add", "timestamp_add"].map((name): readonly [string, Rewrite] => [
    name,
    (call) => shiftedDate(call, "+"),
  ]),
  ...["datetime_sub", "timestamp_sub"].map((name): readonly [string, Rewrite] => [
    name,
    (call) => shiftedDate(call, "-"),
  ]),
  ...["datetime_trunc", "timestamp_trunc"].map((name): readonly [string, Rewrite] => [
    name,
    (call) => withUnit(call, 1, 2, (unit, [x]) => x && positional(call, "date_trunc", [text(unit, call), x])),
  ]),
  ["datediff", (call) => dateDifference(call)],
  ["date_diff", (call) => dateDifference(call)],
  ["to_date", (call) => one(call, (x) => cast(x, "date", unbound(call)))],
  ["date", (call) => one(call, (x) => cast(x, "date", unbound(call)))],
  ["timestamp", (call) => one(call, (x) => cast(x, "timestamp", unbound(call)))],
  ["make_interval", (call) => intervalOfParts(call)],
  ["getdate", (call) => positional(call, "now", [])],
  ["sysdate", (call) => positional(call, "now", [])],
  ["today", (call) => positional(call, "current_date", [])],
  ["curdate", (call) => positional(call, "current_date", [])],
];

/** SQLite has the pattern first, DuckDB last. */
const isPattern = (expression: Expression): boolean => expression.kind === "string" && expression.value.includes("%");

const formatted = (call: Call, x: Expression, pattern: Expression): Expression =>
  positional(call, "to_char", [x, translated(call, pattern)]);

const parsed = (call: Call, x: Expression, pattern: Expression): Expression =>
  cast(positional(call, "to_timestamp", [x, translated(call, pattern)]), "timestamp", unbound(call));

const MAX_SHOWN = 20;

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
  const { token } = outcome;
  // A run of one letter may be as long as the statement.
  const shown = token.length > MAX_SHOWN ? `${token.slice(0, MAX_SHOWN)}…` : token;
  throw new PlannerError("FUNCTION_NOT_ALLOWED", `${name} cannot say ${shown} with one meaning`, {
    span: pattern.span,
    hint: "Use to_char(x, 'YYYY-MM-DD HH24:MI:SS') with the tokens of PostgreSQL.",
  });
}

function extract(call: Call, field: string, operand: Expression): Expression {
  return { kind: "extract", field, operand, ofMidnight: true, span: call.span };
}

/** A unit argument may be a string, or a bare word as T-SQL and Snowflake write it. */
function unitOf(expression: Expression | undefined): IntervalUnit | undefined {
  if (expression?.kind === "string") return unitOfWord(expression.value);
  if (expression?.kind === "column" && expression.parts.length === 1)
    return unitOfWord(expression.parts[0]?.name ?? "");
  return undefined;
}

function withUnit(
  call: Call,
  index: number,
  count: number,
  build: (unit: IntervalUnit, rest: readonly Expression[]) => Expression | undefined,
): Expression | undefined {
  const given = values(call);
  if (given.length !== count) return undefined;
  const unit = unitOf(given[index]);
  return unit === undefined ? undefined : build(unit, given.toSpliced(index, 1));
}

function shifted(call: Call, x: Expression, operator: "+" | "-", n: Expression, unit: IntervalUnit): Expression {
  return binary(x, operator, { kind: "interval", value: n, unit, toUnit: undefined, span: call.span }, unbound(call));
}

/** `date_add(x, INTERVAL 3 DAY)` of MySQL and BigQuery, `date_add('day', 3, x)` of Trino. */
function shiftedDate(call: Call, operator: "+" | "-"): Expression | undefined {
  const byInterval = two(call, (x, by) =>
    by.kind === "interval" ? binary(x, operator, by, unbound(call)) : undefined,
  );
  return byInterval ?? withUnit(call, 0, 3, (unit, [n, x]) => n && x && shifted(call, x, operator, n, unit));
}

const TEXT_NAMES: ReadonlySet<string> = new Set(["text", "varchar", "character varying"]);

/** `date_part` is double in PostgreSQL where EXTRACT is numeric; the value is the same. */
function datePart(call: Call): Expression | undefined {
  return two(call, (written, x) => {
    // Tools write the field as 'month'::text.
    const field = written.kind === "cast" && TEXT_NAMES.has(written.typeName.name) ? written.operand : written;
    const name = field.kind === "string" ? field.value : field.kind === "column" ? field.parts[0]?.name : undefined;
    return name === undefined
      ? undefined
      : cast(extract(call, name.toLowerCase(), x), "double precision", unbound(call));
  });
}

/** `trunc(date, 'MM')` of Oracle and Spark; `trunc(number, n)` stays. */
function truncatedDate(call: Call): Expression | undefined {
  return two(call, (x, format) => {
    if (format.kind !== "string") return undefined;
    const unit = { mm: "month", mon: "month", yyyy: "year", yy: "year", q: "quarter", dd: "day", iw: "week" }[
      format.value.toLowerCase()
    ];
    return unit === undefined ? undefined : positional(call, "date_trunc", [text(unit, call), x]);
  });
}

/** Two arguments: a − b in days (MySQL, Spark). Three with a unit first: boundaries from a to b. */
function dateDifference(call: Call): Expression | undefined {
  const [a, b, c, ...rest] = values(call);
  if (a === undefined || b === undefined || rest.length > 0) return undefined;
  if (c === undefined)
    return binary(cast(a, "date", unbound(call)), "-", cast(b, "date", unbound(call)), unbound(call));
  const unit = unitOf(a);
  return unit === undefined ? undefined : positional(call, "date_diff", [text(unit, call), b, c]);
}

const INTERVAL_PARTS: readonly string[] = "years months weeks days hours mins secs".split(" ");

/** `make_interval(days => 3)`: all seven parts in their order. */
function intervalOfParts(call: Call): Expression | undefined {
  const parts = INTERVAL_PARTS.map((part, index) => {
    const named = call.arguments.find(({ name }) => name?.name.toLowerCase() === part);
    const given = call.arguments[index];
    return named ?? (given?.name === undefined ? given : undefined);
  });
  if (!call.arguments.every((argument) => parts.includes(argument))) return undefined;
  return positional(
    call,
    "make_interval",
    parts.map((part) => part?.value ?? integer(0, call)),
  );
}
