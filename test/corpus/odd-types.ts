/**
 * Kinds of columns that real databases have and textbooks leave out: enums, documents, unsigned integers, decimals of many digits, bytes,
 * maps, times with a zone … Each kind has the type and the values of every engine that has it, and questions with one answer on all.
 */

export type OddEngine = "PostgreSQL" | "mysql" | "mariadb" | "ClickHouse" | "DuckDB" | "Trino" | "Spark";

interface OddColumn {
  readonly type: string;
  /** One for each row, as the engine's SQL writes it. The ids are 1, 2 … */
  readonly values: readonly string[];
  /** The type that the manifest declares, where metadata reports none that has the questions' functions. */
  readonly declared?: string;
}

interface OddQuestion {
  readonly sql: string;
  /** Rows as JSON, integers of any width as digits. */
  readonly answer: string;
  /** A part of the message of a refusal, on the engines that refuse. */
  readonly refused?: Readonly<Partial<Record<OddEngine, string>>>;
  /** Another form of the same values. */
  readonly other?: Readonly<Partial<Record<OddEngine, string>>>;
}

interface OddKind {
  readonly kind: string;
  readonly columns: Readonly<Partial<Record<OddEngine, OddColumn>>>;
  readonly questions: readonly OddQuestion[];
}

const column = (type: string, values: readonly string[], declared?: string): OddColumn => ({
  type,
  values,
  ...(declared !== undefined && { declared }),
});

/** Statements that run before the tables are made. */
export const ODD_SETUP: Readonly<Partial<Record<OddEngine, readonly string[]>>> = {
  PostgreSQL: ["CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad')", "CREATE DOMAIN code AS text"],
};

const MOODS = ["'ok'", "'glad'", "'ok'", "NULL"];
const KEY = "'00000000-0000-0000-0000-00000000000";
const UUIDS = [`${KEY}a'`, `${KEY}b'`, `${KEY}a'`, "NULL"];
const DOCUMENTS = [`'{"a": "x", "n": 5}'`, `'{"a": "y", "n": 7, "in": {"b": 1}}'`, "NULL"];
const LARGE = ["18446744073709551615", "1", "9223372036854775808", "NULL"];
const LONG = ["12345678901234567890.0000000001", "-0.5", "NULL"];
const FLAGS = ["TRUE", "FALSE", "TRUE", "NULL"];
const BITS = ["1", "0", "1", "NULL"];

