/**
 * One PostgreSQL server for a whole vitest run, started by the first test that asks for it and stopped at the end.
 * Test files run in processes of their own, so they ask over a loopback port that this process listens on.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";

/** Address of the service that starts servers on demand; tests read it from here. */
export const TEST_SERVICES = "SISKIN_TEST_SERVICES";

export default async function setup(): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresServer> | undefined;
  const services = createServer((_request, response) => {
    postgres ??= startPostgresServer();
    postgres.then(
      (server) => response.end(JSON.stringify(server)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => services.listen(0, "127.0.0.1", resolve));
  process.env[TEST_SERVICES] = `http://127.0.0.1:${(services.address() as AddressInfo).port}/`;
  return async () => {
    services.close();
    services.closeAllConnections();
    const server = await postgres?.catch(() => undefined);
    await server?.stop();
  };
}
