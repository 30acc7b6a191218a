/** Rules for the fields of EXTRACT on MySQL. Seen on MySQL 9.7 and MariaDB 10.11. */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { partOfAge } from "../../lowering/times/ages.ts";
import { endsOf } from "../../lowering/times/time-arithmetic.ts";
import { typeName } from "../../syntax/build.ts";
import type { Expression, Extract, Template } from "../../syntax/tree.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import { NO_ZONE_FIELDS } from "../baselines.ts";
import { unitsBetween } from "./templates.ts";

/** A field of a date or timestamp. Intervals have only the parts of a difference of two timestamps. */
const of =
  (template: Template | undefined) =>
  (node: Extract): Expression | undefined => {
    const { operand } = node;
    if (typeOrUnknown(operand).kind === "interval") {
      const hint = "Use epoch or day of a difference of two timestamps.";
      throw unsupported(`${node.field} of an interval`, node.span, hint);
    }
    return template && spelled(template, [operand], node);
  };

const native = of(undefined);
const written = (text: string, scale = 0) => of(sql(text, { scale }));

/** EXTRACT of MariaDB has the hour 0 of 24:00:00. */
const hourOfTime = written("hour($1)");

const ofAge =
  (operator: "//" | "%") =>
  (node: Extract): Expression | undefined =>
    partOfAge(node, operator, (from, to) => unitsBetween("month", from, to, from)) ?? native(node);

function day(node: Extract): Expression | undefined {
  const found = endsOf(node.operand);
  return found === undefined ? native(node) : unitsBetween("day", ...found, node);
}

const MILLIONTH = sql("$1 * 0.000001", { scale: 6 });

function epoch(node: Extract): Expression {
  const { operand, span } = node;
  const start: Expression = {
    kind: "typed",
    typeName: typeName("date", node),
    value: "1970-01-01",
    span,
    type: { kind: "date" },
  };
  const { kind } = typeOrUnknown(operand);
  const [from, to] = (kind === "date" || kind === "timestamp" ? [start, operand] : endsOf(operand)) ?? [];
  if (from === undefined || to === undefined) {
    throw unsupported(`epoch of ${kind}`, span, "Ask for that of a date, a timestamp or a difference of two.");
  }
  return spelled(MILLIONTH, [unitsBetween("microsecond", from, to, node)], node);
}

const julianDay = written("to_days($1) + 1721060");

function julian(node: Extract): Expression | undefined {
  const { kind } = typeOrUnknown(node.operand);
  if (kind !== "timestamp") return julianDay(node);
  throw unsupported("the Julian day of a timestamp", node.span, "Write CAST(… AS date).");
}

export const mysqlFields = (): Rules<Extract> =>
  fieldRules([], {
    ...NO_ZONE_FIELDS,
    year: ofAge("//"),
    quarter: native,
    month: ofAge("%"),
    day,
    hour: (node) => (typeOrUnknown(node.operand).kind === "time" ? hourOfTime : native)(node),
    minute: native,
    // MySQL has whole seconds, and microseconds besides.
    second: written("(second($1) * 1000000 + microsecond($1)) * 0.000001", 6),
    milliseconds: written("(second($1) * 1000000 + microsecond($1)) * 0.001", 3),
    microseconds: of(sql("second($1) * 1000000 + microsecond($1)", { scale: 0, type: BIGINT })),
    dow: written("dayofweek($1) - 1"),
    isodow: written("weekday($1) + 1"),
    doy: written("dayofyear($1)"),
    week: written("week($1, 3)"),
    isoyear: written("yearweek($1, 3) // 100"),
    julian,
    century: written("(year($1) + 99) // 100"),
    decade: written("(year($1) + 0) // 10"),
    millennium: written("(year($1) + 999) // 1000"),
    epoch,
  });
