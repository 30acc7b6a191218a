/** The connector of Databricks in the sidecar, at a private host with a certificate of its own authority (`server.ts`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectorIn, SECRET, type SidecarProcess, startSidecar } from "../../sidecar/process.ts";
import { FIXTURES, TEST_CA_PATH } from "../../support/postgres-server.ts";
import { startWorker } from "../../support/worker.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { type FakeWorkspace, startFakeWorkspace } from "./server.ts";

let workspace: FakeWorkspace;
let sidecar: SidecarProcess;
beforeAll(async () => {
  const file = (name: string) => readFileSync(join(FIXTURES, name));
  const tls = { cert: file("test-only-server.crt"), key: file("test-only-server.key") };
  workspace = await startFakeWorkspace(undefined, tls);
  sidecar = await startSidecar({ ALLOWED_HOSTS: "localhost", NODE_EXTRA_CA_CERTS: TEST_CA_PATH });
});
afterAll(async () => {
  await sidecar?.stop();
  await workspace?.close();
});

const fields = () => ({
  serverHostname: workspace.url,
  httpPath: "/sql/1.0/warehouses/1",
  accessToken: "dapitopsecret",
});
const open = (through: SidecarProcess) => connectorIn(through, "databricks", fields());

it("reads parts from the workspace's own host", async () => {
  const connector = await open(sidecar);
  const rows = await drain(await connector.query(plain("SELECT n FROM t /* rows 2500 */"), patient()));
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([2500, [9007199254740993n], [9007199254743492n]]);
  await connector.close();
});

it("cancels a statement whose caller goes", async () => {
  const connector = await open(sidecar);
  const controller = new AbortController();
  const waiting = failureOf(connector.query(plain("SELECT 1"), patient(controller.signal)));
  await expect.poll(() => workspace.asked.at(-1)).toBe("GET /api/2.0/sql/statements/id");
  controller.abort();
  expect((await waiting).reason).toBe("CANCELLED");
  await expect.poll(() => workspace.asked.at(-1), { timeout: 30_000 }).toBe("POST /api/2.0/sql/statements/id/cancel");
  await connector.close();
});

it("asks nothing of a host that is not allowed", async () => {
  const other = await startSidecar({ ALLOWED_HOSTS: "db.example", NODE_EXTRA_CA_CERTS: TEST_CA_PATH });
  try {
    const connector = await open(other);
    const before = workspace.asked.length;
    const failure = await failureOf(connector.query(plain("SELECT 1 /* rows 1 */"), patient()));
    expect(failure.reason).toBe("EGRESS_DENIED");
    expect(workspace.asked).toHaveLength(before);
    await connector.close();
  } finally {
    await other.stop();
  }
});

it("is reached by the whole service", async () => {
  const worker = await startWorker({ AUTH: "none", SIDECAR_URL: sidecar.url, SIDECAR_SECRET: SECRET });
  const ask = (change: object = {}) =>
    worker.post("/v3/connector/databricks/metadata/version", { connectionInfo: { ...fields(), ...change } });
  expect(await (await ask()).json()).toBe("2025.40");
  const refused = await ask({ httpPath: "sql/protocolv1/o/1/cluster" });
  expect([refused.status, await refused.json()]).toMatchObject([422, { errorCode: "INVALID_CONNECTION_INFO" }]);
  const elsewhere = await (await ask({ serverHostname: "https://169.254.169.254" })).json();
  expect(elsewhere).toMatchObject({ message: expect.stringContaining("is a metadata service") });
  expect(JSON.stringify([...sidecar.lines, elsewhere])).not.toContain("dapitopsecret");
});
