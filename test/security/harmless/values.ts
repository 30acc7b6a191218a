/** Columns of every kind with the values that make an engine fail if any do: extremes, infinities, odd texts, collations. */

export const KINDS = [
  "boolean",
  "smallint",
  "integer",
  "bigint",
  "decimal",
  "real",
  "double",
  "text",
  "date",
  "time",
  "timetz",
  "timestamp",
  "timestamptz",
  "interval",
  "binary",
  "uuid",
] as const;
export type Kind = (typeof KINDS)[number];

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** In the manifest. */
  readonly type: string;
  /** In the table. */
  readonly sql: string;
  /** SQL of the values; the k-th row holds the k-th of every column, or NULL. */
  readonly values: readonly string[];
}

const column = (name: string, kind: Kind, type: string, values: readonly string[], sql = type): Column => ({
  name,
  kind,
  type,
  sql,
  values,
});

/** The least and the largest of each type: what fails at all fails there, or at zero, or beside it. */
const NUMBERS: readonly Column[] = [
  column("s", "smallint", "SMALLINT", ["-32768", "32767", "0", "-1", "1"]),
  column("i", "integer", "INTEGER", ["-2147483648", "2147483647", "0", "-1", "1", "2"]),
  column("l", "bigint", "BIGINT", ["-9223372036854775808", "9223372036854775807", "0", "-1", "1"]),
  column("p", "decimal", "DECIMAL(18,3)", ["999999999999999.999", "-999999999999999.999", "0", "-0.001"]),
  column("q", "decimal", "DECIMAL(38,10)", [
    "9999999999999999999999999999.9999999999",
    "-9999999999999999999999999999.9999999999",
    "0",
  ]),
  column("r", "decimal", "DECIMAL(38,0)", [
    "99999999999999999999999999999999999999",
    "-99999999999999999999999999999999999999",
    "0",
  ]),
  column("w", "decimal", "DECIMAL(4,4)", ["0.9999", "-0.9999", "0"]),
  column("x", "decimal", "DECIMAL(9,2)", ["9999999.99", "-9999999.99", "0", "-1"]),
  column("g", "real", "REAL", [
    "'3.4028235e38'",
    "'-3.4028235e38'",
    "'1e-45'",
    "0",
    "'NaN'",
    "'Infinity'",
    "'-Infinity'",
  ]),
];

const DOUBLES = [
  "1.7976931348623157e308",
  "-1.7976931348623157e308",
  "5e-324",
  "0",
  "'NaN'",
  "'Infinity'",
  "'-Infinity'",
  "-0.5",
  "2",
];

const TEXTS = [
  "''",
  "'a'",
  "'poison\\'",
  "'%_\\'",
  "'💥ﬃİß e' || chr(769)",
  "repeat('x', 20000)",
  "'infinity'",
  "'9999999999999999999999'",
];
const TIMES = ["'00:00:00'", "'24:00:00'", "'23:59:59.999999'"];
const INTERVALS = [
  "'178956970 years 7 months'",
  "'-178956970 years -8 months'",
  "'2147483647 days'",
  "'-2147483648 days'",
  "'2147483647 hours'",
  "'-2147483647 hours'",
  "'178956970 years 7 months 2147483647 days 2147483647 hours'",
  "'0 days'",
];
const UUIDS = ["'ffffffff-ffff-ffff-ffff-ffffffffffff'", "'00000000-0000-0000-0000-000000000000'"];
const BOOLEANS = ["true", "false"];

/** The longest number that PostgreSQL's numeric holds. */
const NINES = "9".repeat(131072);

/** The columns that every table has for joining and grouping. */
const ROW_NUMBER = "k";

