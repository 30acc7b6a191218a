/** The table of docs/reference/access-rules.md that `npm run rule-counts` writes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { ruleCounts } from "../corpus/rule-counts.ts";
import { CORPUS } from "../corpus/schemas.ts";

const page = readFileSync(new URL("../../docs/reference/access-rules.md", import.meta.url), "utf8");
const table = page.split("<!-- evidence: npm run rule-counts counts -->")[1]?.split("<!-- end")[0] ?? "";
const rows = new Map(
  [...table.matchAll(/^\| (\w+) \| (.+) \|$/gm)].map(([, source = "", cells = ""]) => [
    source,
    cells.split(" | ").map((cell) => (cell === "·" ? 0 : Number(cell))),
  ]),
);

test.each(DATA_SOURCES)("%s: the table counts most queries of the corpus", (source) => {
  const total = (rows.get(source) ?? []).reduce((sum, count) => sum + count, 0);
  const queries = CORPUS.reduce((sum, { queries: { length } }) => sum + length, 0);
  expect(total).toBeGreaterThan(queries * 0.95);
  expect(total).toBeLessThanOrEqual(queries);
});

test.each(["snowflake", "bigquery", "doris", "trino"] as const)(
  "%s: one schema has the kinds of the table",
  (source) => {
    const [plain, fenced, besteffort] = rows.get(source) ?? [];
    const counted = ruleCounts(source, CORPUS.slice(0, 1));
    expect([counted.plain > 0, counted.fenced > 0, counted.besteffort > 0]).toEqual(
      [plain, fenced, besteffort].map((count) => count !== 0),
    );
    // Without a barrier, some expressions have no place in an IF; Doris' rows of arrays stand behind their table.
    expect(counted.refused > 0).toBe(source === "bigquery" || source === "doris");
  },
);
