/** `format` with a literal pattern, and `date_trunc` in a zone: what has one meaning, and what is refused. */
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

test.each([
  ["SELECT format('%s', 1, 2)", "format fills in"],
  ["SELECT format('%s and %s', 1)", "format fills in"],
  ["SELECT format('%I', 'a')", "format fills in"],
  ["SELECT format('%1$s', 'a')", "format fills in"],
  ["SELECT format('%')", "format fills in"],
  ["SELECT date_trunc(concat('h', 'our'), now(), 'Europe/Berlin')", "date_trunc in a time zone with a computed unit"],
  ["SELECT 'a' ~ '\\ma*'", '"\\m" in a regular expression'],
  ["SELECT 'a' ~ '\\ma|b'", '"\\m" in a regular expression'],
  ["SELECT 'a' ~ 'a \\mb'", '"\\m" in a regular expression'],
  ["SELECT 'a' ~ 'a\\s\\M'", '"\\M" in a regular expression'],
  ["SELECT regexp_replace('a', '\\ma', 'b')", '"\\m" in a regular expression'],
  ["SELECT to_char(TIME '10:00', 'HH12 YYYY')", '"YYYY" in a format'],
  ["SELECT to_date(random()::text, 'YYYY')", "a rewrite that repeats a volatile value"],
])("refused: %s", (sql, message) => {
  expect(() => planned(sql, manifest)).toThrow(message);
});

test("what is refused of a pattern is told by its first letters", () => {
  const sql = `SELECT strftime(now(), '${"Z".repeat(9000)}')`;
  expect(() => planned(sql, manifest)).toThrow(`strftime cannot say ${"Z".repeat(20)}… with one meaning`);
});