export const POSTGRES_COLUMNS: readonly Column[] = [
  column("o", "boolean", "BOOLEAN", BOOLEANS),
  ...NUMBERS,
  column(
    "n",
    "decimal",
    "DECIMAL",
    ["'NaN'", "'Infinity'", "'-Infinity'", NINES, `-${NINES}`, "0", "1e-16383", "0.5"],
    "numeric",
  ),
  column("f", "double", "DOUBLE", DOUBLES, "double precision"),
  column("t", "text", "VARCHAR", TEXTS, "text"),
  // Two collations that are not the database's own: one of them makes different texts equal, both together conflict.
  // Finding one in the other takes the square of their lengths there.
  column("nd", "text", "VARCHAR", TEXTS.with(5, "repeat('x', 100)"), "text COLLATE siskin_any_case"),
  column("de", "text", "VARCHAR", TEXTS, `text COLLATE "de-x-icu"`),
  column("bp", "text", "VARCHAR", ["'a'", "''", "'poison\\'"], "char(9)"),
  column("d", "date", "DATE", [
    "'infinity'",
    "'-infinity'",
    "'5874897-12-31'",
    "'4714-11-24 BC'",
    "'0001-12-31 BC'",
    "'2024-02-29'",
  ]),
  column("tm", "time", "TIME", TIMES),
  column("tk", "timetz", "TIMETZ", ["'00:00:00+15:59'", "'24:00:00-15:59'"]),
  column("ts", "timestamp", "TIMESTAMP", [
    "'infinity'",
    "'-infinity'",
    "'294276-12-31 23:59:59.999999'",
    "'4714-11-24 00:00:00 BC'",
    "'0001-12-31 23:59:59.5 BC'",
    "'2024-02-29 12:00:00'",
  ]),
  column("tz", "timestamptz", "TIMESTAMPTZ", [
    "'infinity'",
    "'-infinity'",
    "'294276-12-31 23:59:59.999999+00'",
    "'4714-11-24 00:00:00+00 BC'",
    "'2024-02-29 12:00:00+00'",
  ]),
  column("iv", "interval", "INTERVAL", INTERVALS),
  column("y", "binary", "BYTEA", ["'\\xff00'", "''"]),
  column("u", "uuid", "UUID", UUIDS),
];

/** The type `timestamp` of a manifest may be any of DuckDB's four, whose ranges differ. */
const DUCKDB_TIMESTAMPS = [
  ["ts", "TIMESTAMP", "'294247-01-10 04:00:54.775806'", "'290309-12-22 (BC) 00:00:00'"],
  ["tn", "TIMESTAMP_NS", "'2262-04-11 23:47:16.854775806'", "'1677-09-22 00:00:00'"],
  ["tl", "TIMESTAMP_MS", "'294247-01-10 04:00:54'", "'290309-12-22 (BC) 00:00:00'"],
  ["te", "TIMESTAMP_S", "'294247-01-10 04:00:54'", "'290309-12-22 (BC) 00:00:00'"],
] as const;

export const DUCKDB_COLUMNS: readonly Column[] = [
  column("o", "boolean", "BOOLEAN", BOOLEANS),
  ...NUMBERS,
  column("n", "decimal", "DECIMAL(38,37)", [`9.${"9".repeat(37)}`, `-9.${"9".repeat(37)}`, "0"]),
  column("f", "double", "DOUBLE", DOUBLES),
  column("t", "text", "VARCHAR", TEXTS),
  column("nc", "text", "VARCHAR", TEXTS, "VARCHAR COLLATE NOCASE"),
  column("d", "date", "DATE", ["'infinity'", "'-infinity'", "'5881580-07-10'", "'5877642-06-25 (BC)'", "'2024-02-29'"]),
  column("tm", "time", "TIME", TIMES),
  column("tk", "timetz", "TIMETZ", ["'00:00:00+15:59'", "'24:00:00-15:59'"]),
  ...DUCKDB_TIMESTAMPS.map(([name, sql, last, first]) =>
    column(
      name,
      "timestamp",
      "TIMESTAMP",
      [...(sql === "TIMESTAMP" ? ["'infinity'", "'-infinity'"] : []), last, first, "'2024-02-29 12:00:00'"],
      sql,
    ),
  ),
  column("tz", "timestamptz", "TIMESTAMPTZ", [
    "'infinity'",
    "'-infinity'",
    "'294247-01-10 04:00:54.775806+00'",
    "'290309-12-22 (BC) 00:00:00+00'",
    "'2024-02-29 12:00:00+00'",
  ]),
  column("iv", "interval", "INTERVAL", INTERVALS),
  column("y", "binary", "BYTEA", ["'\\xFF\\x00'::BLOB", "''::BLOB"], "BLOB"),
  column("u", "uuid", "UUID", UUIDS),
];

/** Statements that make the table `extremes`. */
export function tableOf(columns: readonly Column[]): readonly string[] {
  const rows = Math.max(...columns.map(({ values }) => values.length)) + 1;
  const definitions = [`${ROW_NUMBER} integer`, ...columns.map(({ name, sql }) => `${name} ${sql}`)];
  return [
    `CREATE TABLE extremes (${definitions.join(", ")})`,
    ...Array.from({ length: rows }, (_row, k) => {
      const values = [String(k), ...columns.map(({ values: own }) => own[k] ?? "NULL")];
      return `INSERT INTO extremes VALUES (${values.join(", ")})`;
    }),
  ];
}

export function manifestDataOf(columns: readonly Column[]): object {
  return {
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "m",
        tableReference: { table: "extremes" },
        columns: [{ name: ROW_NUMBER, type: "INTEGER" }, ...columns.map(({ name, type }) => ({ name, type }))],
      },
    ],
  };
}
