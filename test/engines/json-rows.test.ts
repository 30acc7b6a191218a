/**
 * Rows that are made of JSON: PostgreSQL's on every engine that makes them, or an error. A document that is no array, or no object, raises
 * in PostgreSQL and here, and a text that an engine would write otherwise raises here alone.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { OTHER_ENGINES, type OtherEngine } from "../parity/engines.ts";
import { ask, judgeAgainst } from "../parity/judge.ts";
import { openGoogleSqlTpch } from "../support/googlesql.ts";
import { manifestOf, type PlanSettings } from "../support/plan.ts";
import { type OpenedSource, openClickHouseWith, openMySqlTpch, openPostgres } from "../support/sources.ts";
import { openSparkTpch } from "../support/spark.ts";
import { openTrinoTpch } from "../support/trino.ts";

/** Documents by the text of their rows. */
const DOCUMENTS = new Map<string, readonly (string | null)[]>();

function rows(...documents: readonly (string | null)[]): string {
  const listed = documents.map(
    (each, index) => `(${index}, ${each === null ? "NULL" : `'${each}'`}${index === 0 ? "::json" : ""})`,
  );
  const text = `(VALUES ${listed.join(", ")}) t(i, j)`;
  DOCUMENTS.set(text, documents);
  return text;
}

const TEXTS = rows(
  '["b", "a\\"\\\\ é😀\\n\\u0041", "", null, true, false, 0, -7, 1234567890123456, "null", "1", "1.50", "[1]", "{}", " "]',
  "[]",
  null,
  "[null]",
  " [ ] ",
);
const LISTS = rows('["b", "a"]', "[]", null, '["c"]');
const OBJECTS = rows(
  '[{"k": "a", "o": {"x": 1}}, {"k": null}, {}, {"k": true, "l": ["p", "q"]}, {"k": "\\"é\\\\"}]',
  "[]",
  null,
  '[1, "x", null, [1], "k", {"k": "null"}]',
);
const MEMBERS = rows(
  '{"items": ["a", "b"], "o": {"k": "v"}}',
  "{}",
  '{"items": [], "o": {}}',
  null,
  '{"items": ["a"], "p": 1}',
);
const KEYED = rows(
  '{"bb": 1, "a": "x\\"é", "é x": null, "a.b": true, "a-b": "", "B": -5}',
  "{}",
  null,
  '{"a": "null"}',
);
const STRANGE_KEYS = rows('{"": 1, "a\\"b": 2, "c\\\\d": 3, "$.x": 4, "*": 5, "it\'\'s": 6, "[0]": 7}');

