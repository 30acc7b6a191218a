/**
 * `to_date` and `to_timestamp` with a literal format. PostgreSQL reads leniently: separators stand for each other, what is
 * missing at the end is the beginning of the day, what follows is ignored. strptime is of another mind about each, so the
 * text is matched with a regular expression, and a text that does not match is an error, as are dates that there are not.
 */

import { unsupported } from "../../diagnostics.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { type FormatToken, readFormat } from "../../lowering/times/formats.ts";
import { integer, text, typed } from "../../syntax/build.ts";
import type { Call, Expression, Template } from "../../syntax/tree.ts";
import { INTEGER, NUMERIC, TEXT, TIMESTAMP } from "../../types.ts";

type Field =
  | "year"
  | "shortYear"
  | "month"
  | "monthName"
  | "day"
  | "hour"
  | "half"
  | "minute"
  | "second"
  | "micros"
  | "ignored";

interface Part {
  readonly field: Field;
  /** In a text that other digits follow at once, and anywhere else. */
  readonly exact: string;
  readonly loose: string;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec";
const FULL_MONTHS = "january february march april may june july august september october november december";
const DAYS = "monday tuesday wednesday thursday friday saturday sunday";

const digits = (field: Field, count: number): Part => ({ field, exact: `\\d{${count}}`, loose: `\\d{1,${count}}` });
const words = (field: Field, list: string): Part => {
  const pattern = list.replaceAll(" ", "|");
  return { field, exact: pattern, loose: pattern };
};

const PARTS: Readonly<Record<string, Part>> = {
  YYYY: { field: "year", exact: "\\d{4}", loose: "\\d{4}" },
  YY: { field: "shortYear", exact: "\\d{2}", loose: "\\d{2}" },
  MM: digits("month", 2),
  DD: digits("day", 2),
  HH24: { field: "hour", exact: "[01]\\d|2[0-3]", loose: "[01]?\\d|2[0-3]" },
  HH12: { field: "hour", exact: "0[1-9]|1[0-2]", loose: "0?[1-9]|1[0-2]" },
  HH: { field: "hour", exact: "0[1-9]|1[0-2]", loose: "0?[1-9]|1[0-2]" },
  MI: { field: "minute", exact: "[0-5]\\d", loose: "[0-5]?\\d" },
  SS: { field: "second", exact: "[0-5]\\d", loose: "[0-5]?\\d" },
  MS: { field: "micros", exact: "\\d{3}", loose: "\\d{1,3}" },
  US: { field: "micros", exact: "\\d{6}", loose: "\\d{1,6}" },
  AM: words("half", "am pm"),
  PM: words("half", "am pm"),
  "A.M.": words("half", "a\\.m\\. p\\.m\\."),
  "P.M.": words("half", "a\\.m\\. p\\.m\\."),
  MON: words("monthName", MONTHS),
  MONTH: words("monthName", FULL_MONTHS),
  DY: words("ignored", DAYS.replace(/\b(\w{3})\w*/g, "$1")),
  DAY: words("ignored", DAYS),
};

const MATCHED = sql("nullif(regexp_extract($1, $2, $3), '')", { type: TEXT });
const NUMBER = sql("coalesce(CAST($1 AS integer), $2)", { type: INTEGER });
/** Two digits are the year nearest to 2020. */
const SHORT_YEAR = sql("$1 + CASE WHEN $1 < 70 THEN 2000 ELSE 1900 END", { type: INTEGER });
const MONTH_OF_NAME = sql(`coalesce((strpos('${MONTHS}', left(lower($1), 3)) + 3) // 4, 1)`, { type: INTEGER });
const MORNING_HOUR = sql("$1 % 12", { type: INTEGER });
const HOUR_OF_HALF = sql("$1 % 12 + CASE WHEN starts_with(lower($2), 'p') THEN 12 ELSE 0 END", { type: INTEGER });
const WITH_FRACTION = sql("$1 + CAST(rpad(coalesce($2, '0'), 6, '0') AS integer) * 0.000001", { type: NUMERIC });
/** `$3` to `$8` are the year, month, day, hour, minute and second. */
const TIME = sql(
  "CASE WHEN $1 IS NOT NULL THEN CASE WHEN regexp_matches($1, $2) THEN make_timestamp($3, $4, $5, $6, $7, $8) ELSE error($9) END END",
  { type: TIMESTAMP },
);

/** The timestamp without zone that `value` is in this format. */
export function parsedTime(value: Expression, format: string, node: Call): Expression {
  const { pattern, groups, isMorningHour } = readPattern(readFormat(format), node);
  const found = text(pattern, node);
  const made = (template: Template, ...parts: readonly Expression[]) => spelled(template, parts, typed(INTEGER, node));
  const matched = (field: Field): Expression | undefined => {
    const group = groups.indexOf(field) + 1;
    return group === 0 ? undefined : made(MATCHED, value, found, integer(group, node));
  };
  const number = (field: Field, otherwise: number): Expression => {
    const digits = matched(field);
    return digits === undefined ? integer(otherwise, node) : made(NUMBER, digits, integer(otherwise, node));
  };
  // Without a year it is the one before the year 1, as in PostgreSQL.
  const shortYear = groups.includes("shortYear") ? made(SHORT_YEAR, number("shortYear", 0)) : integer(0, node);
  const year = groups.includes("year") ? number("year", 1) : shortYear;
  const name = matched("monthName");
  const month = name === undefined ? number("month", 1) : made(MONTH_OF_NAME, name);
  const [written, half] = [number("hour", isMorningHour ? 12 : 0), matched("half")];
  const ofTwelve = half === undefined ? made(MORNING_HOUR, written) : made(HOUR_OF_HALF, written, half);
  const [whole, fraction] = [number("second", 0), matched("micros")];
  const seconds = fraction === undefined ? whole : made(WITH_FRACTION, whole, fraction);
  const fields = [year, month, number("day", 1), isMorningHour ? ofTwelve : written, number("minute", 0), seconds];
  return made(TIME, value, found, ...fields, text(`a text is not a date in the format ${format.slice(0, 60)}`, node));
}

interface Reading {
  readonly pattern: string;
  /** The field of each group of the pattern. */
  readonly groups: readonly Field[];
  /** The hour is one of twelve. */
  readonly isMorningHour: boolean;
}

/** Every part behind the year may be missing with all that follows it. */
function readPattern(tokens: readonly FormatToken[], node: Call): Reading {
  const groups: Field[] = [];
  let pattern = "(?i)^\\s*";
  let open = 0;
  let isMorningHour = false;
  const hasYear = (): boolean => groups.includes("year") || groups.includes("shortYear");
  const begin = (): void => {
    if (!hasYear()) return;
    pattern += "(?:";
    open++;
  };
  tokens.forEach((token, index) => {
    if (token.kind === "text") {
      if (index === 0) throw unsupported("a date format that begins with text", node.span);
      begin();
      pattern += token.separator ? separators(token.text, node) : `.{${[...token.text].length}}`;
      return;
    }
    const name = token.pattern.toUpperCase();
    const part = PARTS[name];
    if (
      part === undefined ||
      token.ordinal !== undefined ||
      (part.field !== "ignored" && groups.includes(part.field))
    ) {
      throw unsupported(
        `the format pattern ${token.pattern} when a text is read`,
        node.span,
        "Use YYYY, MM, DD, HH24, MI, SS, MS, US, Mon, Month, AM.",
      );
    }
    if (tokens[index - 1]?.kind === "pattern") begin();
    const next = tokens[index + 1];
    const isFollowed = next?.kind === "pattern" && /^\\d|^\[/.test(PARTS[next.pattern.toUpperCase()]?.exact ?? "");
    pattern += `(${isFollowed ? part.exact : part.loose})`;
    groups.push(part.field);
    isMorningHour ||= name === "HH12" || name === "HH";
  });
  const isOf12 = tokens.some((token) => token.kind === "pattern" && /^HH(12)?$/i.test(token.pattern));
  if (groups.includes("half") && !isOf12) throw unsupported("AM or PM without an hour of twelve", node.span);
  if (groups.includes("year") && groups.includes("shortYear")) throw unsupported("a year twice in a format", node.span);
  if (groups.includes("month") && groups.includes("monthName"))
    throw unsupported("a month twice in a format", node.span);
  // The rest is skipped if all parts are present.
  return { pattern: `${pattern}(?:\\D.*)?${")?".repeat(open)}\\s*$`, groups, isMorningHour };
}

/** One separator stands for any other one; more of them would be read by rules of their own. */
function separators(written: string, node: Call): string {
  if ([...written].length === 1) return '(?:\\s+|[^\\sA-Za-z0-9"+])';
  if (/^[^\s]\s$/.test(written)) return '[^\\sA-Za-z0-9"+-]\\s+';
  throw unsupported("several separators in a row in a date format", node.span, "Write one between two patterns.");
}
