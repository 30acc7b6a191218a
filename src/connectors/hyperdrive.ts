/** Connections that are bindings of a Worker: pools of PostgreSQL connections at the edge. */
import type { DataSource } from "../planner/plan.ts";
import type { ConnectionInfo } from "./connection/connection.ts";
import { parsePostgresConnection } from "./connection/postgres.ts";
import { ConnectorFailure } from "./failure.ts";

/**
 * Hyperdrive stands in the same data centre and speaks plain PostgreSQL to the Worker; TLS, if any, is between it and the
 * database. It lends a session for one transaction, in which every statement of ours brings its settings along. Only the
 * Worker that has the binding can dial it. Throws `INVALID_CONNECTION`.
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
  // Not its connection string, in which a password stands as it is, slashes and all.
  const { host, port, database, user, password } = binding as Readonly<Record<string, unknown>>;
  return parsePostgresConnection({ host, port, database, user, password, kwargs: { sslmode: "disable" } }).info;
}

function wrong(problem: string): ConnectorFailure {
  return new ConnectorFailure("INVALID_CONNECTION", problem);
}
