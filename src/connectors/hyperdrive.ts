/** Connections from bindings of a Worker: pools of PostgreSQL connections at the edge. */
import type { DataSource } from "../planner/plan.ts";
import type { ConnectionInfo } from "./connection/connection-info.ts";
import { parsePostgresConnection } from "./connection/postgres.ts";
import { ConnectorFailure } from "./failure.ts";

/**
 * Hyperdrive runs in the same data centre and uses plain PostgreSQL to the Worker; TLS, if any, is between Hyperdrive and the
 * database. It lends a session for one transaction, in which every statement sends its own settings. Only the Worker with the
 * binding can dial it. Throws `INVALID_CONNECTION`.
 */
export function hyperdriveConnection(
  source: DataSource,
  name: unknown,
  bindings: Readonly<Record<string, unknown>>,
): ConnectionInfo {
  if (source !== "postgres") throw wrong("hyperdrive serves dataSource postgres only");
  const binding = typeof name === "string" && Object.hasOwn(bindings, name) && bindings[name];
  if (typeof binding !== "object" || binding === null || !("connectionString" in binding)) {
    throw wrong("hyperdrive does not name a Hyperdrive binding of the Worker");
  }
  // The fields are used, because the connection string contains the password unescaped.
  const { host, port, database, user, password } = binding as Readonly<Record<string, unknown>>;
  return parsePostgresConnection({ host, port, database, user, password, kwargs: { sslmode: "disable" } }).info;
}

function wrong(problem: string): ConnectorFailure {
  return new ConnectorFailure("INVALID_CONNECTION", problem);
}
