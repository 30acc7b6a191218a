/** EXTRACT: decides by the value's type which fields it has, as PostgreSQL does. */
import { PlannerError } from "../diagnostics.ts";
import { cast } from "../syntax/build.ts";
import type { Expression, Extract } from "../syntax/tree.ts";
import { describeType, isUnknown, NUMERIC, PART_OF_DATE, type SqlType, TIMESTAMP } from "../types.ts";
import { convertTo, intervalOfDays, typeOf } from "./coercion.ts";

const OF_A_DAY = ["dow", "doy", "isodow", "isoyear", "julian", "week"] as const;
const OF_A_DATE = ["century", "day", "decade", "epoch", "millennium", "month", "quarter", "year"] as const;
const OF_A_CLOCK = ["hour", "microseconds", "milliseconds", "minute", "second"] as const;
const OF_A_ZONE = ["timezone", "timezone_hour", "timezone_minute"] as const;
const ALL = [...OF_A_DAY, ...OF_A_DATE, ...OF_A_CLOCK, ...OF_A_ZONE] as const;

/** Fields with a fraction. All others are integers, and the Julian day of a date is. */
const FRACTIONS: ReadonlySet<string> = new Set<ExtractField>(["epoch", "milliseconds", "second"]);

const hasFraction = (field: string, { kind }: SqlType): boolean =>
  FRACTIONS.has(field) || (field === "julian" && kind !== "date");

/** The field of a bound EXTRACT. */
export type ExtractField = (typeof ALL)[number];

const FIELDS: ReadonlySet<string> = new Set(ALL);

const DATE_FIELDS: ReadonlySet<string> = new Set([...OF_A_DAY, ...OF_A_DATE]);
const TIMESTAMP_FIELDS: ReadonlySet<string> = new Set([...OF_A_DAY, ...OF_A_DATE, ...OF_A_CLOCK]);
const TIME_FIELDS: ReadonlySet<string> = new Set([...OF_A_CLOCK, "epoch"]);
const ZONED_TIME_FIELDS: ReadonlySet<string> = new Set([...TIME_FIELDS, ...OF_A_ZONE]);
const INTERVAL_FIELDS: ReadonlySet<string> = new Set([...OF_A_DATE, ...OF_A_CLOCK]);

const FIELD_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["dayofyear", "doy"],
  ["weekofyear", "week"],
  ["isoweek", "week"],
  ["yearofweek", "isoyear"],
  ["years", "year"],
  ["months", "month"],
  ["days", "day"],
  ["hours", "hour"],
  ["minutes", "minute"],
  ["seconds", "second"],
  ["microsecond", "microseconds"],
  ["millisecond", "milliseconds"],
]);

/** The same on PostgreSQL 14 to 18. `undefined`: no type that has parts. */
function fieldsOf(type: SqlType): ReadonlySet<string> | undefined {
  switch (type.kind) {
    case "date":
      return DATE_FIELDS;
    case "timestamp":
      return type.zoned ? FIELDS : TIMESTAMP_FIELDS;
    case "time":
      return type.zoned ? ZONED_TIME_FIELDS : TIME_FIELDS;
    case "interval":
      return INTERVAL_FIELDS;
    case "null":
      return FIELDS;
    default:
      return isUnknown(type) ? FIELDS : undefined;
  }
}

/** The operand of `node` is bound. Throws INVALID_QUERY for unknown fields, TYPE_MISMATCH for fields of other types. */
export function bindExtract(node: Extract): Expression {
  const { field: written, span, ofMidnight, ...rest } = node;
  const field = FIELD_SYNONYMS.get(written) ?? written;
  if (!FIELDS.has(field)) {
    const ambiguous = written === "dayofweek" || written === "dayofweek_iso" || written === "weekday";
    throw new PlannerError("INVALID_QUERY", `EXTRACT does not know the field "${written.slice(0, 40)}"`, {
      span,
      hint: ambiguous
        ? "Use dow (Sunday = 0) or isodow (Monday = 1)."
        : "Use year, quarter, month, week, day, dow, isodow, doy, hour, minute, second or epoch.",
    });
  }
  const value = intervalOfDays(convertTo(node.operand, TIMESTAMP));
  const midnight = ofMidnight === true && typeOf(value).kind === "date" && !DATE_FIELDS.has(field);
  const operand = midnight ? cast(value, "timestamp", { span, type: TIMESTAMP }) : value;
  const type = typeOf(operand);
  const fields = fieldsOf(type);
  if (fields === undefined) {
    throw new PlannerError("TYPE_MISMATCH", `EXTRACT takes a date, time or interval, not ${describeType(type)}`, {
      span,
    });
  }
  if (!fields.has(field)) {
    throw new PlannerError("TYPE_MISMATCH", `a value of type ${describeType(type)} has no ${field}`, {
      span,
      hint: `It has ${[...fields].sort().join(", ")}.${type.kind === "date" ? " CAST(… AS timestamp) is its midnight." : ""}`,
    });
  }
  return { ...rest, field, operand, span, type: hasFraction(field, type) ? NUMERIC : PART_OF_DATE };
}
