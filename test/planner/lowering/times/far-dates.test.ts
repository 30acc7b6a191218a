/** Comparisons with dates that a source cannot hold: every date of the source is before `infinity`, and on ClickHouse before 2300. */
import { expect, it } from "vitest";
import { manifestOf, planned } from "../../../support/plan.ts";

const columns = [
  { name: "begins", type: "DATE", notNull: true },
  { name: "ends", type: "DATE" },
  { name: "at", type: "TIMESTAMP" },
];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { table: "t" }, columns }],
});
const condition = (source: "trino" | "clickhouse", sql: string): string =>
  planned(`SELECT begins FROM t WHERE ${sql}`, manifest, { source }).sql.replaceAll('"', "").split(" WHERE ")[1] ?? "";

it.each([
  ["begins < 'infinity'", "TRUE"],
  ["begins >= 'infinity'", "FALSE"],
  ["ends <> '-infinity'", "CASE WHEN t.ends IS NOT NULL THEN TRUE END"],
  ["'infinity' > at", "CASE WHEN t.at IS NOT NULL THEN TRUE END"],
  ["begins <= COALESCE(ends, 'infinity')", "coalesce(t.begins <= t.ends, TRUE)"],
  ["COALESCE(ends, at::date, 'infinity') < begins", "coalesce(t.begins > coalesce(t.ends, CAST(t.at AS DATE)), FALSE)"],
  ["begins BETWEEN ends AND COALESCE(ends, 'infinity')", "t.begins >= t.ends AND coalesce(t.begins <= t.ends, TRUE)"],
])("%s on Trino", (sql, expected) => expect(condition("trino", sql)).toBe(expected));

it.each([
  ["begins <= COALESCE(ends, '9999-12-31')", "coalesce(t.begins <= t.ends, TRUE)"],
  ["begins > DATE '1850-01-01'", "TRUE"],
])("%s on ClickHouse", (sql, expected) => expect(condition("clickhouse", sql)).toBe(expected));

it.each(["COALESCE(ends, 'infinity')", "'infinity'::date", "greatest(ends, DATE 'infinity')"])(
  "%s as a value is refused",
  (value) =>
    expect(() => planned(`SELECT ${value} AS x FROM t`, manifest, { source: "trino" })).toThrow("the literal of"),
);

it("a longer value is not repeated", () => {
  const sql = "SELECT begins FROM t WHERE begins + 1 < COALESCE(ends, 'infinity')";
  expect(() => planned(sql, manifest, { source: "trino" })).toThrow("the literal of type date");
});
