/** Dates that are written out and read by a format, where a target reads none: here and now, or not at all. */
import { expect, it } from "vitest";
import { manifestOf, planned } from "../../../support/plan.ts";

const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });
const plan = (value: string, format: string): string =>
  planned(`SELECT to_date('${value}', '${format}') AS d`, manifest, { source: "bigquery" }).sql;

it.each([
  ["31.12.2024", "DD.MM.YYYY", "2024-12-31"],
  ["2024/1/5", "YYYY/MM/DD", "2024-01-05"],
])("%s by %s", (value, format, day) => expect(plan(value, format)).toContain(`DATE '${day}'`));

it.each([
  ["a text that it does not fit", "x", "YYYY-MM-DD"],
  ["a part that stands twice", "2024 2025", "YYYY YYYY"],
  ["a format that goes on for long", "x", "YYYY-".repeat(4000)],
  ["signs that go on for long", "x", `YYYY${"-".repeat(100_000)}`],
])("%s is refused", (_, value, format) => {
  expect(() => plan(value, format)).toThrow("reading a date by a format");
});
