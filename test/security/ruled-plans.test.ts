/**
 * The cost of a row rule: a fence only where something could raise, and indexes that still answer
 * (docs/decisions/0020-row-rules.md).
 */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manifestOf, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "item",
      tableReference: { schema: "public", table: "item" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "owner", type: "VARCHAR" },
        { name: "amount", type: "VARCHAR" },
        { name: "made", type: "DATE" },
        { name: "half", type: "INTEGER", isCalculated: true, expression: "id / 2" },
      ],
      primaryKey: "id",
      rowLevelAccessControls: [
        {
          name: "own",
          requiredProperties: [{ name: "who", required: true }],
          condition: "owner = @who",
        },
      ],
    },
    {
      name: "part",
      tableReference: { schema: "public", table: "part" },
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "item_id", type: "INTEGER" },
      ],
    },
  ],
});

const session = new Map([["who", "'ann'"]]);
const sqlOf = (sql: string): string => planned(sql, manifest, { source: "postgres", session }).sql;

/** The same over a table of which one hidden row makes the rule fail. */
const failing = (condition: string) =>
  manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "box",
        tableReference: { schema: "public", table: "box" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "item_id", type: "INTEGER" },
          { name: "size", type: "VARCHAR" },
          { name: "word", type: "VARCHAR" },
          { name: "width", type: "INTEGER", isCalculated: true, expression: "CAST(size AS INTEGER)" },
          { name: "parts", type: "part", relationship: "box_part" },
          { name: "whole", type: "item", relationship: "box_item" },
        ],
        rowLevelAccessControls: [{ name: "wide", requiredProperties: [{ name: "least", required: true }], condition }],
      },
      {
        name: "part",
        tableReference: { schema: "public", table: "part" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "item_id", type: "INTEGER" },
          { name: "share", type: "INTEGER", isCalculated: true, expression: "100 / (id - 1)" },
        ],
      },
      {
        name: "item",
        tableReference: { schema: "public", table: "item" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "amount", type: "VARCHAR" },
          { name: "worth", type: "INTEGER", isCalculated: true, expression: "CAST(amount AS INTEGER)" },
        ],
      },
    ],
    relationships: [
      { name: "box_part", models: ["box", "part"], joinType: "ONE_TO_MANY", condition: "box.item_id = part.item_id" },
      { name: "box_item", models: ["box", "item"], joinType: "MANY_TO_ONE", condition: "box.item_id = item.id" },
    ],
  });
const LEAST = new Map([["least", "0"]]);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await startPostgres();
  client = await database.connect();
  await client.query(`CREATE TABLE item AS SELECT g AS id, CASE g % 2 WHEN 0 THEN 'ann' ELSE 'bob' END AS owner,
    CASE g % 2 WHEN 0 THEN g::text ELSE 'secret ' || g END AS amount, date '2020-01-01' + g % 1000 AS made
    FROM generate_series(1, 20000) AS t(g)`);
  await client.query("ALTER TABLE item ADD PRIMARY KEY (id)");
  await client.query("CREATE INDEX item_made ON item (made)");
  await client.query("CREATE TABLE part AS SELECT g AS id, g AS item_id FROM generate_series(1, 20000) AS t(g)");
  await client.query("ALTER TABLE part ADD PRIMARY KEY (id)");
  await client.query("VACUUM ANALYZE item, part");
});

afterAll(async () => {
  await database.stop();
});

describe("a fence stands where something could raise", () => {
  test.each([
    ["nothing", "SELECT id, owner FROM item WHERE id = 4", false],
    ["a join of columns", "SELECT p.id FROM part p JOIN item i ON i.id = p.item_id WHERE p.id = 4", false],
    ["a cast", "SELECT CAST(amount AS integer) FROM item WHERE id = 4", true],
    ["a cast of another relation", "SELECT CAST(p.id AS smallint) FROM part p JOIN item i ON i.id = p.item_id", true],
    ["a division in WHERE", "SELECT id FROM item WHERE 100 / id > 3", true],
    ["a calculated column that divides", "SELECT half FROM item", true],
    ["a division in a subquery", "SELECT id FROM item WHERE id IN (SELECT 10 / id FROM part)", true],
  ])("%s", (_what, sql, fenced) => expect(sqlOf(sql).includes("OFFSET 0")).toBe(fenced));
});

