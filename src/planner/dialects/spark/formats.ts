/** `to_char` of dates and timestamps as patterns of Java (https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html). */

import { spelled, sql } from "../../lowering/templates/template.ts";
import { type DateFormats, dateText, numberOf, renderedBy } from "../../lowering/times/date-texts.ts";
import { text } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";

const [WEEKDAY, WEEK, YEAR] = [
  sql("CAST(weekday($1) + 1 AS text)", { type: TEXT }),
  sql("lpad(CAST(weekofyear($1) AS text), 2, '0')", { type: TEXT }),
  sql("lpad(CAST(date_part('YEAROFWEEK', $1) AS text), 4, '0')", { type: TEXT }),
];

const FORMATS: DateFormats = {
  tokens: {
    YYYY: "yyyy",
    YY: "yy",
    MM: "MM",
    Mon: "MMM",
    FMMM: "M",
    FMMonth: "MMMM",
    DD: "dd",
    FMDD: "d",
    DDD: "DDD",
    Dy: "EEE",
    FMDay: "EEEE",
    HH24: "HH",
    FMHH24: "H",
    HH12: "hh",
    HH: "hh",
    MI: "mm",
    SS: "ss",
    AM: "a",
    PM: "a",
    US: "SSSSSS",
    MS: "SSS",
  },
  // Letters are patterns, and some signs besides.
  literal: (written) => (written === "" ? "" : `'${written.replaceAll("'", "''")}'`),
  values: {
    Q: numberOf("quarter"),
    ID: (value, at) => spelled(WEEKDAY, [value], at),
    IW: (value, at) => spelled(WEEK, [value], at),
    IYYY: (value, at) => spelled(YEAR, [value], at),
  },
  joined: (parts, at) => {
    const [first = text("", at), ...others] = parts;
    return others.reduce<Expression>(
      (left, right) => ({ kind: "binary", operator: "||", left, right, span: at.span, type: TEXT }),
      first,
    );
  },
};

export const TIME_PATTERNS = renderedBy(FORMATS);

export const shownDate = (node: Call): Expression => dateText(node, FORMATS);
