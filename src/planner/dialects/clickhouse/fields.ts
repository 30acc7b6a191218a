/** ClickHouse's rule for each field of EXTRACT. Seen on ClickHouse 26.7. */

import { fieldRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { partOfAge } from "../../lowering/times/ages.ts";
import type { Expression, Extract, Template } from "../../syntax/tree.ts";
import { BIGINT } from "../../types.ts";
import { partOfDifference } from "./differences.ts";
import { wholeQuotient } from "./numbers.ts";
import { part, toTimestamp } from "./times.ts";

const NO_FIELD = { refused: "the field of EXTRACT", hint: "All sessions run in UTC." };

/** Full years of an age, and the months beyond them. */
const ofAge =
  (operator: "/" | "%", template: Template) =>
  (node: Extract): Expression => {
    const months = (from: Expression, to: Expression): Expression =>
      spelled(MONTHS_BETWEEN, [toTimestamp(from), toTimestamp(to)], node);
    const age = partOfAge(node, operator, months);
    if (age?.kind !== "binary") return part(template)(node);
    return operator === "/" ? wholeQuotient(age.left, age.right, node) : age;
  };

const orOfDifference =
  (ofDifference: Template, ofTime: Template) =>
  (node: Extract): Expression =>
    partOfDifference(node, ofDifference) ?? part(ofTime)(node);

/** An integer, or a decimal with so many digits. */
const field = (text: string, scale = 0): Template => words(text, { scale });

const MONTHS_BETWEEN = words("age('month', $1, $2)", { type: BIGINT, scale: 0 });

export const clickHouseFields = (): Rules<Extract> =>
  fieldRules([], {
    year: ofAge("/", field("toYear($1)")),
    quarter: part(field("toQuarter($1)")),
    month: ofAge("%", field("toMonth($1)")),
    // Combined with an unsigned number, the other would lose its sign.
    day: orOfDifference(field("intDiv(CAST($1 AS Int64), toInt64(86400000000))"), field("toDayOfMonth($1)")),
    hour: orOfDifference(
      field("intDiv(modulo(CAST($1 AS Int64), toInt64(86400000000)), toInt64(3600000000))"),
      field("toHour($1)"),
    ),
    minute: orOfDifference(
      field("intDiv(modulo(CAST($1 AS Int64), toInt64(3600000000)), toInt64(60000000))"),
      field("toMinute($1)"),
    ),
    doy: part(field("toDayOfYear($1)")),
    week: part(field("toISOWeek($1)")),
    isoyear: part(field("toISOYear($1)")),
    isodow: part(field("toDayOfWeek($1)")),
    dow: part(field("modulo(toDayOfWeek($1), 7)")),
    epoch: orOfDifference(
      field("(toDecimal128(CAST($1 AS Int64), 6) / 1000000)", 6),
      field("(toDecimal128(toUnixTimestamp64Micro($1), 6) / 1000000)", 6),
    ),
    second: orOfDifference(
      field("(toDecimal128(modulo(CAST($1 AS Int64), toInt64(60000000)), 6) / 1000000)", 6),
      field("(toDecimal128(positiveModulo(toUnixTimestamp64Micro($1), 60000000), 6) / 1000000)", 6),
    ),
    milliseconds: part(field("(toDecimal128(positiveModulo(toUnixTimestamp64Micro($1), 60000000), 3) / 1000)", 3)),
    microseconds: part(field("positiveModulo(toUnixTimestamp64Micro($1), 60000000)")),
    julian: NO_FIELD,
    century: part(field("intDiv(toYear($1) + 99, 100)")),
    decade: part(field("intDiv(toYear($1), 10)")),
    millennium: part(field("intDiv(toYear($1) + 999, 1000)")),
    ...sameRule("timezone timezone_hour timezone_minute", NO_FIELD),
  });
