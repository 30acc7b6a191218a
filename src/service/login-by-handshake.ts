/** Data sources whose connections authenticate when they start, and never with a statement. */
import type { DataSource } from "../planner/plan.ts";

/**
 * An error of such a server about a statement cannot contain a secret of the connection: the server only has the result of the
 * handshake, such as a hash. Neon and PlanetScale receive the credentials with each request over HTTPS, but an answer with the
 * engine's error code comes from behind their gateways.
 */
const BY_HANDSHAKE: ReadonlySet<DataSource> = new Set<DataSource>([
  "postgres",
  "mysql",
  "doris",
  "mssql",
  "oracle",
  "redshift",
  "canner",
]);

export function provesByHandshake(source: string | undefined): boolean {
  return BY_HANDSHAKE.has(source as DataSource);
}
