/** Literals that begin with a word: `DATE '2024-01-01'`, `INTERVAL '1' DAY`. */
import type { Cursor } from "./cursor.ts";
import type { Expression, IntervalLiteral, IntervalUnit } from "./tree.ts";

/** Types that may stand in front of a string. Any other word in front of a string is a mistake, not a type. */
const LITERAL_TYPES = new Set(
  (
    "date time timetz timestamp timestamptz datetime json jsonb uuid text varchar char character bpchar string bool " +
    "boolean int integer int2 int4 int8 smallint bigint numeric decimal dec float float4 float8 real double bytea"
  ).split(" "),
);

/** True when the word at the cursor and the tokens up to the next string form a typed literal. */
export function beginsTypedLiteral(cursor: Cursor): boolean {
  let distance = 1;
  const next = cursor.peek(distance);
  if (next === "precision" || next === "varying") {
    distance++;
  }
  if (cursor.peek(distance) === "(") {
    if (cursor.peek(distance + 1) !== "$number") {
      return false;
    }
    distance += cursor.peek(distance + 2) === "," ? 5 : 3;
    if (cursor.peek(distance - 1) !== ")") {
      return false;
    }
  }
  const zone = cursor.peek(distance);
  if ((zone === "with" || zone === "without") && cursor.peek(distance + 1) === "time") {
    distance += 3;
  }
  return (
    cursor.peek(distance) === "$string" && cursor.kind !== "$quoted" && LITERAL_TYPES.has(cursor.word.toLowerCase())
  );
}

export function parseTypedLiteral(cursor: Cursor, start: number): Expression {
  const typeName = cursor.grammar.parseTypeName(cursor);
  const value = cursor.value;
  cursor.expect("$string", "a string after the type name");
  return { kind: "typed", span: cursor.spanFrom(start), typeName, value };
}

const UNITS: ReadonlyMap<string, IntervalUnit> = new Map(
  (
    ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond"] as const
  ).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
  ]),
);

function unitAt(cursor: Cursor): IntervalUnit | undefined {
  return cursor.kind === "$quoted" ? undefined : UNITS.get(cursor.word.toLowerCase());
}

/** The units that PostgreSQL reads after an interval; PostgreSQL reads any other word as an alias. */
function isStandardUnit(cursor: Cursor): boolean {
  switch (cursor.kind) {
    case "year":
    case "month":
    case "day":
    case "hour":
    case "minute":
    case "second":
      return true;
    default:
      return false;
  }
}

/**
 * `INTERVAL '1 day'`, `INTERVAL '1' DAY`, `INTERVAL '1-2' YEAR TO MONTH`, `INTERVAL 3 DAY`, `INTERVAL -3 DAY`,
 * `INTERVAL (n + 1) DAY`, `INTERVAL n DAY`; `undefined` (and nothing read) when `interval` is a column.
 */
export function parseInterval(cursor: Cursor, start: number): Expression | undefined {
  switch (cursor.peek(1)) {
    case "$string":
      return parseIntervalOfString(cursor, start);
    case "$number":
    case "(": {
      cursor.advance();
      // Parentheses may hold any expression; a bare operand must not read the unit as its alias or operator.
      const value = cursor.grammar.parsePrimary(cursor);
      if (cursor.kind === "$string") {
        cursor.fail("INTERVAL with a precision is not part of the language", "Remove the parentheses.");
      }
      return finishInterval(cursor, start, value, "a unit such as DAY after the interval");
    }
    case "-":
    case "+":
      return parseSignedInterval(cursor, start);
    default:
      return parseIntervalOfColumn(cursor, start);
  }
}

function parseIntervalOfString(cursor: Cursor, start: number): Expression {
  cursor.advance();
  const value = cursor.grammar.parsePrimary(cursor);
  const text = value.kind === "string" ? value.value : "";
  // Other dialects write `INTERVAL '3' WEEK`; after '3 days', a word that is no unit in PostgreSQL is an alias.
  const bareNumber = /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text);
  if (isStandardUnit(cursor)) return finishInterval(cursor, start, value, "a unit");
  if (bareNumber && unitAt(cursor) !== undefined) {
    const interval = finishInterval(cursor, start, value, "a unit");
    ALIASES_IN_POSTGRES.add(interval);
    return interval;
  }
  return { kind: "interval", span: cursor.spanFrom(start), value, unit: undefined, toUnit: undefined };
}

const ALIASES_IN_POSTGRES = new WeakSet<Expression>();

/** Whether PostgreSQL reads the unit of a parsed interval as an alias: `INTERVAL '5' days`. */
export function hasAliasAsUnit(interval: Expression): boolean {
  return ALIASES_IN_POSTGRES.has(interval);
}

/** A column named interval, minus a number, with an alias `day` would need AS: with these units there is no other reading. */
function parseSignedInterval(cursor: Cursor, start: number): Expression | undefined {
  switch (cursor.peek(3)) {
    case "year":
    case "month":
    case "day":
    case "hour":
    case "minute":
    case "second":
      break;
    default:
      return undefined;
  }
  if (cursor.peek(2) !== "$number") {
    return undefined;
  }
  cursor.advance();
  const operator = cursor.kind === "-" ? "-" : "+";
  const signStart = cursor.start;
  cursor.advance();
  const operand = cursor.grammar.parsePrimary(cursor);
  const value: Expression = { kind: "unary", span: cursor.spanFrom(signStart), operator, operand };
  return finishInterval(cursor, start, value, "a unit");
}

/** `INTERVAL n DAY`, `INTERVAL t.n DAY`: a column between the word and a unit. */
function parseIntervalOfColumn(cursor: Cursor, start: number): Expression | undefined {
  const first = cursor.peek(1);
  if (first !== "$identifier" && first !== "$quoted") {
    return undefined;
  }
  let distance = 2;
  while (cursor.peek(distance) === "." && distance < 10) {
    distance += 2;
  }
  if (!UNITS.has(cursor.wordAt(distance).toLowerCase())) {
    return undefined;
  }
  cursor.advance();
  const value = cursor.grammar.parsePrimary(cursor);
  return finishInterval(cursor, start, value, "a unit");
}

function finishInterval(cursor: Cursor, start: number, value: Expression, what: string): IntervalLiteral {
  const unit = unitAt(cursor);
  if (unit === undefined) {
    cursor.expected(what, "Write INTERVAL '3 days' or INTERVAL 3 DAY.");
  }
  cursor.advance();
  let toUnit: IntervalUnit | undefined;
  if (cursor.accept("to")) {
    toUnit = unitAt(cursor);
    if (toUnit === undefined) {
      cursor.expected("a unit after TO");
    }
    cursor.advance();
  }
  if (cursor.kind === "(" && (toUnit ?? unit) === "second") {
    cursor.fail("an interval with a precision is not part of the language", "Remove the parentheses behind SECOND.");
  }
  return { kind: "interval", span: cursor.spanFrom(start), value, unit, toUnit };
}
