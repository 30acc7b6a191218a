/** The connectors' contract through the whole way: client, signed HTTP, the sidecar's process, frames, and back. */
import { describe } from "vitest";
import { describeConnector } from "../connectors/contract.ts";
import { startMySqlFixture } from "../connectors/mysql/fixture.ts";
import { startPostgresFixture } from "../connectors/postgres/fixture.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../support/mysql-server.ts";
import { DUCKDB_STATEMENTS, playground } from "./duckdb/fixtures.ts";
import { connectorIn, startSidecar } from "./process.ts";

describeConnector("DuckDB in the sidecar", async () => {
  const ground = playground();
  const sidecar = await startSidecar({ FILE_ROOT: ground.root });
  return {
    statements: DUCKDB_STATEMENTS,
    open: () => connectorIn(sidecar, "local_file", { url: "/" }),
    close: async () => {
      await sidecar.stop();
      ground.remove();
    },
  };
});

describeConnector("PostgreSQL in the sidecar", async () => {
  const sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.1,localhost" });
  const fixture = await startPostgresFixture(({ url }) => connectorIn(sidecar, "postgres", { connectionUrl: url }));
  return {
    ...fixture,
    close: async () => {
      await sidecar.stop();
      await fixture.close();
    },
  };
});

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    describeConnector("in the sidecar, under TLS that checks nothing", async () => {
      const sidecar = await startSidecar({ ALLOWED_HOSTS: "127.0.0.1" });
      const fixture = await startMySqlFixture(flavor, ({ port, user, password, database }) =>
        connectorIn(sidecar, "mysql", { host: "localhost", port, user, password, database, sslMode: "ENABLED" }),
      );
      return {
        ...fixture,
        close: async () => {
          await sidecar.stop();
          await fixture.close();
        },
      };
    });
  });
}