/** Whatever the engine, unless it is listed. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  "the texts of elements": [
    `SELECT i, v, n FROM ${TEXTS}, json_array_elements_text(j) WITH ORDINALITY AS e(v, n) ORDER BY i, n`,
    `SELECT i, v FROM ${TEXTS} CROSS JOIN LATERAL jsonb_array_elements_text(j::jsonb) AS v WHERE v > '' ORDER BY i, v`,
    `SELECT i, json_array_elements_text(j) AS v FROM ${LISTS} ORDER BY i, v`,
    `SELECT v, count(*) AS n FROM ${MEMBERS}, json_array_elements_text(j -> 'items') AS v GROUP BY v ORDER BY v`,
    `SELECT v FROM json_array_elements_text('["b", "a"]'::json) AS v ORDER BY v`,
  ],
  elements: [
    `SELECT i, e.v ->> 'k' AS k, e.v -> 'o' ->> 'x' AS x, e.v -> 'l' ->> 1 AS l FROM ${OBJECTS}, json_array_elements(j) AS e(v) ORDER BY 1, 2, 3, 4`,
    `SELECT i, e.v ->> 'k' AS k, n FROM ${OBJECTS}, jsonb_array_elements(j::jsonb) WITH ORDINALITY AS e(v, n) ORDER BY i, n`,
    `SELECT i, count(*) AS n FROM ${OBJECTS}, jsonb_array_elements(j::jsonb) AS e(v) GROUP BY i ORDER BY i`,
  ],
  keys: [
    `SELECT i, k FROM ${KEYED}, jsonb_object_keys(j::jsonb) AS k ORDER BY i, k`,
    `SELECT i, k FROM ${MEMBERS}, jsonb_object_keys((j -> 'o')::jsonb) AS k ORDER BY i, k`,
    `SELECT k, count(*) AS n FROM ${KEYED}, jsonb_object_keys(j::jsonb) AS k GROUP BY k ORDER BY k`,
  ],
  members: [
    `SELECT i, k, v FROM ${KEYED}, jsonb_each_text(j::jsonb) AS e(k, v) ORDER BY i, k`,
    `SELECT i, key, value ->> 'k' AS v, value ->> 1 AS w FROM ${MEMBERS}, json_each(j) ORDER BY i, key`,
    `SELECT e.key, count(*) AS n FROM ${MEMBERS}, jsonb_each(j::jsonb) AS e GROUP BY e.key ORDER BY e.key`,
  ],
  "rows of none": [
    `SELECT i, v FROM ${TEXTS} LEFT JOIN LATERAL jsonb_array_elements_text(j::jsonb) AS e(v) ON TRUE ORDER BY i, v`,
    `SELECT i, count(e.v ->> 'k') AS n FROM ${OBJECTS} LEFT JOIN LATERAL json_array_elements(j) AS e(v) ON TRUE GROUP BY i ORDER BY i`,
  ],
};

/** Answered alike or not at all. */
const RIGHT_OR_REFUSED = [
  `SELECT i, k FROM ${KEYED} LEFT JOIN LATERAL jsonb_object_keys(j::jsonb) AS u(k) ON TRUE ORDER BY i, k`,
  `SELECT i, e.key, e.value FROM ${KEYED} LEFT JOIN LATERAL json_each_text(j) AS e ON TRUE ORDER BY i, e.key`,
  `SELECT i, k FROM ${STRANGE_KEYS}, jsonb_object_keys(j::jsonb) AS k ORDER BY i, k`,
  ...['""', '"a\\"b"', '"c\\\\d"', '"$.x"', '"*"', "\"it''s\"", '"[0]"', '"`"', '"?"', '"a\\u0041"', '"@"'].map(
    (key) => `SELECT k, v FROM ${rows(`{${key}: "x", "b": "y"}`)}, jsonb_each_text(j::jsonb) AS e(k, v) ORDER BY k`,
  ),
  ...[
    "1.5",
    "1.50",
    "1e2",
    "-0",
    "100000000000000000000000",
    "0.1234567890123456789",
    '{"a": 1}',
    "[1]",
    "[]",
    "{}",
  ].flatMap((value) => [
    `SELECT v FROM ${rows(`["x", ${value}]`)}, json_array_elements_text(j) AS v ORDER BY v`,
    `SELECT v FROM ${rows(`["x", ${value}]`)}, jsonb_array_elements_text(j::jsonb) AS v ORDER BY v`,
    `SELECT v FROM ${rows(`{"a": ${value}}`)}, jsonb_each_text(j::jsonb) AS e(k, v)`,
    `SELECT v ->> 'a' AS a FROM ${rows(`[{"a": ${value}}]`)}, jsonb_array_elements(j::jsonb) AS v`,
  ]),
  `SELECT k FROM ${rows('{"a": 1, "b": 2, "a": 3}')}, json_object_keys(j) AS k ORDER BY k`,
  `SELECT k FROM ${rows('{"a": 1, "b": 2, "a": 3}')}, jsonb_object_keys(j::jsonb) AS k ORDER BY k`,
  `SELECT k, v FROM ${rows('{"a": 1, "b": 2, "a": 3}')}, json_each_text(j) AS e(k, v) ORDER BY k, v`,
  `SELECT k, v FROM ${rows('{"a": 1, "b": 2, "a": 3}')}, jsonb_each_text(j::jsonb) AS e(k, v) ORDER BY k, v`,
  `SELECT v FROM ${rows('{"a": ["x"], "b": 2, "a": ["y"]}')}, jsonb_array_elements_text(j::jsonb -> 'a') AS v`,
  `SELECT v ->> 'a' AS v FROM ${rows('[{"a": 1, "a": 3}]')}, json_array_elements(j) AS v`,
  `SELECT i, (SELECT count(*) FROM json_array_elements_text(t.j) AS e) AS n FROM ${TEXTS} ORDER BY i`,
  `SELECT i FROM ${TEXTS} WHERE EXISTS (SELECT 1 FROM json_array_elements_text(t.j) AS e(v) WHERE e.v = 'b') ORDER BY i`,
];

