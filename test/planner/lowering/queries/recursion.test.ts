/** WITH RECURSIVE on both engines: rows of any length, and set operations beside a recursive table. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../../support/plan.ts";
import { openShops, type Shop, shopWith } from "../../cubes/shop.ts";

const manifest = shopWith();

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

const STEPS = "FROM t JOIN sale s ON s.id = t.id + 1 WHERE t.id < 3";
const ANSWERS: readonly (readonly [about: string, sql: string, rows: readonly (readonly (string | null)[])[]])[] = [
  [
    "texts longer than their first",
    `WITH RECURSIVE t AS (SELECT id, state FROM sale WHERE id = 1 UNION ALL SELECT s.id, t.state || '/' || s.state ${STEPS}) SELECT * FROM t ORDER BY id`,
    [
      ["1", "new"],
      ["2", "new/paid"],
      ["3", "new/paid/paid"],
    ],
  ],
  [
    "texts of a column of another length",
    `WITH RECURSIVE t(id, x) AS ((SELECT id, state FROM sale WHERE id = 1) UNION ALL SELECT s.id, s.customer.name ${STEPS}) SELECT * FROM t ORDER BY id`,
    [
      ["1", "new"],
      ["2", "Ann"],
      ["3", "O'Brien"],
    ],
  ],
  [
    "a cast to a length",
    `WITH RECURSIVE t AS (SELECT id, CAST(state AS varchar(2)) AS x FROM sale WHERE id = 1 UNION ALL SELECT s.id, t.x || t.x ${STEPS}) SELECT x FROM t ORDER BY id`,
    [["ne"], ["nene"], ["nenenene"]],
  ],
  [
    "the same column again",
    `WITH RECURSIVE t AS (SELECT id, state, price FROM sale WHERE id = 1 UNION ALL SELECT s.id, s.state, t.price ${STEPS}) SELECT state, price FROM t ORDER BY id`,
    [
      ["new", "10"],
      ["paid", "10"],
      ["paid", "10"],
    ],
  ],
  [
    "a UNION that does not refer to itself",
    "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE n < 3), u AS (SELECT state FROM sale UNION SELECT state FROM sale) SELECT (SELECT sum(n) FROM t), count(*), count(state) FROM u",
    [["6", "4", "3"]],
  ],
  [
    "two of them, one over the other, with names of their own",
    "WITH RECURSIVE u(a, b) AS (SELECT state, 1 FROM sale UNION SELECT state, 1 FROM sale), v AS (SELECT a, a FROM u UNION SELECT a, a FROM u) SELECT (SELECT sum(b) FROM u), count(*) FROM v",
    [["4", "4"]],
  ],
  [
    "one of three branches, sorted and cut",
    "WITH RECURSIVE u AS (SELECT state FROM sale UNION SELECT 'zzz' UNION SELECT 'zzz' ORDER BY 1 DESC LIMIT 2) SELECT * FROM u ORDER BY 1",
    [["sent"], ["zzz"]],
  ],
  [
    "one that begins with VALUES",
    "WITH RECURSIVE u(x) AS (VALUES (1), (1) UNION SELECT 1) SELECT count(*) FROM u",
    [["1"]],
  ],
];

const asNumbers = (row: readonly unknown[]): readonly unknown[] =>
  row.map((value) => (value !== null && /^-?\d/.test(String(value)) ? String(Number(value)) : value));

describe.each(["duckdb", "postgres"] as const)("on %s", (source) => {
  test.each(ANSWERS)("%s", async (_about, sql, expected) => {
    const shop = shops.find(({ name }) => name === source);
    const rows = (await shop?.rows(planned(sql, manifest, { source }))) ?? [];
    expect(rows.map((row) => asNumbers(JSON.parse(row)))).toEqual(expected);
  });
});

test("casts stand only where rows may have another length", () => {
  const sqlOf = (later: string): string =>
    planned(
      `WITH RECURSIVE t AS (SELECT id, state FROM sale WHERE id = 1 UNION ALL SELECT s.id, ${later} ${STEPS}) SELECT * FROM t`,
      manifest,
      { source: "postgres" },
    ).sql;
  expect(sqlOf("s.state")).not.toContain("CAST");
  expect(sqlOf("t.state")).not.toContain("CAST");
  expect(sqlOf("'x'")).toContain("SELECT sale.id, CAST(sale.state AS TEXT)");
});
