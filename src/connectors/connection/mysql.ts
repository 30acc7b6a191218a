/** Connection of `mysql` (docs/spec/contract.md#connections). */
import type { CanonicalConnection, ParsedConnection } from "./connection.ts";
import { canonicalMySqlServer, type MySqlServer, type MySqlServerForm, parseMySqlServer } from "./mysql-server.ts";

export interface MySqlConnection extends MySqlServer {
  readonly source: "mysql";
}

const FORM: MySqlServerForm = { schemes: ["mysql", "mariadb"], port: 3306, tls: "require" };

export { mysqlServerShape as mysqlConnectionShape } from "./mysql-server.ts";

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseMySqlConnection(raw: unknown): ParsedConnection<MySqlConnection> {
  const { info, warnings } = parseMySqlServer(raw, FORM);
  return { info: { source: "mysql", ...info }, warnings };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalMySqlConnection(connection: MySqlConnection): CanonicalConnection {
  return canonicalMySqlServer(connection);
}

/** Whether the server belongs to PlanetScale, which is reached over HTTPS. */
export function isServedByPlanetScale({ host }: Pick<MySqlConnection, "host">): boolean {
  return host.endsWith(".psdb.cloud");
}
