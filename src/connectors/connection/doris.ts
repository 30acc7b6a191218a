/** Connection of `doris`, by the query port of a frontend (docs/spec/contract.md#connections). */
import type { CanonicalConnection, ParsedConnection } from "./connection.ts";
import { canonicalMySqlServer, type MySqlServer, type MySqlServerForm, parseMySqlServer } from "./mysql-server.ts";

export interface DorisConnection extends MySqlServer {
  readonly source: "doris";
}

/**
 * Frontends have no TLS unless an operator enables it (https://doris.apache.org/docs/dev/admin-manual/auth/certificate), so TLS
 * is not required by default. `mysql_native_password` proves a password without sending it.
 */
const FORM: MySqlServerForm = { schemes: ["doris", "mysql"], port: 9030, tls: "prefer" };

export { mysqlServerShape as dorisConnectionShape } from "./mysql-server.ts";

/** `raw` is `connectionInfo` as received; unknown members are warnings. Throws `INVALID_CONNECTION`, naming members only. */
export function parseDorisConnection(raw: unknown): ParsedConnection<DorisConnection> {
  const { info, warnings } = parseMySqlServer(raw, FORM);
  return { info: { source: "doris", ...info }, warnings };
}

/** See `CanonicalConnection`: parses back into an equal connection. */
export function canonicalDorisConnection(connection: DorisConnection): CanonicalConnection {
  return canonicalMySqlServer(connection);
}