export const ODD_KINDS: readonly OddKind[] = [
  {
    kind: "enum",
    columns: {
      PostgreSQL: column("mood", MOODS),
      mysql: column("ENUM('sad', 'ok', 'glad')", MOODS),
      mariadb: column("ENUM('sad', 'ok', 'glad')", MOODS),
      ClickHouse: column("Nullable(Enum8('sad' = 1, 'ok' = 2, 'glad' = 3))", MOODS),
      DuckDB: column("ENUM('sad', 'ok', 'glad')", MOODS),
    },
    questions: [
      {
        sql: "SELECT v, count(*) AS n FROM t GROUP BY v ORDER BY v",
        answer: '[["glad",1],["ok",2],[null,1]]',
      },
      { sql: "SELECT upper(v) AS x FROM t WHERE v LIKE 'o%' ORDER BY id", answer: '[["OK"],["OK"]]' },
      { sql: "SELECT min(v) AS a, max(v) AS b, count(DISTINCT v) AS n FROM t", answer: '[["glad","ok",2]]' },
      { sql: "SELECT id FROM t WHERE v IN ('glad', 'nope') ORDER BY id", answer: "[[2]]" },
      {
        sql: "SELECT coalesce(v, 'none') || '!' AS x FROM t ORDER BY id",
        answer: '[["ok!"],["glad!"],["ok!"],["none!"]]',
      },
      {
        sql: "SELECT CASE WHEN v < 'h' THEN 'early' ELSE v END AS x FROM t WHERE v IS NOT NULL ORDER BY id",
        answer: '[["ok"],["early"],["ok"]]',
      },
    ],
  },
  {
    kind: "uuid",
    columns: {
      PostgreSQL: column("uuid", UUIDS),
      mariadb: column("UUID", UUIDS),
      ClickHouse: column("Nullable(UUID)", UUIDS),
      DuckDB: column("UUID", UUIDS),
      Trino: column(
        "UUID",
        UUIDS.map((value) => (value === "NULL" ? value : `UUID ${value}`)),
      ),
    },
    questions: [
      { sql: `SELECT id FROM t WHERE v = ${KEY}b'`, answer: "[[2]]" },
      {
        sql: `SELECT id FROM t WHERE v IN (${KEY}a', ${KEY}c') ORDER BY id`,
        answer: "[[1],[3]]",
      },
      { sql: "SELECT count(DISTINCT v) AS n, count(v) AS m FROM t", answer: "[[2,3]]" },
      {
        sql: "SELECT right(CAST(v AS VARCHAR), 2) AS x, count(*) AS n FROM t GROUP BY v ORDER BY n DESC, x",
        answer: '[["0a",2],["0b",1],[null,1]]',
      },
      { sql: "SELECT a.id FROM t AS a JOIN t AS b ON a.v = b.v AND a.id < b.id", answer: "[[1]]" },
    ],
  },
  {
    kind: "json",
    columns: {
      PostgreSQL: column("jsonb", DOCUMENTS),
      mysql: column("JSON", DOCUMENTS),
      mariadb: column("JSON", DOCUMENTS, "JSON"),
      ClickHouse: column("Nullable(String)", DOCUMENTS, "JSON"),
      DuckDB: column("JSON", DOCUMENTS),
      Trino: column("VARCHAR", DOCUMENTS, "JSON"),
      Spark: column("STRING", DOCUMENTS, "JSON"),
    },
    questions: [
      { sql: "SELECT v ->> 'a' AS x FROM t ORDER BY id", answer: '[["x"],["y"],[null]]' },
      {
        sql: "SELECT sum(CAST(v ->> 'n' AS INTEGER)) AS x FROM t",
        answer: "[[12]]",
        other: { mysql: '[["12"]]', mariadb: '[["12"]]' },
      },
      { sql: "SELECT id FROM t WHERE v ->> 'a' = 'y'", answer: "[[2]]" },
      { sql: "SELECT v -> 'in' ->> 'b' AS x FROM t WHERE v IS NOT NULL ORDER BY id", answer: '[[null],["1"]]' },
    ],
  },
  {
    kind: "array",
    columns: {
      PostgreSQL: column("integer[]", ["'{1,2,3}'", "'{4}'", "'{}'"], "INTEGER[]"),
      ClickHouse: column("Array(Int32)", ["[1, 2, 3]", "[4]", "[]"], "ARRAY(INTEGER)"),
      DuckDB: column("INTEGER[]", ["[1, 2, 3]", "[4]", "[]"]),
      Trino: column("ARRAY(INTEGER)", ["ARRAY[1, 2, 3]", "ARRAY[4]", "ARRAY[]"], "ARRAY(INTEGER)"),
      Spark: column("ARRAY<INT>", ["array(1, 2, 3)", "array(4)", "array()"], "ARRAY<INT>"),
    },
    questions: [
      { sql: "SELECT v[1] AS x, cardinality(v) AS n FROM t ORDER BY id", answer: "[[1,3],[4,1],[null,0]]" },
      { sql: "SELECT id FROM t WHERE 2 = ANY(v)", answer: "[[1]]" },
      {
        sql: "SELECT t.id, u.x FROM t CROSS JOIN LATERAL unnest(t.v) AS u(x) ORDER BY t.id, u.x",
        answer: "[[1,1],[1,2],[1,3],[2,4]]",
      },
    ],
  },
  {
    kind: "unsigned integer of 64 bits",
    columns: {
      PostgreSQL: column("numeric(20,0)", LARGE, "DECIMAL(20,0)"),
      mysql: column("BIGINT UNSIGNED", LARGE),
      mariadb: column("BIGINT UNSIGNED", LARGE),
      ClickHouse: column("Nullable(UInt64)", LARGE, "UInt64"),
      DuckDB: column("UBIGINT", LARGE, "UBIGINT"),
      Trino: column(
        "DECIMAL(20,0)",
        LARGE.map((value) => (value === "NULL" ? value : `DECIMAL '${value}'`)),
        "DECIMAL(20,0)",
      ),
      Spark: column("DECIMAL(20,0)", LARGE, "DECIMAL(20,0)"),
    },
    questions: [
      { sql: "SELECT id FROM t WHERE v > 9223372036854775807 ORDER BY id", answer: "[[1],[3]]" },
      { sql: "SELECT id FROM t ORDER BY v DESC NULLS LAST", answer: "[[1],[3],[2],[4]]" },
      { sql: "SELECT CAST(sum(v) AS DECIMAL(38,0)) AS x FROM t", answer: '[["27670116110564327424"]]' },
      { sql: "SELECT CAST(v AS VARCHAR) AS x FROM t WHERE id = 1", answer: '[["18446744073709551615"]]' },
    ],
  },
  {
    kind: "decimal of many digits",
    columns: {
      PostgreSQL: column("numeric(40,10)", LONG, "DECIMAL(40,10)"),
      mysql: column("DECIMAL(40,10)", LONG, "DECIMAL(40,10)"),
      mariadb: column("DECIMAL(40,10)", LONG, "DECIMAL(40,10)"),
      ClickHouse: column(
        "Nullable(Decimal256(10))",
        LONG.map((value) => (value === "NULL" ? value : `'${value}'`)),
        "Decimal(76, 10)",
      ),
      DuckDB: column("DECIMAL(38,10)", LONG, "DECIMAL(38,10)"),
      Trino: column(
        "DECIMAL(38,10)",
        LONG.map((value) => (value === "NULL" ? value : `DECIMAL '${value}'`)),
        "DECIMAL(38,10)",
      ),
      Spark: column("DECIMAL(38,10)", LONG, "DECIMAL(38,10)"),
    },
    questions: [
      { sql: "SELECT v FROM t WHERE v > 0", answer: '[["12345678901234567890.0000000001"]]' },
      {
        sql: "SELECT sum(v) AS x FROM t",
        answer: '[["12345678901234567889.5000000001"]]',
        refused: { ClickHouse: "a sum whose digits are not known" },
      },
      { sql: "SELECT id FROM t WHERE v = 12345678901234567890.0000000001", answer: "[[1]]" },
      { sql: "SELECT id FROM t ORDER BY abs(v) NULLS LAST", answer: "[[2],[1],[3]]" },
    ],
  },
  {
    kind: "bytes",
    columns: {
      PostgreSQL: column("bytea", ["'\\x00ff'", "'\\x6162'", "NULL"]),
      mysql: column("VARBINARY(10)", ["x'00ff'", "x'6162'", "NULL"]),
      mariadb: column("VARBINARY(10)", ["x'00ff'", "x'6162'", "NULL"]),
      ClickHouse: column("Nullable(String)", ["unhex('00ff')", "unhex('6162')", "NULL"], "BYTEA"),
      DuckDB: column("BLOB", ["'\\x00\\xFF'", "'ab'", "NULL"]),
      Trino: column("VARBINARY", ["X'00ff'", "X'6162'", "NULL"]),
      Spark: column("BINARY", ["X'00ff'", "X'6162'", "NULL"]),
    },
    questions: [
      { sql: "SELECT v FROM t ORDER BY id", answer: '[["\\\\x00ff"],["\\\\x6162"],[null]]' },
      {
        sql: "SELECT encode(v, 'hex') AS x FROM t ORDER BY id",
        answer: '[["00ff"],["6162"],[null]]',
        refused: { ClickHouse: "the called function" },
      },
      {
        sql: "SELECT octet_length(v) AS n FROM t ORDER BY id",
        answer: "[[2],[2],[null]]",
        refused: { ClickHouse: "octet_length with these arguments" },
      },
      {
        sql: "SELECT id FROM t WHERE v = decode('6162', 'hex')",
        answer: "[[2]]",
        refused: { mysql: "decoded bytes", mariadb: "decoded bytes", ClickHouse: "the called function" },
      },
      { sql: "SELECT count(DISTINCT v) AS n FROM t", answer: "[[2]]" },
    ],
  },
  {
    kind: "boolean",
    columns: {
      PostgreSQL: column("boolean", FLAGS),
      mysql: column("TINYINT(1)", BITS, "BOOLEAN"),
      mariadb: column("TINYINT(1)", BITS, "BOOLEAN"),
      ClickHouse: column("Nullable(Bool)", FLAGS),
      DuckDB: column("BOOLEAN", FLAGS),
      Trino: column("BOOLEAN", FLAGS),
      Spark: column("BOOLEAN", FLAGS),
    },
    questions: [
      { sql: "SELECT v FROM t ORDER BY id", answer: "[[true],[false],[true],[null]]" },
      { sql: "SELECT id FROM t WHERE v ORDER BY id", answer: "[[1],[3]]" },
      { sql: "SELECT id FROM t WHERE v IS NOT TRUE ORDER BY id", answer: "[[2],[4]]" },
      { sql: "SELECT count(*) FILTER (WHERE NOT v) AS n, bool_or(v) AS b FROM t", answer: "[[1,true]]" },
      {
        sql: "SELECT CASE WHEN v THEN 'yes' ELSE 'no' END AS x FROM t ORDER BY id",
        answer: '[["yes"],["no"],["yes"],["no"]]',
      },
    ],
  },
  {
    kind: "bit",
    columns: { mysql: column("BIT(1)", ["b'1'", "b'0'", "NULL"]), mariadb: column("BIT(1)", ["b'1'", "b'0'", "NULL"]) },
    questions: [
      { sql: "SELECT v FROM t ORDER BY id", answer: "[[1],[0],[null]]" },
      { sql: "SELECT sum(v) AS n FROM t", answer: '[["1"]]' },
      { sql: "SELECT id FROM t WHERE v = 1", answer: "[[1]]" },
    ],
  },
  {
    kind: "year",
    columns: { mysql: column("YEAR", ["2024", "1999", "NULL"]), mariadb: column("YEAR", ["2024", "1999", "NULL"]) },
    questions: [
      { sql: "SELECT v + 1 AS x FROM t ORDER BY id", answer: "[[2025],[2000],[null]]" },
      { sql: "SELECT id FROM t WHERE v >= 2000", answer: "[[1]]" },
      { sql: "SELECT max(v) AS x FROM t", answer: "[[2024]]" },
    ],
  },
  {
    kind: "interval",
    columns: {
      PostgreSQL: column("interval", ["'1 day'", "'2 hours'", "NULL"]),
      DuckDB: column("INTERVAL", ["INTERVAL 1 DAY", "INTERVAL 2 HOUR", "NULL"]),
    },
    questions: [
      { sql: "SELECT id FROM t WHERE v > INTERVAL '3 hours'", answer: "[[1]]" },
      {
        sql: "SELECT CAST(TIMESTAMP '2024-02-28 00:00:00' + v AS VARCHAR) AS x FROM t ORDER BY id",
        answer: '[["2024-02-29 00:00:00"],["2024-02-28 02:00:00"],[null]]',
      },
      { sql: "SELECT id FROM t ORDER BY v NULLS LAST", answer: "[[2],[1],[3]]" },
    ],
  },
  {
    kind: "map",
    columns: {
      ClickHouse: column("Map(String, Int32)", ["map('a', 1, 'b', 2)", "map('a', 3)"]),
      DuckDB: column("MAP(VARCHAR, INTEGER)", ["MAP {'a': 1, 'b': 2}", "MAP {'a': 3}"]),
      Trino: column("MAP(VARCHAR, INTEGER)", ["MAP(ARRAY['a', 'b'], ARRAY[1, 2])", "MAP(ARRAY['a'], ARRAY[3])"]),
      Spark: column("MAP<STRING, INT>", ["map('a', 1, 'b', 2)", "map('a', 3)"]),
    },
    questions: [{ sql: "SELECT count(v) AS n FROM t", answer: "[[2]]" }],
  },
  {
    kind: "text of few values",
    columns: {
      PostgreSQL: column("code", ["'a1'", "'B2'", "NULL"]),
      mysql: column("SET('a1', 'B2')", ["'a1'", "'B2'", "NULL"]),
      mariadb: column("SET('a1', 'B2')", ["'a1'", "'B2'", "NULL"]),
      ClickHouse: column("LowCardinality(Nullable(String))", ["'a1'", "'B2'", "NULL"]),
      DuckDB: column("VARCHAR", ["'a1'", "'B2'", "NULL"]),
      Trino: column("CHAR(2)", ["'a1'", "'B2'", "NULL"]),
      Spark: column("CHAR(2)", ["'a1'", "'B2'", "NULL"]),
    },
    questions: [
      { sql: "SELECT lower(v) AS x FROM t ORDER BY id", answer: '[["a1"],["b2"],[null]]' },
      { sql: "SELECT id FROM t WHERE v = 'B2'", answer: "[[2]]" },
      { sql: "SELECT max(upper(v)) AS x FROM t", answer: '[["B2"]]' },
      { sql: "SELECT coalesce(v, '-') || '.' AS x FROM t ORDER BY id", answer: '[["a1."],["B2."],["-."]]' },
    ],
  },
  {
    kind: "text of fixed length",
    columns: {
      PostgreSQL: column("CHAR(3)", ["'a'", "'abc'", "NULL"]),
      mysql: column("CHAR(3)", ["'a'", "'abc'", "NULL"]),
      mariadb: column("CHAR(3)", ["'a'", "'abc'", "NULL"]),
      ClickHouse: column("Nullable(FixedString(3))", ["'a'", "'abc'", "NULL"]),
      DuckDB: column("CHAR(3)", ["'a'", "'abc'", "NULL"]),
      Trino: column("CHAR(3)", ["'a'", "'abc'", "NULL"]),
      // Spark's list of columns calls it a string.
      Spark: column("CHAR(3)", ["'a'", "'abc'", "NULL"], "CHAR(3)"),
    },
    questions: [
      { sql: "SELECT v || '.' AS x, length(v) AS n FROM t ORDER BY id", answer: '[["a.",1],["abc.",3],[null,null]]' },
      { sql: "SELECT id FROM t WHERE v = 'a' OR v IN ('abc', 'b') ORDER BY id", answer: "[[1],[2]]" },
      { sql: "SELECT coalesce(v, '-') || '.' AS x FROM t ORDER BY id", answer: '[["a."],["abc."],["-."]]' },
      { sql: "SELECT max(v) || '.' AS x, count(DISTINCT v) AS n FROM t", answer: '[["abc.",2]]' },
    ],
  },
  {
    kind: "time with zone",
    columns: {
      PostgreSQL: column("timetz", ["'10:00+02'", "'09:00+00'", "NULL"]),
      DuckDB: column("TIMETZ", ["'10:00:00+02'", "'09:00:00+00'", "NULL"]),
      Trino: column("TIME(3) WITH TIME ZONE", ["TIME '10:00:00.000 +02:00'", "TIME '09:00:00.000 +00:00'", "NULL"]),
    },
    questions: [{ sql: "SELECT count(v) AS n FROM t WHERE v IS NOT NULL", answer: "[[2]]" }],
  },
  {
    kind: "timestamp with zone",
    columns: {
      PostgreSQL: column("timestamptz", ["'2024-01-31 23:30:00+00'", "'2024-02-01 01:00:00+02'", "NULL"]),
      mysql: column("TIMESTAMP NULL", ["'2024-01-31 23:30:00'", "'2024-01-31 23:00:00'", "NULL"]),
      mariadb: column("TIMESTAMP NULL", ["'2024-01-31 23:30:00'", "'2024-01-31 23:00:00'", "NULL"]),
      ClickHouse: column("Nullable(DateTime64(3, 'Europe/Berlin'))", [
        "'2024-02-01 00:30:00'",
        "'2024-02-01 00:00:00'",
        "NULL",
      ]),
      DuckDB: column("TIMESTAMPTZ", ["'2024-01-31 23:30:00+00'", "'2024-02-01 01:00:00+02'", "NULL"]),
      Trino: column("TIMESTAMP(3) WITH TIME ZONE", [
        "TIMESTAMP '2024-01-31 23:30:00 UTC'",
        "TIMESTAMP '2024-02-01 01:00:00 +02:00'",
        "NULL",
      ]),
      Spark: column("TIMESTAMP", ["TIMESTAMP '2024-01-31 23:30:00Z'", "TIMESTAMP '2024-02-01 01:00:00+02:00'", "NULL"]),
    },
    questions: [
      { sql: "SELECT extract(hour FROM v) AS h FROM t ORDER BY id", answer: "[[23],[23],[null]]" },
      { sql: "SELECT id FROM t WHERE v < TIMESTAMP WITH TIME ZONE '2024-01-31 23:15:00+00'", answer: "[[2]]" },
      {
        sql: "SELECT CAST(CAST(v AS DATE) AS VARCHAR) AS d, count(*) AS n FROM t GROUP BY CAST(v AS DATE) ORDER BY d",
        answer: '[["2024-01-31",2],[null,1]]',
      },
    ],
  },
];
