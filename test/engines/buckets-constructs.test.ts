/**
 * Every construct as the sources of buckets plan it, in both places that answer them: by native DuckDB in the sidecar, and by the WASM of
 * the files Worker, which says what it leaves to the sidecar. PostgreSQL's answer to its own plan is the reference.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWasm } from "../../src/connectors/duckdb-wasm/connector.ts";
import { engineInNode } from "../connectors/duckdb-wasm/engine-in-node.ts";
import { CONSTRUCTS } from "../parity/constructs.ts";
import { type Answer, ask, judgeAgainst, type NoAnswer, type Verdict } from "../parity/judge.ts";
import { connectorIn, type SidecarProcess, startSidecar } from "../sidecar/process.ts";
import { manifestOf } from "../support/plan.ts";
import { type S3Server, startS3Server } from "../support/s3-server.ts";
import { shareFor } from "../support/share.ts";
import { type OpenedSource, openPostgres } from "../support/sources.ts";

const withoutTables = manifestOf({ catalog: "c", schema: "s", models: [] });
/** The files Worker's rejection before the first row, for so many statements. */
const ELSEWHERE =
  /^The statement (?:needs DuckDB's extension "(?:icu|json)", which the files Worker has not|takes values of JSON for others)\.$/;
const MOST_ELSEWHERE = 6;

let postgres: OpenedSource;
let server: S3Server;
let sidecar: SidecarProcess;
const places = new Map<string, OpenedSource>();

beforeAll(async () => {
  [postgres, server, sidecar] = await Promise.all([
    openPostgres(),
    startS3Server(),
    startSidecar({ ALLOWED_HOSTS: "127.0.0.1" }),
  ]);
  const inSidecar = await connectorIn(sidecar, "minio_file", server.connectionInfo());
  const engine = await engineInNode();
  const inWorker = openWasm({
    engine,
    identity: async () => "no files",
    format: "parquet",
    find: async () => [],
    list: async () => [],
  });
  for (const [place, connector] of [
    ["the sidecar", inSidecar],
    ["the files Worker", inWorker],
  ] as const)
    places.set(place, { connector, close: () => connector.close() });
}, 120_000);
afterAll(async () => {
  for (const { close } of places.values()) await close();
  await Promise.all([postgres?.close(), sidecar?.stop(), server?.close()]);
});

const elsewhere: string[] = [];

describe.each(["the sidecar", "the files Worker"])("%s", (place) => {
  test.each(
    Object.entries(CONSTRUCTS).map(([name, queries]) => [name, shareFor("duckdb", Object.values(queries))] as const),
  )("%s", async (_, queries) => {
    const faults: string[] = [];
    for (const sql of queries) {
      const expected = await ask(sql, withoutTables, "postgres", postgres);
      const answer = await ask(sql, withoutTables, "minio_file", places.get(place) ?? expect.unreachable());
      const verdict = verdictOf(expected, answer);
      if (verdict.outcome === "right" || verdict.outcome === "refused") continue;
      if (place === "the files Worker" && ELSEWHERE.test(verdict.detail)) elsewhere.push(sql);
      else faults.push(`${verdict.outcome}: ${verdict.detail}\n  ${sql}`);
    }
    expect(faults.join("\n")).toBe("");
  });
});

test("few are left to the sidecar", () => expect(elsewhere.length).toBeLessThanOrEqual(MOST_ELSEWHERE));

function verdictOf(expected: Answer | NoAnswer, answer: Answer | NoAnswer): Verdict {
  if ("outcome" in answer) return answer;
  return "outcome" in expected ? expected : judgeAgainst(expected, answer);
}
