/**
 * No member of `connectionInfo` changes how statements over row rules are planned: the operator's setting alone accepts a barrier, and
 * the server's own version alone says whether a proven fence holds on it.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConnection } from "../../src/connectors/sources.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { encoded, planningApp } from "../api/test-app.ts";
import { makeAccount } from "../connectors/bigquery/rest.ts";

/** The page cannot hold a private key. */
const { credentials } = makeAccount();
const PAGE = readFileSync(new URL("../../docs/reference/connections.md", import.meta.url), "utf8");
const EXAMPLES = Object.entries(
  JSON.parse(/## One example[\s\S]*?```json\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "{}") as Record<string, object>,
) as readonly (readonly [DataSource, Readonly<Record<string, unknown>>])[];

const CLAIMS = {
  fenced: true,
  fence: "copied",
  fences: "proven",
  barrier: "offset",
  rowRules: "fenced",
  row_rules: "fenced",
  ROW_RULES: "besteffort",
  bestEffort: true,
  bestEffortSources: ["snowflake"],
  variant: { version: "999" },
  isItself: true,
  server_version: "999",
};

const manifestStr = encoded({
  models: [
    {
      name: "ruled",
      tableReference: { table: "ruled" },
      columns: [{ name: "id", type: "integer" }],
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "id = 1" }],
    },
  ],
});

/** Without the warnings, which name members that are not known. */
function infoOf(source: DataSource, connection: object): unknown {
  try {
    return parseConnection(source, source === "bigquery" ? { ...connection, credentials } : connection).info;
  } catch {
    return "refused";
  }
}

test("there is an example for each source", () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(19);
});

test.each(EXAMPLES)("%s: a claim is not read", (source, connection) => {
  const without = infoOf(source, connection);
  expect(without).not.toBe("refused");
  expect(infoOf(source, { ...connection, ...CLAIMS })).toEqual(without);
  const kwargs = (connection["kwargs"] as object | undefined) ?? {};
  for (const [name, value] of Object.entries(CLAIMS)) {
    const claimed = infoOf(source, { ...connection, kwargs: { ...kwargs, [name]: value } });
    if (claimed !== "refused") expect(claimed).toEqual(without);
  }
});

test.each(["snowflake", "mssql", "oracle", "redshift", "databricks", "bigquery", "doris", "athena", "canner"])(
  "%s: a statement that is refused without a claim is refused with it",
  async (source) => {
    const app = planningApp();
    const example = EXAMPLES.find(([name]) => name === source)?.[1];
    const ask = async (connectionInfo: object): Promise<unknown> => {
      const asked = { sql: "SELECT 1 / id AS n FROM ruled", manifestStr, connectionInfo };
      const answer = await app.post(`/v3/connector/${source}/query`, asked);
      const {
        correlationId: _id,
        timestamp: _at,
        ...body
      } = (await answer.json()) as Readonly<Record<string, unknown>>;
      return { status: answer.status, body, header: answer.headers.get("x-row-rules") };
    };
    const without = await ask({ ...example });
    expect(without).toMatchObject({
      status: 422,
      header: null,
      body: { message: expect.stringContaining("row rules") },
    });
    expect(await ask({ ...example, ...CLAIMS })).toEqual(without);
  },
);
