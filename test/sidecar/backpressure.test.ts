/** A million rows to a reader that is slower than the source, over a real connection: how far ahead does the source run? */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSidecarServer, type SidecarServer } from "../../sidecar/server.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { patient, plain } from "../connectors/contract.ts";
import { connectTo, type Playground, playground } from "./duckdb/fixtures.ts";
import { connectorIn } from "./process.ts";

const SECRET = "the secret of the tests, long enough";

let ground: Playground;
let sidecar: SidecarServer;
let url: string;
/** Batches that the engine was asked for. */
let pulled = 0;

beforeAll(async () => {
  ground = playground();
  sidecar = createSidecarServer({
    secrets: [SECRET],
    maxInFlight: 4,
    open: async () => counting(await connectTo(ground)),
    log: () => undefined,
  });
  sidecar.server.listen(0, "127.0.0.1");
  await once(sidecar.server, "listening");
  url = `http://127.0.0.1:${(sidecar.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await sidecar.drain(0);
  ground.remove();
});

function counting(connector: Connector): Connector {
  return {
    capabilities: connector.capabilities,
    dryRun: (...args) => connector.dryRun(...args),
    catalog: (...args) => connector.catalog(...args),
    close: () => connector.close(),
    async query(statement, options) {
      const stream = await connector.query(statement, options);
      const { batches } = stream;
      const next = () => {
        pulled++;
        return batches.next();
      };
      const counted: typeof batches = { ...batches, next, [Symbol.asyncIterator]: () => counted };
      return { columns: stream.columns, batches: counted, close: () => stream.close() };
    },
  };
}

const MILLION = `SELECT i, i * 2 AS b, i::decimal(18, 2) AS c, i::double AS d, 'row number ' || i AS e,
  'a text that is long enough to lie elsewhere ' || i AS f, i % 7 = 0 AS g, date '2024-01-01' + (i % 1000)::int AS h,
  timestamp '2024-01-01' + to_seconds(i) AS j, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS k FROM range(1000000) t(i)`;

describe("a million rows of ten columns", () => {
  it("reach a slow reader whole, with few batches under way at any time", async () => {
    const connector = await connectorIn({ url }, "local_file", {});
    const result = await connector.query(plain(MILLION), patient());
    let rows = 0;
    let received = 0;
    let mostAhead = 0;
    for await (const batch of result.batches) {
      expect([...batch][0]?.[0]).toBe(BigInt(rows));
      rows += batch.length;
      received++;
      // The source gets every chance to run ahead.
      for (let turn = 0; turn < 3; turn++) await nextTurn();
      mostAhead = Math.max(mostAhead, pulled - received);
    }
    expect(rows).toBe(1_000_000);
    expect(received).toBeGreaterThan(400);
    // Capacity of the system's buffers for one connection, at about 200 kB a batch.
    expect(mostAhead).toBeLessThan(64);
  });
});
