/**
 * PostgreSQL's text of a double. MySQL and MariaDB choose the same digits, but write an exponent where PostgreSQL does not, and the
 * other way round. Compared with PostgreSQL 18 on MySQL 9.7 and MariaDB 10.11.
 */
import { spelled, sql } from "../../lowering/templates/template.ts";
import { text, typed } from "../../syntax/build.ts";
import type { Expression, Template } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";
import { raisingUnless } from "./raising.ts";
import { concat, trim } from "./templates.ts";

/**
 * The double $1; $2 is its plain text, $3 the text of its absolute value, $4 and $5 are texts with an exponent. The two zeros differ
 * in the angle that they make with a negative number. MySQL's text has an exponent from about 1e16 on, and below 1e-4 for some values.
 *
 * Decimals that lie halfway between two doubles have few digits in one range only: `1e23`. MySQL writes such a decimal, PostgreSQL
 * writes a longer one, which is nearer. So both numbers half a unit beside the shown one must read as the double; doubles in this
 * range are multiples of four. A text has 22 characters at most: below 1e-99 it has sixteen digits where PostgreSQL's has seventeen, and is then another number.
 */
const DOUBLE_TEXT = sql(`CASE
  WHEN $1 = 0e0 THEN CASE WHEN atan2($1, -1) < 0e0 THEN '-0' ELSE '0' END
  WHEN abs($1) >= 1e-4 AND abs($1) < 1e15 THEN $2
  WHEN abs($1) >= 1e15 THEN ${raisingUnless(
    `abs($1) < 18014398509481984e0 OR abs($1) >= 1e40
      OR (CAST(CAST(CAST(abs($1) AS numeric(65, 0)) + 0.5 AS text) AS double precision) = abs($1)
        AND CAST(CAST(CAST(abs($1) AS numeric(65, 0)) - 0.5 AS text) AS double precision) = abs($1))`,
    "$4",
    "$3",
  )}
  WHEN abs($1) < 1e-4 THEN ${raisingUnless("abs($1) >= 1e-99 OR CAST($3 AS double precision) = abs($1)", "$5", "$3")}
END`);
const DIGITS = sql("CAST(CAST($1 AS numeric(65, 30)) AS text)");
const UNSIGNED = sql("CAST(abs($1) AS text)");
const SIGN = sql("CASE WHEN $1 < 0e0 THEN '-' ELSE '' END");

/** `value` is repeated. */
export function doubleText(value: Expression, position: Expression): Expression {
  const at = typed(TEXT, position);
  const made = (template: Template, ...parts: readonly Expression[]): Expression => spelled(template, parts, at);
  const trimmed = (side: "leading" | "trailing", shown: Expression, character: string): Expression =>
    trim(side, shown, text(character, at), at);
  const withPoint = (digits: Expression): Expression =>
    concat([made(FIRST_DIGIT, digits), made(AFTER_POINT, digits, concat([text(".", at), made(REST, digits)], at))], at);
  const signed = (shown: Expression): Expression => concat([made(SIGN, value), shown], at);

  const plain = trimmed("trailing", trimmed("trailing", made(DIGITS, value), "0"), ".");
  const unsigned = made(UNSIGNED, value);
  const large = concat(
    [
      withPoint(trimmed("trailing", made(WITHOUT_POINT, unsigned), "0")),
      text("e+", at),
      made(POWER_BEFORE_POINT, unsigned),
    ],
    at,
  );
  const digits = trimmed("leading", made(PLACES, unsigned), "0");
  const small = concat(
    [withPoint(digits), text("e-", at), made(POWER_BEHIND_POINT, made(PLACES, unsigned), digits)],
    at,
  );
  const smallPower = concat([made(BEFORE_POWER, unsigned), text("e-", at), made(POWER, unsigned)], at);
  return made(
    DOUBLE_TEXT,
    value,
    plain,
    unsigned,
    signed(made(LARGE, unsigned, large)),
    signed(made(SMALL, unsigned, smallPower, small)),
  );
}

/** `12` as `1.2`, `1` as itself. */
const FIRST_DIGIT = sql("left($1, 1)");
const AFTER_POINT = sql("CASE WHEN char_length($1) > 1 THEN $2 ELSE '' END");
const REST = sql("substr($1, 2)");

/** `1.2e20` as `1.2e+20`, `1234567890123456.8` as `1.2345678901234568e+15`. */
const LARGE = sql("CASE WHEN position('e' IN $1) > 0 THEN replace($1, 'e', 'e+') ELSE $2 END");
const WITHOUT_POINT = sql("replace($1, '.', '')");
const POWER_BEFORE_POINT = sql("CAST(char_length(substring_index($1, '.', 1)) - 1 AS text)");

/** `0.00000012` and `1.2e-7` as `1.2e-07`. */
const SMALL = sql("CASE WHEN position('e' IN $1) > 0 THEN $2 ELSE $3 END");
const BEFORE_POWER = sql("substring_index($1, 'e-', 1)");
const POWER = sql("lpad(substring_index($1, 'e-', -1), greatest(char_length(substring_index($1, 'e-', -1)), 2), '0')");
const PLACES = sql("substr($1, 3)");
const POWER_BEHIND_POINT = sql(`lpad(
  CAST(char_length($1) - char_length($2) + 1 AS text),
  greatest(char_length(CAST(char_length($1) - char_length($2) + 1 AS text)), 2), '0')`);
