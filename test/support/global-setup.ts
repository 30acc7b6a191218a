/**
 * One server of each engine for a whole vitest run, started by the first test that asks for it and stopped at the end.
 * Test files run in processes of their own, so they ask over a loopback port that this process listens on.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startClickHouseServer } from "./clickhouse-server.ts";
import { startMySqlServer } from "./mysql-server.ts";
import { startPostgresServer } from "./postgres-server.ts";
import { startSparkServer } from "./spark-server.ts";
import { startTrinoServer } from "./trino-server.ts";

/** Address of the service that starts servers on demand; tests read it from here, and add the name of an engine. */
export const TEST_SERVICES = "SISKIN_TEST_SERVICES";

interface Stoppable {
  stop(): Promise<void>;
}

const ENGINES: ReadonlyMap<string, () => Promise<Stoppable>> = new Map<string, () => Promise<Stoppable>>([
  ["/postgres", () => startPostgresServer()],
  ["/mysql", () => startMySqlServer("mysql")],
  ["/clickhouse", () => startClickHouseServer()],
  ["/mariadb", () => startMySqlServer("mariadb")],
  ["/spark", () => startSparkServer()],
  ["/trino", () => startTrinoServer()],
]);

export default async function setup(): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Stoppable>>();
  const services = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const name = request.url ?? "";
    const start = ENGINES.get(name);
    const server = started.get(name) ?? start?.() ?? Promise.reject(new Error(`no engine at ${name}`));
    if (start !== undefined) started.set(name, server);
    server.then(
      (running) => response.end(JSON.stringify(running)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => services.listen(0, "127.0.0.1", resolve));
  process.env[TEST_SERVICES] = `http://127.0.0.1:${(services.address() as AddressInfo).port}/`;
  return async () => {
    services.close();
    services.closeAllConnections();
    for (const starting of started.values()) {
      const server = await starting.catch(() => undefined);
      await server?.stop();
    }
  };
}
