/** The same connector inside workerd, over `cloudflare:sockets`: what differs there is the wire, TLS, the driver's runtime and the abort. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { TEST_CA_PATH } from "../../support/postgres-server.ts";
import { startTestWorker, type TestWorker } from "../../support/test-worker.ts";
import type { WorkerAnswer, WorkerCall } from "../worker/worker.ts";
import { MYSQL_STATEMENTS, type MySqlFixture, startMySqlFixture } from "./fixture.ts";

let worker: TestWorker;
beforeAll(async () => {
  // Read once, when the module loads: it makes workerd trust the test authority.
  process.env.NODE_EXTRA_CA_CERTS = TEST_CA_PATH;
  worker = await startTestWorker(join(import.meta.dirname, "../worker/wrangler.toml"));
});
afterAll(() => worker?.dispose());

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let fixture: MySqlFixture;
    beforeAll(async () => {
      fixture = await startMySqlFixture(flavor);
    });
    afterAll(() => fixture?.close());

    const info = (change: object = {}) => {
      const { host, port, user, password, database } = fixture.database;
      return { host, port, user, password, database, sslMode: "DISABLED", ...change };
    };
    const call = async (sql: string, change: Partial<WorkerCall> = {}): Promise<WorkerAnswer> => {
      const body: WorkerCall = { source: "mysql", connectionInfo: info(), sql, ...change };
      const response = await worker.fetch("http://worker/", { method: "POST", body: JSON.stringify(body) });
      const text = await response.text();
      expect(response.status, text).toBe(200);
      expect(text).not.toContain(JSON.stringify(fixture.database.password).slice(1, -1));
      return JSON.parse(text);
    };

    it("reads values, after the whole proof of a password", async () => {
      // Nobody has it in the cache: MySQL asks for it under the server's key.
      await fixture.database.query("FLUSH PRIVILEGES");
      expect(
        await call("SELECT 18446744073709551615, 1.10, 'ä𝒳', CAST('2024-07-01 12:00:00' AS DATETIME)"),
      ).toMatchObject({
        ok: true,
        first: ["18446744073709551615n", "1.10", "ä𝒳", "1719835200000000n"],
      });
    });

    it("reads many rows over many reads", async () => {
      expect(await call(MYSQL_STATEMENTS.numbers(100_000))).toMatchObject({ ok: true, rows: 100_000 });
    });

    it("runs many calls at once, each on a connection of its own", async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => call("SELECT CONNECTION_ID()")));
      const numbers = answers.map((answer) => (answer.ok ? String((answer.first as unknown[])[0]) : answer.message));
      expect(new Set(numbers).size).toBe(6);
    });

    it.each(["VERIFY_IDENTITY", "PREFERRED"])("%s with a certificate that is trusted", async (sslMode) => {
      const connectionInfo = info({ host: "localhost", sslMode });
      expect(await call("SHOW STATUS LIKE 'Ssl_version'", { connectionInfo })).toMatchObject({
        ok: true,
        first: ["Ssl_version", "TLSv1.3"],
      });
      expect(await call(MYSQL_STATEMENTS.numbers(50_000), { connectionInfo })).toMatchObject({
        ok: true,
        rows: 50_000,
      });
    });

    it.each<[string, object, string]>([
      ["a certificate for another name", { sslMode: "VERIFY_IDENTITY" }, "TLS_UNTRUSTED"],
      ["unverified TLS", { sslMode: "ENABLED" }, "NEEDS_SIDECAR"],
      ["a wrong password", { password: "wrong" }, "AUTHENTICATION"],
      ["a port that nobody listens on", { port: 1 }, "HOST_UNREACHABLE"],
    ])("%s", async (_name, change, reason) => {
      expect(await call("SELECT 1", { connectionInfo: info(change) })).toMatchObject({ ok: false, reason });
    });

    it("stops the server when it stops pulling", async () => {
      const sql = `${MYSQL_STATEMENTS.endless} /* workerd_stop */`;
      expect(await call(sql, { stopAfter: 5000 })).toMatchObject({ ok: true });
      await expect.poll(() => fixture.running?.("workerd_stop"), { timeout: 30_000 }).toBe(0);
    });

    it.each([
      ["silent", MYSQL_STATEMENTS.stuck],
      ["sending rows", MYSQL_STATEMENTS.endless],
    ])("stops the server within two seconds when the caller goes while it is %s", async (what, statement) => {
      const marker = `workerd_${what.replace(" ", "_")}`;
      expect(await call(`${statement} /* ${marker} */`, { abortAfterMs: 200 })).toMatchObject({ reason: "CANCELLED" });
      await expect.poll(() => fixture.running?.(marker), { timeout: 30_000 }).toBe(0);
    });
  });
}
