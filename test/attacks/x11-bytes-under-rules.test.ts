/**
 * Comparisons of a caller decide which groups of rows of a Parquet file are fetched. Under a row rule neither whether a
 * statement is refused for its bytes nor the text of the refusal may depend on rows that the rule excludes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { drain, failureOf, patient } from "../connectors/contract.ts";
import { makeWith, playground } from "../sidecar/duckdb/fixtures.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { manifestOf, planned } from "../support/plan.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";

const columns = Object.entries({ id: "bigint", owner: "varchar", amount: "bigint", note: "varchar" }).map(
  ([name, type]) => ({ name, type }),
);
const rule = (condition: string) => [{ name: "r", requiredProperties: [], condition }];
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "mine",
      tableReference: { table: "accounts.parquet" },
      columns,
      rowLevelAccessControls: rule("owner = 'ann'"),
    },
    {
      name: "parted",
      tableReference: { table: "parted/*/*.parquet" },
      columns: [...columns.filter(({ name }) => name !== "owner"), { name: "owner", type: "varchar" }],
      rowLevelAccessControls: rule("owner = 'ann'"),
    },
    {
      name: "texts",
      tableReference: { table: "texts/*/*.csv" },
      columns: [...columns.filter(({ name }) => name === "id" || name === "note"), { name: "year", type: "bigint" }],
      rowLevelAccessControls: rule("id < 1000"),
    },
    { name: "all_rows", tableReference: { table: "accounts.parquet" }, columns },
  ],
});

/** Twelve groups of rows, sorted by amount. Each holds a row of "ann"; all other rows are excluded. */
const rows = (more = "", where = "true"): string => `SELECT i AS id, amount, note ${more} FROM (
  SELECT i, i * 100 + 7 AS amount, repeat(md5(i::VARCHAR), 4) AS note, CASE WHEN i % 2048 = 0 THEN 'ann' ELSE 'bob' END AS owner
  FROM range(24576) t(i)) WHERE ${where} ORDER BY amount`;

const ground = playground();
let sidecar: SidecarProcess;
let server: S3Server;
let connector: Connector;

beforeAll(async () => {
  server = await startS3Server();
  const put = async (key: string, sql: string, format: string): Promise<void> => {
    const path = join(ground.root, "made");
    await makeWith([`COPY (${sql}) TO '${path}' (FORMAT ${format})`]);
    server.objects.set(key, readFileSync(path));
  };
  await put("accounts.parquet", rows(", owner"), "parquet, ROW_GROUP_SIZE 2048");
  for (const owner of ["ann", "bob"]) {
    await put(`parted/owner=${owner}/p.parquet`, rows("", `owner = '${owner}'`), "parquet, ROW_GROUP_SIZE 2048");
  }
  for (const year of [2023, 2024]) {
    await put(`texts/year=${year}/t.csv`, "SELECT i AS id, md5(i::VARCHAR) AS note FROM range(6000) t(i)", "csv");
  }
  sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.1", STORE_STATEMENT_BYTES: "260000" });
  connector = await connectorIn(sidecar, "minio_file", server.connectionInfo());
}, 120_000);
afterAll(async () => {
  await connector?.close();
  await Promise.all([sidecar?.stop(), server?.close()]);
  ground.remove();
});

async function outcome(sql: string): Promise<string> {
  const statement = statementOf(planned(sql, MANIFEST, { source: "minio_file" }));
  try {
    await drain(await connector.query(statement, patient()));
    return "answered";
  } catch {
    const failure = await failureOf(connector.query(statement, patient()));
    return `${failure.reason}: ${failure.message}`;
  }
}

async function outcomes(conditions: readonly string[], model = "mine"): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const condition of conditions) found.add(await outcome(`SELECT note FROM ${model} WHERE ${condition}`));
  return found;
}

describe("bytes under a row rule", () => {
  it.each<[what: string, conditions: readonly string[]]>([
    ["a bound", [0, 100_000, 400_000, 1_000_000, 2_400_000, 9_000_000].map((bound) => `amount >= ${bound}`)],
    ["a value", [7, 107, 99_999_999].map((value) => `amount = ${value}`)],
    ["a list", ["amount IN (7, 2457407)", "amount IN (-1, -2)"]],
    ["a range", ["amount BETWEEN 0 AND 2400000", "amount BETWEEN 5 AND 6"]],
    ["a name", ["owner = 'bob'", "owner = 'nobody'", "owner < 'a'"]],
    ["both sides of the rule", ["id < 0", "id >= 0", "id IS NOT NULL AND amount < 300000"]],
  ])("are the same whatever %s a caller compares with", async (_what, conditions) => {
    expect([...(await outcomes(conditions))]).toHaveLength(1);
  });

  it("are the same for directories that only the caller names", async () => {
    expect([...(await outcomes(["year = 2023", "year >= 2023", "year = 1999"], "texts"))]).toHaveLength(1);
  });

  it("are refused without a number, and with what to do", async () => {
    const statement = statementOf(planned("SELECT note, amount FROM mine", MANIFEST, { source: "minio_file" }));
    const failure = await failureOf(connector.query(statement, patient()));
    expect(failure.reason).toBe("FILES_TOO_LARGE");
    expect(`${failure.message} ${failure.hint}`).not.toMatch(/\d/);
    expect(failure.hint).toMatch(/partition/i);
  });

  it("count what the rule itself leaves, in directories that it names", async () => {
    expect(await outcome("SELECT note FROM parted")).toBe("answered");
    expect(await outcome("SELECT note FROM parted WHERE amount >= 400000")).toBe("answered");
  });

  it("are counted by the caller's comparisons where no rule is", async () => {
    expect(await outcome("SELECT note FROM all_rows WHERE amount < 100000")).toBe("answered");
    expect(await outcome("SELECT note FROM all_rows")).toMatch(/^FILES_TOO_LARGE: .*\d/);
  });
});
