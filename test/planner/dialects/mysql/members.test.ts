/** Features of some servers of MySQL's family only; `test/engines/mysql-parity.test.ts` verifies the answers. */
import { expect, test } from "vitest";
import { plan } from "../../../../src/planner/index.ts";
import type { VariantRange } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned, plannedOn, requestOf } from "../../../support/plan.ts";

const manifest = manifestOfTable({ a: "INTEGER", s: "VARCHAR" });
const MYSQL = { product: "mysql", version: [8, 0, 14] };
const LATERAL =
  "SELECT t.a, l.n FROM t CROSS JOIN LATERAL (SELECT max(v.a) AS n FROM (SELECT u.a FROM t AS u WHERE u.a < t.a) AS v) AS l";

/** The servers that a refused statement could be planned for. */
function liftedBy(sql: string): readonly VariantRange[] {
  const outcome = plan({ sql, ...requestOf(manifest, { source: "mysql" }) });
  if (outcome.ok) throw new TypeError("it is planned for all");
  expect(outcome.error.reason).toBe("UNSUPPORTED_ON_SOURCE");
  return outcome.error.liftedBy;
}

test.each<[sql: string, servers: readonly VariantRange[]]>([
  [LATERAL, [{ product: "mysql", from: [8, 0, 14] }]],
  [
    "SELECT md5(s) FROM t",
    [
      { product: "mysql", from: [8, 0, 0], below: [9, 6] },
      { product: "mariadb", from: [10, 6] },
    ],
  ],
  // Nobody lifts all of what it lacks.
  [`SELECT ARRAY[ARRAY[1]], l.n FROM (${LATERAL}) AS l`, []],
  ["SELECT ARRAY[ARRAY[1]]", []],
])("what some servers say is refused for all, and the refusal names them: %s", (sql, servers) => {
  expect(liftedBy(sql)).toEqual(servers);
});

test("the refusal tells people, too", () => {
  expect(() => planned(LATERAL, manifest, { source: "mysql" })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("it is planned for mysql from 8.0.14 on.") }),
  );
});

test("a plan for some servers says for which", () => {
  const { sql, variant } = plannedOn(MYSQL, LATERAL, manifest, { source: "mysql" });
  expect(variant).toEqual({ product: "mysql", from: [8, 0, 14] });
  expect(sql).toContain(
    "CROSS JOIN LATERAL (SELECT max(`v`.`a`) AS `n` FROM (SELECT `u`.`a` FROM `t` AS `u` WHERE `u`.`a` < `t`.`a`) AS `v`) AS `l`",
  );
});

test.each([undefined, { product: "mysql", version: [8, 0, 13] }, { product: "mariadb", version: [11, 8, 2] }])(
  "on %j it stays refused",
  (variant) => {
    expect(() => plannedOn(variant, LATERAL, manifest, { source: "mysql" })).toThrow("not supported on MySQL: LATERAL");
  },
);

test.each([
  { product: "mysql", version: [8, 0, 0] },
  { product: "mysql", version: [9, 5, 1] },
  { product: "mariadb", version: [10, 11, 2] },
])("on %j md5 is that of the text in UTF-8", (variant) => {
  const { sql } = plannedOn(variant, "SELECT md5(s) AS m FROM t", manifest, { source: "mysql" });
  expect(sql).toBe("SELECT md5(CONVERT(`t`.`s` USING utf8mb4)) AS `m` FROM `t` AS `t`");
});

test("on MySQL from 9.6 on md5 stays refused", () => {
  const variant = { product: "mysql", version: [9, 6, 0] };
  expect(() => plannedOn(variant, "SELECT md5(s) FROM t", manifest, { source: "mysql" })).toThrow("md5");
});

test("what all say is planned for all", () => {
  expect(plannedOn(MYSQL, "SELECT a FROM t", manifest, { source: "mysql" })).not.toHaveProperty("variant");
});

test("what is wrong is not planned again", () => {
  const outcome = plan({ sql: "SELECT nope FROM t", ...requestOf(manifest, { source: "mysql" }) });
  expect(outcome).toMatchObject({ ok: false, error: { reason: "COLUMN_NOT_FOUND", liftedBy: [] } });
});
