/** Statements for DuckDB and files. */
import { manifestOfTable } from "../../support/plan.ts";
import { over, within } from "./group.ts";

export const DUCKDB_TABLE = manifestOfTable({
  x: "varchar",
  n: "decimal(14,4)",
  d: "date",
  c: "timestamp",
  z: "timestamptz",
});

/** Documents; `test/parity/originals/json.ts` and `test/parity/random/documents.ts` run such statements. */
const DOCUMENTS = manifestOfTable({ id: "integer", j: "jsonb", k: "json", name: "text" });

export const DUCKDB = [
  ...over(DUCKDB_TABLE, {
    casts: within("SELECT ", " AS v FROM t", [
      "n::real",
      "12345.6789::real",
      "-12345.6789::real",
      "0.1::real",
      "n::float8",
      "1234567890.1234567::float8",
      "d AT TIME ZONE 'Europe/Oslo'",
      // DuckDB without time zones supports this form, too.
      "d AT TIME ZONE 'UTC'",
      "c AT TIME ZONE 'UTC'",
      "z AT TIME ZONE 'utc'",
      "z AT TIME ZONE 'Europe/Oslo'",
      "z AT TIME ZONE INTERVAL '2 hours'",
      "c AT TIME ZONE INTERVAL '2 hours'",
      "'2024-01-31'::date",
    ]),
  }),
  ...over(DOCUMENTS, {
    "texts of JSON in the short form": [
      "SELECT id FROM t WHERE j ->> 'a' = 'dark'",
      "SELECT id FROM t WHERE j ->> 'a' IN ('x', 'true')",
      "SELECT id FROM t WHERE k ->> 'a' IS NOT NULL",
      "SELECT (j ->> 'a')::int, (k #>> '{a,b}')::boolean, (j ->> 'd')::date, (j ->> 'f')::float FROM t",
      "SELECT id FROM t WHERE name = '1234567890123456789012345'",
    ],
    "texts of JSON in the long form, which another value than a string needs": [
      "SELECT j ->> 'a' FROM t",
      "SELECT id FROM t WHERE j ->> 'a' = '{\"b\": 1}'",
      "SELECT id FROM t WHERE j ->> 'a' = '1.50'",
      "SELECT id FROM t WHERE j ->> 'a' = name",
      "SELECT (j ->> 'a')::numeric FROM t",
    ],
    "texts of JSON that are not supported": [
      "SELECT id FROM t WHERE j @> '{\"a\": 0.1234567890123456789}'",
      "SELECT id FROM t WHERE j = '[12345678901234567]'",
      "SELECT id FROM t WHERE j @> (SELECT j FROM t)",
      "SELECT j - CAST(id AS numeric) FROM t",
    ],
  }),
];

export const POSTGRES = [
  ...over(DOCUMENTS, {
    "json is compared as jsonb": ["SELECT id FROM t WHERE k = '{}' AND k @> '{\"a\": 1}' AND j = '1'"],
  }),
];
