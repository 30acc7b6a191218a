/**
 * Dates and times. Instants are taken to the clocks of UTC before anything is asked of them.
 * https://docs.aws.amazon.com/redshift/latest/dg/Date_functions_header.html
 */

import { unsupported } from "../../../diagnostics.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import { ageOf } from "../../../lowering/times/ages.ts";
import { readFormat, timePatterns } from "../../../lowering/times/formats.ts";
import { readDate } from "../../../lowering/times/literal-dates.ts";
import { isDateOrTimestamp, isDay } from "../../../lowering/times/time-arithmetic.ts";
import { literalToEndOfDay } from "../../../lowering/times/typed-literals.ts";
import { wholeMonthsBy } from "../../../lowering/times/whole-months.ts";
import { instantSql } from "../../../lowering/times/zone-instants.ts";
import {
  atZone,
  binary,
  call,
  cast,
  concatenation,
  inPlaceOf,
  integer,
  text,
  typed,
  values,
} from "../../../syntax/build.ts";
import type { AtTimeZone, Call, Expression, TypedLiteral } from "../../../syntax/tree.ts";
import {
  BIGINT,
  DATE,
  INTEGER,
  type SqlType,
  TEXT,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  typeOrUnknown,
} from "../../../types.ts";
import { isZoneName } from "../../../zone-names.ts";

const isZoned = (type: SqlType): boolean => type.kind === "timestamp" && type.zoned;

const UTC = "UTC";
const isUtc = (zone: string): boolean => /^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone);

/** The local time in UTC. https://docs.aws.amazon.com/redshift/latest/dg/r_AT_TIME_ZONE.html */
export function timeInUtc(value: Expression): Expression {
  return isZoned(typeOrUnknown(value)) ? atZone(value, text(UTC, value), typed(TIMESTAMP, value)) : value;
}

/** The instant at which the clocks of UTC show it. */
export const zoned = (value: Expression, at: Expression): Expression =>
  atZone(value, text(UTC, at), typed(TIMESTAMPTZ, at));

export const asTimestamp = (value: Expression): Expression =>
  isDay(value) ? cast(value, "timestamp", typed(TIMESTAMP, value)) : value;

const asResult = (value: Expression, at: Expression): Expression =>
  isZoned(typeOrUnknown(at)) ? zoned(value, at) : value;

/** In the one form that is read alike. */
export function literalTime(node: TypedLiteral): Expression {
  const read = literalToEndOfDay(node);
  const { kind } = typeOrUnknown(node);
  if (kind === "time") return cast(text(read.value, node), kind, typed(TIME, node));
  if (kind !== "date" && kind !== "timestamp") throw unsupported(`a literal of type ${kind}`, node.span);
  const plain = kind === "date" ? DATE : TIMESTAMP;
  return asResult(cast(text(read.value, node), kind, typed(plain, node)), node);
}

const OF_ZONE = words(
  instantSql({
    inZone: (time) => `(${time} AT TIME ZONE 'UTC' AT TIME ZONE $2)`,
    days: (time, days) => `DATEADD(DAY, ${days}, ${time})`,
    minus: (time, from, to) => `DATEADD(SECOND, DATEDIFF(SECOND, ${to}, ${from}), ${time})`,
  }),
  { type: TIMESTAMP },
);

/** Which instant Redshift takes for a local time that occurs twice is not documented. */
export function atTimeZone(node: AtTimeZone): Expression {
  const { operand, zone } = node;
  if (zone.kind === "string" && isZoned(typeOrUnknown(operand)) && isZoneName(zone.value)) {
    return atZone(operand, zone, typed(TIMESTAMP, node));
  }
  const isLocal = isDateOrTimestamp(operand) && !isDay(operand);
  if (zone.kind === "string" && isLocal && isZoneName(zone.value) && !isUtc(zone.value)) {
    return zoned(spelled(OF_ZONE, [operand, zone], node), node);
  }
  if (zone.kind !== "string" || !isUtc(zone.value) || !isDateOrTimestamp(operand)) {
    throw unsupported("another time zone than UTC", zone.span, "Compute in UTC and convert what you show.");
  }
  return isZoned(typeOrUnknown(operand)) ? timeInUtc(operand) : zoned(asTimestamp(operand), node);
}

/** The time of the transaction, which is the statement's own. https://docs.aws.amazon.com/redshift/latest/dg/r_SYSDATE.html */
export const currentTimestamp = (node: Call): Expression => asResult(call("sysdate", [], typed(TIMESTAMP, node)), node);

export const currentDate = (node: Call): Expression =>
  cast(call("sysdate", [], typed(TIMESTAMP, node)), "date", typed(DATE, node));

const TRUNCATED: ReadonlySet<string> = new Set("year quarter month week day hour minute second".split(" "));
const DIFFERENCES: ReadonlySet<string> = new Set("year quarter month day hour minute second".split(" "));

function unitOf(unit: Expression | undefined, known: ReadonlySet<string>, what: string, node: Call): string {
  const name = unit?.kind === "string" ? unit.value.toLowerCase().replace(/s$/, "") : "";
  if (known.has(name)) return name;
  throw unsupported(what, node.span, `Use a literal of ${[...known].join(", ")}.`);
}

