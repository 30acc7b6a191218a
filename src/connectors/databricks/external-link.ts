/** Parts of a result, which lie in the storage of the workspace. */
import { storedPart } from "../http/stored-part.ts";
import type { ExternalLink } from "./answers.ts";

/** Of a part; Databricks makes them 20 MiB, and Arrow is read where it lies. */
const MAX_PART = 40 * 1024 * 1024;

/** Beside the clouds' own storages (https://docs.databricks.com/aws/en/security/network/storage). */
const HOSTS = [".cloud.databricks.com", ".gcp.databricks.com", ".azuredatabricks.net"] as const;

/** The part, or `expired`. `own` is the connection's origin. Fails with `ConnectorFailure`. */
export function partOf(
  link: ExternalLink,
  own: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Uint8Array | "expired"> {
  return storedPart(link, { fetch, own, hosts: HOSTS, maxBytes: MAX_PART }, signal);
}