/** They raise in PostgreSQL. */
const RAISED = [
  ...["{}", '{"a": 1}', "1", '"x"', "null", "true"].flatMap((document) => [
    `SELECT v FROM ${rows(document)}, json_array_elements_text(j) AS v`,
    `SELECT v ->> 'a' AS a FROM ${rows(document)}, jsonb_array_elements(j::jsonb) AS v`,
    `SELECT count(*) AS n FROM ${rows(document)}, json_array_elements(j) AS v`,
    `SELECT v FROM ${rows(`{"items": ${document}}`)}, json_array_elements_text(j -> 'items') AS v`,
  ]),
  ...["[]", '["a"]', "1", '"x"', "null", "false"].flatMap((document) => [
    `SELECT k FROM ${rows(document)}, jsonb_object_keys(j::jsonb) AS k`,
    `SELECT k FROM ${rows(`{"o": ${document}}`)}, jsonb_object_keys((j -> 'o')::jsonb) AS k`,
    `SELECT k FROM ${rows(document)}, jsonb_each(j::jsonb) AS e(k, v)`,
    `SELECT k, v FROM ${rows(document)}, json_each_text(j) AS e(k, v)`,
  ]),
];

/** A column of documents for each of their lists: ClickHouse has no literals of JSON. */
function overTables(sql: string): string {
  const found = [...DOCUMENTS.keys()].findIndex((text) => sql.includes(text));
  const [text] = [...DOCUMENTS.keys()].slice(found, found + 1);
  return text === undefined || found < 0 ? sql : sql.replace(text, `d${found} AS t`);
}

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [...DOCUMENTS.keys()].map((_, index) => ({
    name: `d${index}`,
    tableReference: { table: `d${index}` },
    columns: [
      { name: "i", type: "INTEGER" },
      { name: "j", type: "JSON" },
    ],
  })),
});

async function openClickHouseTables(): Promise<OpenedSource> {
  return openClickHouseWith(async ({ query }) => {
    for (const [index, documents] of [...DOCUMENTS.values()].entries()) {
      await query(`CREATE TABLE d${index} (i Int32, j Nullable(String)) ENGINE = MergeTree ORDER BY i`);
      const listed = documents.map((each, place) => {
        const literal = each?.replaceAll("''", "'").replaceAll("\\", "\\\\").replaceAll("'", "\\'");
        return `(${place}, ${literal === undefined ? "NULL" : `'${literal}'`})`;
      });
      await query(`INSERT INTO d${index} VALUES ${listed.join(", ")}`);
    }
  });
}

interface Made {
  readonly source: DataSource;
  /** The query as it is asked there. */
  readonly asked?: (sql: string) => string;
  readonly open: () => Promise<OpenedSource>;
  readonly settings?: PlanSettings;
  /** Groups of `RIGHT`. */
  readonly refused?: readonly string[];
}

const BY_CODE_POINTS = { textOrder: "code points" } as const;
const MADE_ON: Readonly<Partial<Record<OtherEngine, Made>>> = {
  trino: { source: "trino", open: openTrinoTpch },
  mysql: { source: "mysql", open: () => openMySqlTpch("mysql"), settings: BY_CODE_POINTS, refused: ["members"] },
  mariadb: { source: "mysql", open: () => openMySqlTpch("mariadb"), settings: BY_CODE_POINTS, refused: ["members"] },
  spark: { source: "spark", open: openSparkTpch },
  bigquery: { source: "bigquery", open: openGoogleSqlTpch, refused: ["keys", "members"] },
  clickhouse: { source: "clickhouse", open: openClickHouseTables, asked: overTables, refused: ["rows of none"] },
};

let postgres: OpenedSource;
beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres?.close());

const same = (sql: string): string => sql;
const reference = (sql: string) => ask(sql, manifest, "postgres", postgres);

describe.each(Object.entries(MADE_ON))("%s", (name, { source, open, settings, asked = same, refused = [] }) => {
  if (!OTHER_ENGINES.some((each) => each === name)) {
    test.skip("it is not installed here", () => {});
    return;
  }
  let opened: OpenedSource;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());
  const answered = (sql: string) => ask(asked(sql), manifest, source, opened, settings);

  describe.each(Object.entries(RIGHT))("%s", (what, queries) => {
    test.each(queries)("%s", async (sql) => {
      const expected = await reference(sql);
      if ("outcome" in expected) expect.fail(expected.detail);
      const answer = await answered(sql);
      if (refused.includes(what)) expect(answer).toMatchObject({ outcome: "refused" });
      else if ("outcome" in answer) expect.fail(answer.detail);
      else expect(judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
    });
  });

  test.each(RIGHT_OR_REFUSED)("right or refused: %s", async (sql) => {
    const expected = await reference(sql);
    if ("outcome" in expected) expect.fail(expected.detail);
    const answer = await answered(sql);
    if (!("outcome" in answer)) expect(judgeAgainst(expected, answer)).toEqual({ outcome: "right" });
  });

  test.each(RAISED)("raises: %s", async (sql) => {
    expect(await reference(sql)).toHaveProperty("outcome");
    expect(await answered(sql)).toHaveProperty("outcome");
  });
});
