/** The numbers of a sidecar as it is deployed, with a statement of DuckDB and one that fails behind it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { eventually } from "../../support/eventually.ts";
import { type Playground, playground, statement } from "../duckdb/fixtures.ts";
import { connectorIn, endOfSidecar, SECRET, type SidecarProcess, startSidecar } from "../process.ts";

let ground: Playground;
let sidecar: SidecarProcess;
let url: string;
beforeAll(async () => {
  ground = playground();
  ground.write("data/a.csv", "x\n1\n2\n");
  sidecar = await startSidecar({ FILE_ROOT: ground.root, METRICS_PORT: "0" });
  url = `http://127.0.0.1:${sidecar.log.find(({ event }) => event === "listening")?.metricsPort}`;
});
afterAll(async () => {
  await sidecar.stop();
  ground.remove();
});

async function values(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

describe("GET /metrics", () => {
  it("counts requests by how they end, and says how full the sidecar is", async () => {
    const connector = await connectorIn(sidecar, "local_file", { url: "data" });
    expect(
      await drain(await connector.query(statement('SELECT x FROM "data/a.csv"', "data/a.csv"), patient())),
    ).toHaveLength(2);
    await failureOf(connector.query(plain("SELECT canary7f3a"), patient()));
    await fetch(`${sidecar.url}/v1/query`, { method: "POST" });
    await eventually(async () => {
      const now = await values();
      const ended = (outcome: string, reason: string) =>
        `siskin_sidecar_requests_total{operation="query",source="local_file",outcome="${outcome}",reason="${reason}"}`;
      expect(now.get(ended("complete", ""))).toBe(1);
      expect(now.get(ended("failed", "SOURCE_INVALID_SQL"))).toBe(1);
      expect(now.get('siskin_sidecar_rows_total{source="local_file"}')).toBe(2);
      expect(now.get('siskin_sidecar_refused_total{status="426",reason="SIDECAR_REFUSED"}')).toBe(1);
      expect(now.get('siskin_sidecar_request_duration_seconds_count{operation="query",source="local_file"}')).toBe(2);
      expect(now.get("siskin_sidecar_in_flight")).toBe(0);
      expect(now.get("siskin_sidecar_max_in_flight")).toBe(64);
      expect(now.get('siskin_duckdb_places{state="all"}')).toBe(8);
      expect(now.get('siskin_duckdb_places{state="taken"}')).toBe(0);
      expect(now.get('siskin_duckdb_processes{state="all"}')).toBeGreaterThan(0);
      expect(now.get("siskin_pool_opened_total")).toBe(0);
      expect([...now.keys()].join()).not.toContain("canary7f3a");
    });
  });

  it("is at its own address, and nothing else is there", async () => {
    expect((await fetch(`${sidecar.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${url}/v1/query`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
  });

  it("stops the start in a sentence where its port is taken", async () => {
    const { code, stderr } = await endOfSidecar({ SIDECAR_SECRET: SECRET, METRICS_PORT: new URL(url).port });
    expect([code, stderr]).toEqual([
      78,
      expect.stringMatching(/^The sidecar does not start: METRICS_PORT: .*EADDRINUSE/),
    ]);
  });
});
