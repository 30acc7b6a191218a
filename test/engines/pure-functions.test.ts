/** The functions that a source's own list names exist on the real engine, spelt as the list spells them. */
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { drain, patient, plain } from "../connectors/contract.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { startMySql } from "../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { openSparkTables } from "../support/spark.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";

const listOf = (source: DataSource): readonly string[] =>
  [...(targetOf(source).unlisted.pure?.().values() ?? [])].map(({ name }) => name);

const missing = (source: DataSource, known: ReadonlySet<string>): readonly string[] =>
  listOf(source).filter((name) => !known.has(name));

test("DuckDB", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll("SELECT DISTINCT function_name FROM duckdb_functions()");
  const known = new Set(reader.getRows().map(([name]) => String(name)));
  connection.closeSync();
  instance.closeSync();
  expect(missing("duckdb", known)).toEqual([]);
});

test.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse" : WITHOUT_CLICKHOUSE, async () => {
  const database = await startClickHouse();
  const rows = await database.query("SELECT name FROM system.functions");
  await database.stop();
  const known = new Set(rows.map(([name]) => name ?? ""));
  // The table has no functions with combinators, and the library is built without these.
  const absent = missing("clickhouse", known).filter((name) => !known.has(name.replace(/(If|OrNull|Map)$/, "")));
  expect(absent).toEqual(["idnaDecode", "idnaEncode", "punycodeDecode", "punycodeEncode", "uniqTheta", "BLAKE3"]);
});

test.skipIf(!hasTrino())(hasTrino() ? "Trino" : WITHOUT_TRINO, { timeout: 240_000 }, async () => {
  const schema = await openTrinoSchema();
  const rows = await schema.run("SHOW FUNCTIONS");
  await schema.close();
  expect(missing("trino", new Set(rows.map(([name]) => String(name).toLowerCase())))).toEqual([]);
});

test.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, { timeout: 240_000 }, async () => {
  const { connector, close } = await openSparkTables("default", []);
  const unknown: string[] = [];
  for (const name of listOf("spark")) {
    const failure = await connector.query(plain(`SELECT ${name}()`), patient()).then(
      async (result) => drain(result).then(() => ""),
      (error: Error) => error.message,
    );
    if (/UNRESOLVED_ROUTINE/.test(failure)) unknown.push(name);
  }
  await close();
  expect(unknown).toEqual([]);
});

/** Functions of MariaDB versions after the tested one. */
const LATER = [
  "json_array_intersect",
  "json_key_value",
  "json_object_filter_keys",
  "json_object_to_array",
  "months_between",
  "vec_distance",
  "vec_distance_cosine",
  "vec_distance_euclidean",
  "vec_fromtext",
  "vec_totext",
];

describe("MySQL and MariaDB", () => {
  const absent = new Map<string, readonly string[]>();
  for (const flavor of MYSQL_FLAVORS) {
    test.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), async () => {
      const server = await startMySql(flavor);
      const unknown: string[] = [];
      for (const name of listOf("mysql")) {
        const failure = await server.query(`SELECT ${name}()`).then(
          () => "",
          (error: Error) => error.message,
        );
        if (/does not exist/.test(failure)) unknown.push(name);
      }
      await server.stop();
      absent.set(flavor, unknown);
      expect(unknown.length).toBeLessThan(listOf("mysql").length / 4);
    });
  }

  test.skipIf(!MYSQL_FLAVORS.every(hasMySql))("each function is on one of them", () => {
    const [first = [], ...others] = [...absent.values()];
    expect(first.filter((name) => others.every((names) => names.includes(name)))).toEqual(LATER);
  });
});
