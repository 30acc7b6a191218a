/** One trace through the bundled Worker and the sidecar's process, and what `/ready` of the Worker knows of the sidecar. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { encoded } from "../api/test-app.ts";
import { SECRET, startSidecar } from "../sidecar/process.ts";
import { eventually } from "../support/eventually.ts";
import { startWorker } from "../support/worker.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

it("goes from caller to Worker to sidecar", async () => {
  const sidecar = await startSidecar({ FILE_ROOT: join(import.meta.dirname, "../../examples") });
  try {
    const worker = await startWorker({ AUTH: "none", AUDIT: "on", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
    const ready = await worker.fetch("/ready");
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: "ready", parts: { settings: "ok", connectors: "ok", sidecar: "ok" } },
    ]);

    const manifestStr = encoded({
      models: [
        {
          name: "orders",
          tableReference: { table: "tpch/orders.parquet" },
          columns: [{ name: "o_orderkey", type: "integer" }],
        },
      ],
    });
    const body = {
      sql: "SELECT count(*) AS n FROM orders",
      manifestStr,
      connectionInfo: { url: "/tpch", format: "parquet" },
    };
    const headers = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const response = await worker.post("/v3/connector/local_file/query", body, headers);
    expect([response.status, await response.json()]).toMatchObject([200, { columns: ["n"] }]);

    const lines = () => worker.lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    await eventually(() => {
      expect(lines()).toContainEqual(expect.objectContaining({ event: "audit", traceId: TRACE, rows: 1 }));
    });
    const own = lines().find(({ event, traceId }) => event === "request" && traceId === TRACE);
    expect(own).toMatchObject({ parentId: "00f067aa0ba902b7", phases: { connect: expect.any(Number) } });
    await eventually(() => {
      expect(sidecar.log).toContainEqual(
        expect.objectContaining({ event: "call", traceId: TRACE, parentId: own.spanId, outcome: "complete" }),
      );
    });
  } finally {
    await sidecar.stop();
  }
});

it("wrong settings are told to nobody but the log", async () => {
  const worker = await startWorker({ AUTH: "keys" });
  const ready = await worker.fetch("/ready");
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: "not ready", parts: { settings: "wrong or missing; see the log" } },
  ]);
});
