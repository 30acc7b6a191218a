/** Data sources whose connections prove who asks when they begin, and never with a statement. */
import type { DataSource } from "../planner/plan.ts";

/**
 * What such a server answers to a statement cannot hold a secret of the connection: it only has what its handshake leaves, such as
 * a hash. Neon and PlanetScale take the proof with each request over HTTPS, but an answer with the engine's code comes from behind
 * their gateways.
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
