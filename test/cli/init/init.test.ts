/** `siskin init` on PostgreSQL and DuckDB: from an empty directory to a right answer. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { siskin } from "../../support/terminal.ts";
import { judgeInit } from "./judge.ts";
import { type Ddl, SCHEMAS, statementsOf } from "./schemas.ts";

const TYPES = { int: "integer", text: "varchar(60)", amount: "decimal(12,2)", date: "date", flag: "boolean" } as const;
const STANDARD: Ddl = { quote: (name) => `"${name}"`, types: TYPES, hasKeys: true, comments: "statements" };

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "siskin-init-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

const fresh = (): string => mkdtempSync(join(directory, "case-"));

describe("PostgreSQL", () => {
  test.each(SCHEMAS)("$name", async (schema) => {
    const database = await startPostgres();
    try {
      const client = await database.connect();
      for (const sql of statementsOf(schema, STANDARD)) await client.query(sql);
      const environment = { DATABASE_URL: database.url };
      const models = await judgeInit({ schema, directory: fresh(), environment, args: [], hasKeys: true });
      expect(models.size).toBe(schema.tables.length + (schema.view === undefined ? 0 : 1));
      if (schema.name === "pagila") {
        expect(models.get("film_list")).toMatchObject({ read_may_fail: true });
        expect(models.get("film")).toMatchObject({ description: "One row per title.", primary_key: "film_id" });
        expect(models.get("film")?.["columns"]).toContainEqual({
          name: "title",
          type: "VARCHAR",
          not_null: true,
          description: "As on the poster.",
        });
        expect(models.get("film")?.["columns"]).toContainEqual({ name: "rental_rate", type: "DECIMAL(12,2)" });
        expect(models.get("film_actor")).toMatchObject({ primary_key: ["actor_id", "film_id"] });
        expect(models.get("language")).toMatchObject({ unique_keys: [["name"]] });
      }
    } finally {
      await database.stop();
    }
  });

  describe("a database that is not tidy", () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await startPostgres();
      const client = await database.connect();
      await client.query(`
        CREATE SCHEMA a; CREATE SCHEMA "Б";
        CREATE TABLE a.things (id int PRIMARY KEY, "order" int, "ORDER" text, "日本 語" text, "a""b" int, shape point, tags int[]);
        CREATE TABLE "Б".things (id int PRIMARY KEY, thing int REFERENCES a.things);
        CREATE TABLE "Б"."select" (id int PRIMARY KEY REFERENCES "Б".things);
        CREATE VIEW a.no_key AS SELECT id FROM a.things;
        CREATE TABLE a.part (id int PRIMARY KEY, other int); CREATE UNIQUE INDEX ON a.part (other) WHERE id > 3;
        ALTER TABLE a.part ADD FOREIGN KEY (other) REFERENCES a.things (id);
        INSERT INTO a.things (id, "ORDER", "日本 語") VALUES (1, 'x', 'y');
        CREATE ROLE init_reader LOGIN PASSWORD 'reader-secret-9'; GRANT USAGE ON SCHEMA a TO init_reader; GRANT SELECT ON a.part TO init_reader`);
    });
    afterAll(() => database.stop());

    test("names of every script, two schemas and partial keys", async () => {
      const settings = { directory: fresh(), environment: { DATABASE_URL: database.url } };
      expect(await siskin(["init", "p"], settings)).toMatchObject({ code: 0 });
      expect((await siskin(["validate", "--live", "-p", "p"], settings)).err).toContain("p is valid");
      const sql = 'SELECT t.order_2, t."日本_語", t.a_b FROM a_things t';
      expect(await siskin(["query", "-p", "p", "--plain", sql], settings)).toEqual({
        code: 0,
        err: "",
        out: "order_2\t日本_語\ta_b\nx\ty\t\n",
      });
      const { out } = await siskin(["query", "-p", "p", "--plain", "SELECT count(*) AS n FROM part"], settings);
      expect(out).toBe("n\n0\n");
    });

    test("a user without rights to the other tables", async () => {
      const url = new URL(database.url);
      url.username = "init_reader";
      url.password = "reader-secret-9";
      const settings = { directory: fresh(), environment: { DATABASE_URL: url.href } };
      const made = await siskin(["init", "p"], settings);
      expect(made).toMatchObject({ code: 0, err: expect.stringContaining("has no model") });
      expect((await siskin(["validate", "--live", "-p", "p"], settings)).err).toContain("p is valid");
    });

    test("--schema and --tables choose", async () => {
      const settings = { directory: fresh(), environment: { DATABASE_URL: database.url } };
      const made = await siskin(["init", "--schema", "a", "--tables", "p*", "p"], settings);
      expect(made.err).toContain("Wrote 1 models and 0 relationships to p.\n");
    });

    test("a wrong password is not shown", async () => {
      const url = new URL(database.url);
      url.username = "init_reader";
      url.password = "wrong-secret-17";
      const made = await siskin(["init", "p"], { directory: fresh(), environment: { DATABASE_URL: url.href } });
      expect(made.code).toBe(2);
      expect(made.err).toContain("AUTHENTICATION");
      expect(made.err).not.toContain("wrong-secret");
    });
  });
});

describe("DuckDB", () => {
  test.each(SCHEMAS)("$name", async (schema) => {
    const home = fresh();
    const instance = await DuckDBInstance.create(join(home, "shop.duckdb"));
    const connection = await instance.connect();
    for (const sql of statementsOf(schema, STANDARD)) await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    const models = await judgeInit({ schema, directory: home, args: ["--from", "shop.duckdb"], hasKeys: true });
    expect(models.size).toBe(schema.tables.length + (schema.view === undefined ? 0 : 1));
  });
});

describe("files", () => {
  test("--guess proposes as a comment what all rows support, and --sample writes values", async () => {
    const home = fresh();
    mkdirSync(join(home, "data"));
    writeFileSync(join(home, "data/customers.csv"), "id,name\n1,Ann\n2,Ben\n");
    writeFileSync(join(home, "data/stores.csv"), "id,city\n1,Oslo\n1,Rome\n");
    const orders = "id,customer_id,store_id,status\n1,1,1,open\n2,1,1,paid\n3,2,1,paid\n";
    writeFileSync(join(home, "data/orders.csv"), orders);
    writeFileSync(join(home, "data/refunds.csv"), "id,customer_id\n1,9\n");
    const made = await siskin(["init", "--from", "data", "--guess", "--sample", "p"], { directory: home });
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("--sample wrote values of the source") });
    expect(readFileSync(join(home, "p/relationships.yml"), "utf8")).toBe(`relationships:
# Not from a constraint: all 3 values of orders.customer_id are among the 2 unique values of customers.id.
#  - name: orders_customers
#    models: [orders, customers]
#    join_type: MANY_TO_ONE
#    condition: orders.customer_id = customers.id
`);
    const text = readFileSync(join(home, "p/models/orders/metadata.yml"), "utf8");
    expect(text).toContain("      values:\n        - open\n        - paid\n");
    expect(readFileSync(join(home, "p/models/customers/metadata.yml"), "utf8")).not.toContain("Ann");
    expect((await siskin(["validate", "--live", "-p", "p"], { directory: home })).err).toContain("p is valid");
    const open = await siskin(["init", "--from", "data", "q"], { directory: home });
    expect(open.err).toBe("Wrote 4 models and 0 relationships to q.\n");
  });

  test("a directory that cannot be written leaves nothing", async () => {
    const home = fresh();
    writeFileSync(join(home, "t.csv"), "a\n1\n");
    writeFileSync(join(home, "file"), "");
    const made = await siskin(["init", "--from", ".", "file/p"], { directory: home });
    expect(made).toMatchObject({ code: 2, out: "" });
    expect(readdirSync(home).sort()).toEqual(["file", "t.csv"]);
  });
});
