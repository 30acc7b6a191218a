/** QUALIFY without a window function is a condition over the rows that are left; DuckDB has it beside windows only. */
import { expect, test } from "vitest";
import type { ExpectedRows } from "../../../support/comparator.ts";
import { planned } from "../../../support/plan.ts";
import { openShop, shop } from "../../expand/shop.ts";

const { expectRows } = openShop();

test.each<readonly [sql: string, expected: ExpectedRows]>([
  ["SELECT id FROM place QUALIFY true", [[1], [2]]],
  ["SELECT id FROM place QUALIFY id > 1", [[2]]],
  ["SELECT id AS n FROM place QUALIFY n = 1 ORDER BY n", [[1]]],
  ["SELECT DISTINCT source FROM orders QUALIFY source IS NOT NULL ORDER BY source DESC LIMIT 1", [[9]]],
  ["SELECT source, count(*) FROM orders GROUP BY source QUALIFY count(*) > 1", [[1, 2]]],
  ["SELECT id FROM place QUALIFY false UNION ALL SELECT id FROM place QUALIFY id = 1", [[1]]],
  ["SELECT id FROM place QUALIFY row_number() OVER (ORDER BY id DESC) = 1", [[2]]],
  ["SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM place QUALIFY id = 1", [[1, 2]]],
])("%s", (sql, expected) => expectRows(sql, shop({}), expected));

test("it stays where the target has it", () => {
  const { sql } = planned("SELECT id FROM place QUALIFY row_number() OVER (ORDER BY id) = 1", shop({}));
  expect(sql).toContain("QUALIFY");
});
