/**
 * `to_date` and `to_timestamp` with a literal format. PostgreSQL reads leniently: separators stand for each other, what is
 * missing at the end is the beginning of the day, what follows is ignored. strptime is of another mind about each, so the
 * text is matched with a regular expression, and a text that does not match is an error, as are dates that there are not.
 */

import { unsupported } from "../../diagnostics.ts";
import { type FormatToken, readFormat } from "../../lowering/formats.ts";
import { binary, call, cast, decimal, integer, isNull, text, typed, when } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, INTEGER, NUMERIC, TEXT, TIMESTAMP } from "../../types.ts";

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

/** The timestamp without zone that `value` is in this format. */
export function parsedTime(value: Expression, format: string, node: Call): Expression {
  const { pattern, groups, isMorningHour } = readPattern(readFormat(format), node);
  const at = (type: Expression["type"]) => ({ span: node.span, type });
  const matched = (field: Field, type = TEXT): Expression | undefined => {
    const group = groups.indexOf(field) + 1;
    if (group === 0) return undefined;
    const found = call("regexp_extract", [value, text(pattern, node), integer(group, node)], at(TEXT));
    return call("nullif", [found, text("", node)], at(type));
  };
  const number = (field: Field, otherwise: number): Expression => {
    const found = matched(field);
    if (found === undefined) return integer(otherwise, node);
    const whole = cast(found, "integer", at(INTEGER));
    return call("coalesce", [whole, integer(otherwise, node)], at(INTEGER));
  };
  // Without a year it is the one before the year 1, as in PostgreSQL. Two digits are the year nearest to 2020.
  const short = number("shortYear", 0);
  const isRecent = binary(short, "<", integer(70, node), at(BOOLEAN));
  const century = when(isRecent, integer(2000, node), integer(1900, node), at(INTEGER));
  const shortYear = groups.includes("shortYear") ? binary(short, "+", century, at(INTEGER)) : integer(0, node);
  const year = groups.includes("year") ? number("year", 1) : shortYear;
  const name = matched("monthName");
  const month =
    name === undefined
      ? number("month", 1)
      : call("coalesce", [monthNumber(name, node), integer(1, node)], at(INTEGER));
  const half = matched("half");
  const written = number("hour", isMorningHour ? 12 : 0);
  let hour = written;
  if (isMorningHour) {
    hour = binary(written, "%", integer(12, node), at(INTEGER));
    if (half !== undefined) {
      const isLate = call("starts_with", [call("lower", [half], at(TEXT)), text("p", node)], at(BOOLEAN));
      hour = binary(hour, "+", when(isLate, integer(12, node), integer(0, node), at(INTEGER)), at(INTEGER));
    }
  }
  const fraction = matched("micros");
  const micros =
    fraction === undefined
      ? undefined
      : cast(
          call(
            "rpad",
            [call("coalesce", [fraction, text("0", node)], at(TEXT)), integer(6, node), text("0", node)],
            at(TEXT),
          ),
          "integer",
          at(INTEGER),
        );
  const whole = number("second", 0);
  const seconds =
    micros === undefined
      ? whole
      : binary(whole, "+", binary(micros, "*", decimal("0.000001", node), at(NUMERIC)), at(NUMERIC));
  const made = call(
    "make_timestamp",
    [year, month, number("day", 1), hour, number("minute", 0), seconds],
    at(TIMESTAMP),
  );
  const fits = call("regexp_matches", [value, text(pattern, node)], at(BOOLEAN));
  const wrong = call("error", [text(`a text is not a date in the format ${format.slice(0, 60)}`, node)], at(TIMESTAMP));
  return when(isNull(value, true), when(fits, made, wrong, at(TIMESTAMP)), undefined, at(TIMESTAMP));
}

function monthNumber(name: Expression, node: Call): Expression {
  const place = { span: node.span, type: INTEGER };
  const short = call("left", [call("lower", [name], typed(TEXT, name)), integer(3, node)], typed(TEXT, name));
  const from = call("strpos", [text(MONTHS, node), short], place);
  return binary(binary(from, "+", integer(3, node), place), "//", integer(4, node), place);
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
