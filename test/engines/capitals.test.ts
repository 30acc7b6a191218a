/** upper, lower and initcap of all characters: the real engines against PostgreSQL. */
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClickHouseTestDatabase, startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse } from "../support/clickhouse-server.ts";
import { manifestOfTable, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

const WORDS = [
  ...["straße", "ßa ß", "ẞß", "ﬁne", "ŉ ǰ ΐ", "ᾳᾳ ᾈ", "İstanbul", "IĞDIR", "ΣΑΣ", "ΟΔΥΣΣΕΎΣ ΣΑΣ.", "ιδέα μου", "µm"],
  ...[
    "élan vital",
    "ÉCOLE",
    "e\u0301cole",
    "ǆ x",
    "o'neil 1st ab-cd x_y",
    "  a",
    "",
    "10²m",
    "línea\nÑandú",
    "МОСКВА река",
  ],
];
const CHARACTERS = Array.from({ length: 0x1f000 - 0x20 }, (_, index) => index + 0x20).filter(
  (code) => (code < 0xd800 || code > 0xf8ff) && code !== 0xfeff,
);
const TEXTS = [...WORDS, ...CHARACTERS.map((code) => String.fromCodePoint(code))];

/** Letters that Unicode 15 to 17 gave another capital or small letter: versions of engines differ. */
const NEW_LETTERS = /^[\u019b\u0264\u1c89\u1c8a\ua7cb-\ua7dc\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]$/u;

const MANIFEST = manifestOfTable({ i: "INTEGER", s: "VARCHAR" });
const QUESTIONS = ["upper(s)", "lower(s)", "initcap(s)", "upper(upper(s) || lower(s))"];
const sqlOf = (question: string, source: "postgres" | "duckdb" | "clickhouse"): string =>
  planned(`SELECT i, ${question} AS u FROM t`, MANIFEST, { source }).sql;
const hexOf = (text: string): string => Buffer.from(text).toString("hex");

type Answers = ReadonlyMap<number, string | null>;

describe("capitals and small letters", () => {
  let postgres: TestDatabase;
  let server: ClickHouseTestDatabase;
  const expected = new Map<string, Answers>();
  beforeAll(async () => {
    postgres = await startPostgres();
    const client = await postgres.connect();
    await client.query("CREATE TABLE t (i int, s text)");
    await client.query("INSERT INTO t SELECT i - 1, s FROM unnest($1::text[]) WITH ORDINALITY AS u(s, i)", [TEXTS]);
    await client.query("INSERT INTO t VALUES (-1, NULL)");
    for (const question of QUESTIONS) {
      const { rows } = await client.query<{ i: number; u: string | null }>(sqlOf(question, "postgres"));
      expected.set(question, new Map(rows.map(({ i, u }) => [i, u])));
    }
    if (!hasClickHouse()) return;
    server = await startClickHouse();
    await server.query("CREATE TABLE t (i Int32, s Nullable(String)) ENGINE = Memory");
    for (let at = 0; at < TEXTS.length; at += 5000) {
      const rows = TEXTS.slice(at, at + 5000).map((text, i) => `(${at + i}, unhex('${hexOf(text)}'))`);
      await server.query(`INSERT INTO t VALUES ${rows.join(", ")}`);
    }
    await server.query("INSERT INTO t VALUES (-1, NULL)");
  }, 60_000);
  afterAll(async () => {
    await postgres.stop();
    if (hasClickHouse()) await server.stop();
  });

  function assertEqual(question: string, answers: Answers): void {
    const right = expected.get(question) ?? new Map<number, string | null>();
    expect(answers.size).toBe(TEXTS.length + 1);
    const wrong = [...right].filter(([i, text]) => answers.get(i) !== text && !NEW_LETTERS.test(TEXTS[i] ?? ""));
    expect(wrong.map(([i, text]) => [TEXTS[i], text, answers.get(i)])).toEqual([]);
  }

  test.each(QUESTIONS)("%s on DuckDB", async (question) => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    try {
      await connection.run("CREATE TABLE t (i INTEGER, s VARCHAR)");
      for (let at = 0; at < TEXTS.length; at += 5000) {
        const rows = TEXTS.slice(at, at + 5000).map((text, i) => `(${at + i}, decode(from_hex('${hexOf(text)}')))`);
        await connection.run(`INSERT INTO t VALUES ${rows.join(", ")}`);
      }
      await connection.run("INSERT INTO t VALUES (-1, NULL)");
      const rows = (await connection.runAndReadAll(sqlOf(question, "duckdb"))).getRowsJson();
      assertEqual(question, new Map(rows.map(([i, u]) => [Number(i), u === null ? null : String(u)])));
    } finally {
      connection.closeSync();
    }
  });

  describe.runIf(hasClickHouse())("on ClickHouse", () => {
    test.each(QUESTIONS)("%s", async (question) => {
      const sql = `SELECT i, hex(assumeNotNull(u)), isNull(u) FROM (${sqlOf(question, "clickhouse")})`;
      const rows = await server.query(sql, { session_timezone: "UTC", cast_keep_nullable: "1" });
      const shown = rows.map(([i, hex = "", isNull]) => {
        return [Number(i), isNull === "1" ? null : Buffer.from(hex, "hex").toString()] as const;
      });
      assertEqual(question, new Map(shown));
    });
  });
});
