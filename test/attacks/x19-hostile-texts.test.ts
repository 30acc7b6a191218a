/** Texts of others that were read in quadratic or exponential time: servers' errors and types, keys, manifests and statements. */
import { expect, it } from "vitest";
import { type LimitedCall, limitedCall } from "../support/limited-call.ts";
import { plannedText } from "../support/planned-text.ts";

const LONG = 1_000_000;
const interval = (text: string): LimitedCall => ({
  module: "src/planner/intervals.ts",
  name: "parseInterval",
  calls: [[text]],
});

it.each<[what: string, call: LimitedCall]>([
  [
    "a type of Trino: parentheses that do not close",
    { module: "src/connectors/catalog/trino.ts", name: "trinoTypeName", calls: [["(".repeat(LONG)]] },
  ],
  [
    "a type of Athena: parentheses that do not close",
    { module: "src/connectors/catalog/athena.ts", name: "athenaTypeName", calls: [["(".repeat(LONG)]] },
  ],
  [
    "a listing of elements that do not close",
    {
      module: "src/connectors/files/s3/listing.ts",
      name: "readPage",
      calls: [[`<ListBucketResult>${"<Contents>".repeat(LONG)}</ListBucketResult>`, ""]],
    },
  ],
  [
    "an answer of AWS with elements that do not close",
    { module: "src/connectors/aws/xml.ts", name: "insideAll", calls: [["<member>".repeat(LONG), "member"]] },
  ],
  [
    "a private key of blank lines",
    {
      module: "src/connectors/connection/private-key.ts",
      name: "privateKeyOf",
      calls: [["private_key", `a${"\n".repeat(LONG)}a`]],
    },
  ],
  [
    "an error of ClickHouse with line feeds",
    {
      module: "src/connectors/clickhouse/failures.ts",
      name: "parseException",
      calls: [[`Code: 1. DB::Exception: ${"\n".repeat(LONG)}x`]],
    },
  ],
  [
    "an error of Spark with line feeds",
    {
      module: "src/connectors/spark/failures.ts",
      name: "statementFailure",
      calls: [[{ message: `a${"\n".repeat(LONG)}x` }, "SELECT 1", 0]],
    },
  ],
  [
    "a statement for Snowflake with comments",
    {
      module: "src/connectors/snowflake/queries.ts",
      name: "assertQuery",
      calls: [[`SELECT 1 AS ${"/**/".repeat(1000)}x`]],
    },
  ],
  [
    "a statement for SQL Server with brackets that do not close",
    { module: "sidecar/mssql/single-query.ts", name: "checkSingleQuery", calls: [[`SELECT ${"[".repeat(LONG)}`]] },
  ],
  [
    "a statement for Oracle with texts that do not close",
    { module: "sidecar/oracle/single-query.ts", name: "checkSingleQuery", calls: [[`SELECT ${"q'[ ".repeat(LONG)}`]] },
  ],
  [
    "a statement for Oracle with comments that do not close",
    { module: "sidecar/oracle/single-query.ts", name: "checkSingleQuery", calls: [[`SELECT ${"/* ".repeat(LONG)}`]] },
  ],
  ["an interval of many numbers", interval(`P${"11D".repeat(80)}X`)],
  [
    "a regular expression with a set that does not close",
    {
      module: "src/planner/lowering/patterns/pattern-parts.ts",
      name: "parsed",
      calls: [[`[${"\\pK".repeat(1000)}`]],
    },
  ],
  [
    "a path of JSON with blanks",
    {
      module: "src/planner/lowering/json/json-paths.ts",
      name: "pathSteps",
      calls: [[{ kind: "string", value: `{${" ".repeat(LONG)}{}` }]],
    },
  ],
])("%s is read in time", async (_, call) => {
  expect((await limitedCall(call)).kind).toMatch(/^(value|error)$/);
});

it.each([
  ["with blanks", "mysql", `int${" ".repeat(LONG)}x`],
  ["within types", "clickhouse", `${"Nullable(".repeat(LONG)}Int8${")".repeat(LONG)}`],
] as const)("a manifest's type %s is read in time", async (_, source, type) => {
  const models = [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "id", type }] }];
  const text = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
  const call = { module: "test/support/planned-text.ts", name: plannedText.name, calls: [[text, source]] };
  expect(await limitedCall(call)).toEqual({ kind: "value", value: expect.stringContaining("id") });
});