const start = (unit: string, value: Expression): Expression =>
  call("date_trunc", [text(unit, value), asTimestamp(timeInUtc(value))], typed(TIMESTAMP, value));

/** Weeks begin on Monday. https://docs.aws.amazon.com/redshift/latest/dg/r_DATE_TRUNC.html */
export function truncated(node: Call): Expression {
  const [unit, value] = values(node);
  if (value === undefined || !isDateOrTimestamp(value)) {
    throw unsupported("date_trunc of this", node.span, "Truncate dates or timestamps.");
  }
  return asResult(start(unitOf(unit, TRUNCATED, "date_trunc with these arguments", node), value), node);
}

/**
 * Boundaries of the unit that are crossed, as DATEDIFF counts them; where its weeks begin is not documented.
 * https://docs.aws.amazon.com/redshift/latest/dg/r_DATEDIFF_function.html
 */
export function dateDifference(node: Call): Expression {
  const [unit, from, to] = values(node);
  if (from === undefined || to === undefined || !isDateOrTimestamp(from) || !isDateOrTimestamp(to)) {
    throw unsupported("date_diff of this", node.span, "Compare dates or timestamps.");
  }
  const name = unitOf(unit, new Set([...DIFFERENCES, "week"]), "date_diff with these arguments", node);
  if (name === "week") {
    const days = call("days between", [start("week", from), start("week", to)], typed(BIGINT, node));
    return binary(days, "/", integer(7, node), inPlaceOf(node));
  }
  return call(
    `${name}s between`,
    [from, to].map((each) => asTimestamp(timeInUtc(each))),
    inPlaceOf(node),
  );
}

export const lastDay = (node: Call): Expression => call("last_day", values(node).map(timeInUtc), inPlaceOf(node));

export const age = ageOf;

/** See `lowering/times/whole-months.ts`. */
export const wholeMonths = wholeMonthsBy(timeInUtc);

const DECLARE_DAY = "Declare the column as a date, or cast it in the model's own SQL.";

/** https://docs.aws.amazon.com/redshift/latest/dg/r_interval_literals.html: an interval is multiplied by a number. */
const OF_SECONDS = words("(TIMESTAMP '1970-01-01 00:00:00' + $1 * INTERVAL '1 second')", {
  type: TIMESTAMP,
  nulls: "strict",
});

export function dateByFormat(node: Call): Expression {
  if (node.arguments.length > 1) return literalTime(readDate(node, DECLARE_DAY));
  const [seconds] = values(node);
  if (seconds === undefined) return node;
  return zoned({ ...spelled(OF_SECONDS, [seconds], node), type: TIMESTAMP }, node);
}

/** Patterns that mean the same: https://docs.aws.amazon.com/redshift/latest/dg/r_FORMAT_strings.html */
const PATTERNS: ReadonlySet<string> = new Set("YYYY YY MM DD HH24 HH12 HH MI SS MS US Q Mon Dy".split(" "));
/** Filled up with blanks. */
const NAMES: ReadonlySet<string> = new Set(["Month", "Day"]);

export const TIME_PATTERNS = timePatterns(
  PATTERNS,
  [...NAMES].map((name) => `FM${name}`),
);

/** Separators, which are no patterns to any reader. */
const PLAIN = /^[-/,.;: ]+$/;

/** Runs of patterns and separators; other texts are literals. */
export function dateText(node: Call): Expression {
  const [value, format] = values(node);
  if (value === undefined || format?.kind !== "string" || !isDateOrTimestamp(value)) {
    throw unsupported("to_char of this", node.span, "Format dates and timestamps, by a literal format.");
  }
  const shown = asTimestamp(timeInUtc(value));
  const of = (pattern: string): Expression => call("to_char", [shown, text(pattern, node)], typed(TEXT, node));
  const parts: Expression[] = [];
  let run = "";
  const flush = (): void => {
    if (run !== "") parts.push(of(run));
    run = "";
  };
  for (const token of readFormat(format.value)) {
    if (token.kind === "text") {
      if (PLAIN.test(token.text) && run !== "") run += token.text;
      else {
        flush();
        parts.push(text(token.text, node));
      }
      continue;
    }
    const name = /^(yyyy|yy|mm|dd|hh24|hh12|hh|mi|ss|ms|us|q)$/.test(token.pattern)
      ? token.pattern.toUpperCase()
      : token.pattern;
    const isPlain = token.ordinal === undefined && !token.translated;
    if (isPlain && !token.bare && PATTERNS.has(name)) run += name;
    else if (isPlain && token.bare && NAMES.has(name)) {
      flush();
      parts.push(call("rtrim", [of(name)], typed(TEXT, node)));
    } else throw unsupported(`the pattern ${token.pattern} of to_char`, format.span);
  }
  flush();
  const [first = text("", node), ...others] = parts;
  return others.reduce((left, right) => concatenation(left, right, node), first);
}

export const part = (field: string, value: Expression): Expression =>
  call(`${field} of`, [value], typed(INTEGER, value));
