/**
 * Plans for Canner, run by its connector on PostgreSQL, which is not Canner, for the SQL that both share. The rest of
 * its dialect is parsed by Trino (`test/engines/trino-members.test.ts`).
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ask } from "../../parity/judge.ts";
import { manifestOf } from "../../support/plan.ts";
import { type CannerFixture, startCannerFixture } from "./fixture.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "Orders",
      tableReference: { schema: "shop", table: "orders" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "BIGINT", expression: "o_id" },
        { name: "state", type: "VARCHAR" },
        { name: "price", type: "DECIMAL(10, 2)" },
        { name: "day", type: "DATE" },
        { name: "at", type: "TIMESTAMPTZ" },
      ],
    },
  ],
});

let fixture: CannerFixture;
let connector: Connector;
beforeAll(async () => {
  fixture = await startCannerFixture();
  await fixture.observer.query(`
    CREATE SCHEMA shop;
    CREATE TABLE shop.orders (o_id bigint, state varchar(1), price numeric(10, 2), day date, at timestamptz);
    INSERT INTO shop.orders VALUES
      (1, 'O', 172799.49, '1996-01-02', '2024-01-01 23:59:59Z'), (2, 'F', 0.50, NULL, NULL), (9007199254740993, NULL, NULL, '2024-02-29', NULL)`);
  connector = await fixture.open();
});
afterAll(async () => {
  await connector?.close();
  await fixture?.close();
});

it.each<[string, unknown[][]]>([
  [
    'SELECT id, price FROM "Orders" WHERE id > 1 ORDER BY id LIMIT 2',
    [
      [2n, "0.50"],
      [9007199254740993n, null],
    ],
  ],
  [
    "SELECT state, count(*) AS n, sum(price) AS total FROM Orders GROUP BY state ORDER BY state",
    [
      ["F", 1n, "0.50"],
      ["O", 1n, "172799.49"],
      [null, 1n, null],
    ],
  ],
  ["SELECT day, at FROM Orders WHERE id = 1", [["1996-01-02", "2024-01-01 23:59:59+00"]]],
  ["SELECT max(at) AS at FROM Orders", [["2024-01-01 23:59:59+00"]]],
])("%s", async (sql, rows) => {
  const answer = await ask(sql, manifest, "canner", { connector, close: async () => {} });
  expect("rows" in answer ? answer.rows : answer).toEqual(rows);
});