describe("an index answers beside the rule", () => {
  test.each([
    ["the primary key", "SELECT CAST(amount AS integer) AS n FROM item WHERE id = 4", "Index Scan using item_pkey"],
    [
      "a range of dates",
      "SELECT CAST(amount AS integer) AS n FROM item WHERE made BETWEEN DATE '2020-01-05' AND DATE '2020-01-06'",
      "item_made",
    ],
    [
      "a key in a join's condition",
      "SELECT CAST(i.amount AS integer) AS n FROM part p JOIN item i ON i.id = p.item_id AND i.id = 4",
      "Index Scan using item_pkey",
    ],
    [
      "the primary key, without a fence, from another table",
      "SELECT i.amount FROM part p JOIN item i ON i.id = p.item_id WHERE p.id = 4",
      "Index Scan using item_pkey",
    ],
  ])("%s", async (_what, sql, plan) => {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${sqlOf(sql)}`);
    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(plan);
  });

  test("and nothing of a hidden row is cast", async () => {
    const { rows } = await client.query(sqlOf("SELECT count(*) AS n FROM item WHERE CAST(amount AS integer) > 0"));
    expect(rows).toEqual([{ n: "10000" }]);
    await expect(client.query("SELECT count(*) FROM item WHERE CAST(amount AS integer) > 0")).rejects.toThrow("secret");
  });

  test.each([
    ["on the outer side of a join", "SELECT i.half FROM part p LEFT JOIN item i ON i.id = p.item_id WHERE i.id = 4"],
    ["of another relation too", "SELECT i.half FROM part p JOIN item i ON i.id = p.item_id WHERE i.id = p.id"],
    ["with a subquery", "SELECT half FROM item WHERE id = (SELECT max(id) FROM part)"],
    ["that can raise", "SELECT half FROM item WHERE 10 / id = 2"],
    ["of one branch alone", "SELECT half FROM item WHERE id = 4 OR owner = 'bob'"],
  ])("conditions %s stay outside or stay whole", (_what, sql) => {
    const inside = /FROM public\.item AS _b WHERE (.*?) OFFSET 0/.exec(sqlOf(sql))?.[1];
    expect(inside).toMatch(/^_b\.owner = 'ann'( AND \(_b\.id = 4 OR _b\.owner = 'bob'\))?$/);
  });
});

describe("nothing stands beside a rule that can fail", () => {
  beforeAll(async () => {
    await client.query(
      "CREATE TABLE box AS SELECT g AS id, g AS item_id, g::text AS size, 'word' AS word FROM generate_series(2, 50) g",
    );
    await client.query("INSERT INTO box VALUES (1, 1, 'wide', 'CANARY')");
    await client.query("ALTER TABLE box ADD PRIMARY KEY (id)");
    await client.query("ANALYZE box");
  });

  test.each([
    ["a cast", "CAST(size AS INTEGER) > @least"],
    ["a cast in one part", "id > @least AND CAST(size AS INTEGER) > @least"],
    ["a calculated column", "width > @least"],
    ["a calculated column behind a relationship", "whole.worth > @least"],
    ["an aggregate of what is calculated", "sum(parts.share) > @least"],
    ["a subquery over a calculated column", "item_id IN (SELECT p.share FROM part p)"],
    ["a subquery in FROM of a subquery", "item_id IN (SELECT t.x FROM (SELECT 100 / (id - 1) AS x FROM part) t)"],
    ["a scalar subquery", "id > (SELECT id FROM part WHERE id = 1)"],
  ])("%s", (_what, condition) => {
    const manifest = failing(condition);
    const sqlFor = (word: string) =>
      planned(`SELECT id FROM box WHERE word = '${word}'`, manifest, { source: "postgres", session: LEAST }).sql;
    expect(/FROM public\.box AS _b .*? OFFSET 0/.exec(sqlFor("CANARY"))?.[0]).not.toContain("CANARY");
  });

  test("so that an error says nothing of what was asked for", async () => {
    const manifest = failing("CAST(size AS INTEGER) > @least");
    const failure = async (where: string) => {
      const { sql } = planned(`SELECT id FROM box WHERE ${where}`, manifest, { source: "postgres", session: LEAST });
      return client.query(sql).then(
        () => "none",
        ({ code }: { readonly code: string }) => code,
      );
    };
    expect(await failure("word LIKE 'CANARY%'")).toBe(await failure("word LIKE 'CANARI%'"));
    expect(await failure("id = 1")).toBe(await failure("id = 2"));
  });

  test.each([
    ["columns", "size <> CAST(@least AS VARCHAR)"],
    ["a constant that is cast", "id > CAST(@least AS BIGINT)"],
    ["a column behind a relationship", "whole.amount <> 'x'"],
    ["an aggregate of columns", "sum(parts.item_id) > @least"],
    ["a subquery over columns", "item_id IN (SELECT p.item_id FROM part p WHERE p.id > @least)"],
  ])("beside %s an index still answers", (_what, condition) => {
    const sql = planned("SELECT CAST(size AS INTEGER) FROM box WHERE id = 4", failing(condition), {
      source: "postgres",
      session: LEAST,
    }).sql;
    expect(sql).toMatch(/AND _b\.id = 4 OFFSET 0/);
  });
});

describe("nothing that the modeller's own SQL computes stands beside a rule", () => {
  const coded = manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "coded",
        refSql: "SELECT id, owner, amount AS word, CAST(amount AS integer) AS amount FROM public.item",
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "owner", type: "VARCHAR" },
          { name: "word", type: "VARCHAR" },
          { name: "amount", type: "INTEGER" },
        ],
        rowLevelAccessControls: [
          {
            name: "even",
            requiredProperties: [{ name: "who", required: true }],
            condition: "owner IN (SELECT k.owner FROM keyring k WHERE k.holder = @who)",
          },
        ],
      },
      {
        name: "keyring",
        tableReference: { schema: "public", table: "keyring" },
        columns: [
          { name: "holder", type: "VARCHAR" },
          { name: "owner", type: "VARCHAR" },
        ],
      },
    ],
  });

  beforeAll(async () => {
    await client.query("CREATE TABLE keyring AS SELECT 'ann' AS holder, 'ann' AS owner");
    await client.query("ANALYZE keyring");
  });

  test.each([
    ["amount < 7", [2, 4, 6]],
    ["amount > 0 AND word LIKE 'secret%'", []],
    ["word LIKE 'secret%' AND amount BETWEEN 1 AND 9", []],
    ["amount IN (2, 3) OR amount IS NULL", [2]],
  ])("%s", async (where, rows) => {
    const { sql } = planned(`SELECT id FROM coded WHERE ${where}`, coded, { source: "postgres", session });
    const found = await client.query<{ id: number }>(sql);
    expect(found.rows.map(({ id }) => id).sort()).toEqual(rows);
  });
});
