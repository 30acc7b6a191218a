/**
 * Uses of a row as one value (docs/decisions/0049-rows-are-no-values.md#decision). `test/parity/originals-over-tables.test.ts`
 * compares answers with PostgreSQL's; this file tests hidden and denied columns, which no table of PostgreSQL has.
 */
import { expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";
import { refusal } from "../expand/shop.ts";

const rule = {
  name: "level",
  operator: "EQUALS",
  threshold: "1",
  requiredProperties: [{ name: "level", required: false, defaultExpr: "0" }],
};
const model = (name: string, key: object) => ({
  name,
  tableReference: { table: name },
  ...key,
  columns: [
    { name: "id", type: "INTEGER" },
    { name: "label", type: "VARCHAR" },
    { name: "inner_note", type: "VARCHAR", isHidden: true },
    { name: "secret", type: "VARCHAR", columnLevelAccessControl: rule },
  ],
});
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [model("keyed", { primaryKey: "id" }), model("keyless", {})],
});

test.each([
  ["SELECT count(k.*) FROM keyed k", "SELECT count(*) AS count FROM keyed AS k"],
  ["SELECT count(keyless) FROM keyless", "SELECT count(*) AS count FROM keyless"],
  ["SELECT count(k) FROM keyless a LEFT JOIN keyed k ON k.id = a.id", "SELECT count(k.id) AS count"],
  ["SELECT a.id FROM keyless a LEFT JOIN keyed k ON k.id = a.id WHERE k IS NULL", "WHERE k.id IS NULL"],
  ["SELECT id FROM keyed k WHERE k.* IS NOT NULL", "WHERE k.id IS NOT NULL AND k.label IS NOT NULL"],
  ["SELECT (k).label FROM keyed k", "SELECT k.label"],
])("%s", (sql, expected) => expect(planned(sql, manifest).sql).toContain(expected));

test.each([
  ["SELECT count(k) FROM keyed a LEFT JOIN keyless k ON k.id = a.id", "INVALID_QUERY"],
  ["SELECT count(DISTINCT k) FROM keyed k", "INVALID_QUERY"],
  ["SELECT row_to_json(k) FROM keyed a LEFT JOIN keyless k ON k.id = a.id", "INVALID_QUERY"],
  ["SELECT array_agg(k) FROM keyed k", "COLUMN_NOT_FOUND"],
  ["SELECT (k).secret FROM keyed k", "ACCESS_DENIED"],
  ["SELECT (k).inner_note FROM keyed k", "COLUMN_NOT_FOUND"],
])("%s is refused", (sql, reason) => {
  const { reason: own, hint } = refusal(sql, manifest);
  expect([own, (hint ?? "") === ""]).toEqual([reason, reason === "ACCESS_DENIED" && (hint ?? "") === ""]);
});

/** PostgreSQL asks for the type of what it hands on; a bare text or NULL has none there, a computed NULL is a text. */
test.each([
  // Hidden and denied columns are left out, as `*` leaves them out.
  ["SELECT row_to_json(k.*) FROM keyed k", "SELECT json_build_object('id', k.id, 'label', k.label) AS row_to_json"],
  ["SELECT row_to_json(k) FROM keyed k", "SELECT json_build_object('id', k.id, 'label', k.label) AS row_to_json"],
  ["SELECT to_jsonb(k) FROM keyed k", "SELECT jsonb_build_object('id', k.id, 'label', k.label) AS to_jsonb"],
  [
    "SELECT json_agg(k ORDER BY k.id) FROM keyed k",
    "json_agg(json_build_object('id', k.id, 'label', k.label) ORDER BY k.id",
  ],
  [
    "SELECT row_to_json(k) FROM keyless a LEFT JOIN keyed k ON k.id = a.id",
    "CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'label', k.label) END",
  ],
  ["SELECT lag('x') OVER (ORDER BY id) FROM keyed", "lag(CAST('x' AS TEXT))"],
  ["SELECT first_value(NULL) OVER (ORDER BY id) FROM keyed", "first_value(CAST(NULL AS TEXT))"],
  ["SELECT array_agg('x') FROM keyed", "array_agg(CAST('x' AS TEXT)"],
  ["SELECT nullif(NULL, NULL) IS UNKNOWN", "CAST(nullif(NULL, NULL) AS BOOLEAN) IS UNKNOWN"],
  ["SELECT id FROM keyed WHERE coalesce(NULL, NULL)", "WHERE CAST(coalesce(NULL, NULL) AS BOOLEAN)"],
])("%s runs on PostgreSQL", (sql, expected) =>
  expect(planned(sql, manifest, { source: "postgres" }).sql).toContain(expected),
);
