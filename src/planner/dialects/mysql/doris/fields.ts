/** Rules for the fields of EXTRACT on Doris. https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/extract */

import { unsupported } from "../../../diagnostics.ts";
import { fieldRules, type Rules } from "../../../lowering/rules.ts";
import { spelled, sql } from "../../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { partOfAge } from "../../../lowering/times/ages.ts";
import { endsOf, isDateOrTimestamp } from "../../../lowering/times/time-arithmetic.ts";
import { cast, inPlaceOf, text, typed } from "../../../syntax/build.ts";
import type { Expression, Extract, Template } from "../../../syntax/tree.ts";
import { BIGINT, INTEGER, NUMERIC, TIMESTAMP, typeOrUnknown } from "../../../types.ts";
import { NO_ZONE_FIELDS } from "../../baselines.ts";
import { asTimestamp, microsecondsBetween, part, wholeMonths } from "./times.ts";

type Make = (value: Expression, node: Extract) => Expression;

const ofMoment =
  (make: Make) =>
  (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return asTyped(make(asTimestamp(node.operand), node), node);
    const hint = "Ask for that of a date or a timestamp.";
    throw unsupported(`${node.field} of ${typeOrUnknown(node.operand).kind}`, node.span, hint);
  };

/** EXTRACT gives 32 bits, whose products overflow sooner than the 64 bits of the language. */
function asTyped(value: Expression, node: Extract): Expression {
  const [from, to] = [typeOrUnknown(value), typeOrUnknown(node)];
  if (from.kind !== "integer") return value;
  if (to.kind === "decimal") return cast(value, "numeric", inPlaceOf(node), [from.bits < 64 ? 10 : 19, 0]);
  return from.bits < 64 ? cast(value, "bigint", inPlaceOf(node)) : value;
}

const named = (field: Parameters<typeof part>[0]) => ofMoment((value) => part(field, value));

const field = (text: string) => {
  const template = sql(text, { type: INTEGER });
  return ofMoment((value, node) => spelled(template, [value], node));
};

/** Full years of an age, and the full months besides. */
const ofAge =
  (operator: "//" | "%", name: "year" | "month") =>
  (node: Extract): Expression => {
    const found = partOfAge(node, operator, wholeMonths);
    // Parts have 32 bits.
    return found === undefined ? named(name)(node) : asTyped({ ...found, type: INTEGER }, node);
  };

const SINCE_MINUTE = sql("$1 * 1000000 + $2", { type: BIGINT });

/** Doris has integer seconds, and microseconds besides. */
const sinceMinute = (value: Expression, node: Extract): Expression =>
  spelled(SINCE_MINUTE, [part("second", value), part("microsecond", value)], node);

const SECONDS = sql("CAST($1 AS numeric(19, 0)) * 0.000001", { type: NUMERIC, scale: 6 });
const MILLISECONDS = sql("CAST($1 AS numeric(19, 0)) * 0.001", { type: NUMERIC, scale: 3 });

const seconds = (template: Template) => ofMoment((value, node) => spelled(template, [sinceMinute(value, node)], node));

function epoch(node: Extract): Expression {
  const { operand } = node;
  const ends = endsOf(operand);
  if (ends !== undefined) return spelled(SECONDS, [microsecondsBetween(...ends)], node);
  const first = cast(text("1970-01-01 00:00:00", node), "timestamp", typed(TIMESTAMP, node));
  return ofMoment((value) => spelled(SECONDS, [microsecondsBetween(first, value)], node))(node);
}

const DAYS = sql("$1 // 86400000000", { type: BIGINT });

/** Days of 24 hours between two timestamps. */
function day(node: Extract): Expression {
  const ends = endsOf(node.operand);
  return ends === undefined ? named("day")(node) : spelled(DAYS, [microsecondsBetween(...ends)], node);
}

export const dorisFields = (): Rules<Extract> =>
  fieldRules([], {
    ...NO_ZONE_FIELDS,
    year: ofAge("//", "year"),
    quarter: named("quarter"),
    month: ofAge("%", "month"),
    day,
    hour: named("hour"),
    minute: named("minute"),
    second: seconds(SECONDS),
    milliseconds: seconds(MILLISECONDS),
    microseconds: ofMoment(sinceMinute),
    // https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/dayofweek: 1 is Sunday.
    dow: field("dayofweek($1) - 1"),
    // https://doris.apache.org/docs/dev/sql-manual/sql-functions/scalar-functions/date-time-functions/weekday: 0 is Monday.
    isodow: field("weekday($1) + 1"),
    doy: field("dayofyear($1)"),
    // Mode 3 is that of ISO 8601.
    week: field("week($1, 3)"),
    isoyear: field("yearweek($1, 3) // 100"),
    epoch,
    julian: UNSUPPORTED.computedField,
    century: UNSUPPORTED.computedField,
    decade: UNSUPPORTED.computedField,
    millennium: UNSUPPORTED.computedField,
  });
