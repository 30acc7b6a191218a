/** Rules for the fields of EXTRACT on Oracle. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/EXTRACT-datetime.html */

import { unsupported } from "../../diagnostics.ts";
import { fieldRules, type Rules } from "../../lowering/rules.ts";
import { spelled, sql, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { partOfAge } from "../../lowering/times/ages.ts";
import { endsOf, isDateOrTimestamp } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, typed } from "../../syntax/build.ts";
import type { Expression, Extract } from "../../syntax/tree.ts";
import { INTEGER, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";
import { epochOf, part, timeInUtc, weekday, wholeMonths } from "./times.ts";

type Say = (value: Expression, node: Extract) => Expression;

const ofMoment =
  (say: Say) =>
  (node: Extract): Expression => {
    if (isDateOrTimestamp(node.operand)) return say(node.operand, node);
    const kind = typeOrUnknown(node.operand).kind;
    throw unsupported(`${node.field} of ${kind}`, node.span, "Ask for that of a date or a timestamp.");
  };

const named = (name: string) => ofMoment((value) => part(name, value));

/** SQL over a part that Oracle's own EXTRACT has. */
function over(name: string, text: string, type: SqlType = INTEGER) {
  const template = sql(text, { type, nulls: "strict" });
  return ofMoment((value, node) => spelled(template, [part(name, value)], node));
}

/** The number of a format of TO_CHAR. */
function ofFormat(format: string) {
  const template = words(`to_number(to_char($1, '${format}'))`, { type: INTEGER });
  return ofMoment((value, node) => spelled(template, [timeInUtc(value)], node));
}

function ofWeekday(text: string) {
  const template = sql(text, { type: INTEGER, nulls: "strict" });
  return ofMoment((value, node) => spelled(template, [weekday(value)], node));
}

const truncated = (value: Expression): Expression => call("trunc", [value], typed(INTEGER, value));

const ofAge =
  (operator: "//" | "%", field: string) =>
  (node: Extract): Expression => {
    const found = partOfAge(node, operator, wholeMonths);
    if (found?.kind !== "binary") return named(field)(node);
    return operator === "//"
      ? truncated({ ...found, operator: "/" })
      : call("mod", [found.left, found.right], typed(INTEGER, node));
  };

const passed = ([from, to]: readonly Expression[], at: Expression): Expression =>
  from === undefined || to === undefined ? at : binary(epochOf(to), "-", epochOf(from), typed(NUMERIC, at));

const WHOLE_DAYS = sql("trunc($1 / 86400)", { type: INTEGER, nulls: "strict" });

function day(node: Extract): Expression {
  const ends = endsOf(node.operand);
  return ends === undefined ? named("day")(node) : spelled(WHOLE_DAYS, [passed(ends, node)], node);
}

function epoch(node: Extract): Expression {
  const ends = endsOf(node.operand);
  return ends === undefined ? ofMoment(epochOf)(node) : passed(ends, node);
}

export const oracleFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("//", "year"),
    quarter: over("month", "floor(($1 + 2) / 3)"),
    month: ofAge("%", "month"),
    day,
    hour: named("hour"),
    minute: named("minute"),
    second: named("second"),
    milliseconds: over("second", "$1 * 1000", NUMERIC),
    microseconds: over("second", "trunc($1 * 1000000)"),
    dow: ofWeekday("mod($1 + 1, 7)"),
    isodow: ofWeekday("$1 + 1"),
    doy: ofFormat("DDD"),
    week: ofFormat("IW"),
    isoyear: ofFormat("IYYY"),
    julian: UNSUPPORTED.julianDay,
    century: over("year", "floor(($1 + 99) / 100)"),
    decade: over("year", "floor(($1 + 0) / 10)"),
    millennium: over("year", "floor(($1 + 999) / 1000)"),
    epoch,
    timezone: UNSUPPORTED.zoneInUtc,
    timezone_hour: UNSUPPORTED.zoneInUtc,
    timezone_minute: UNSUPPORTED.zoneInUtc,
  });
