/** `greatest` and `least` of many values, written out for sources that have neither: right for every NULL, and short. */
import { describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

const NAMES = Array.from({ length: 50 }, (_, index) => `c${index}`);
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { table: "t" }, columns: NAMES.map((name) => ({ name, type: "INTEGER" })) }],
});

const sqlOf = (source: "mssql" | "oracle", name: string, count: number): string =>
  planned(`SELECT ${name}(${NAMES.slice(0, count).join(", ")}) AS x FROM t`, MANIFEST, { source }).sql;

describe.each(["mssql", "oracle"] as const)("%s", (source) => {
  test.each(["greatest", "least"])("%s of fifty columns is planned", (name) => {
    expect(sqlOf(source, name, 50).length).toBeLessThan(200_000);
  });
});

/** The CASE of Oracle's plan, as a function of the columns. */
function functionOf(sql: string): (values: readonly (number | null)[]) => number | null {
  const inside = /^SELECT (CASE .* END) AS/.exec(sql)?.[1] ?? "";
  const script = inside
    .replaceAll(/"t"\."c(\d)"/gi, "v[$1]")
    .replaceAll("IS NOT NULL", "!== null")
    .replaceAll("IS NULL", "=== null")
    .replaceAll(" AND ", " && ")
    .replaceAll(" OR ", " || ")
    .replaceAll("CASE WHEN ", "(")
    .replaceAll(" WHEN ", " : ")
    .replaceAll(" THEN ", " ? ")
    .replaceAll(" ELSE ", " : ")
    .replaceAll(" END", ")");
  return new Function("v", `return ${script}`) as (values: readonly (number | null)[]) => number | null;
}

test.each(["greatest", "least"] as const)("%s of five leaves NULLs out", (name) => {
  const found = functionOf(sqlOf("oracle", name, 5));
  for (let number = 0; number < 4 ** 5; number++) {
    const values = Array.from({ length: 5 }, (_, at) => [null, 1, 2, 3][Math.floor(number / 4 ** at) % 4] ?? null);
    const known = values.filter((value) => value !== null);
    const wanted = known.length === 0 ? null : name === "greatest" ? Math.max(...known) : Math.min(...known);
    expect(found(values), values.join()).toBe(wanted);
  }
});
