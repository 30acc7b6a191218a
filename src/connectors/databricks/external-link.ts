/** Chunks of a result in the storage of the workspace. */
import { storedPart } from "../http/stored-part.ts";
import type { ExternalLink } from "./answers.ts";

/** Maximum size of a chunk; Databricks makes chunks of 20 MiB, and Arrow is read in place. */
const MAX_PART = 40 * 1024 * 1024;

/** In addition to the cloud storages (https://docs.databricks.com/aws/en/security/network/storage). */
const HOSTS = [".cloud.databricks.com", ".gcp.databricks.com", ".azuredatabricks.net"] as const;

/** The chunk, or `expired`. `own` is the connection's origin. Rejects with `ConnectorFailure`. */
export function partOf(
  link: ExternalLink,
  own: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Uint8Array | "expired"> {
  return storedPart(link, { fetch, own, hosts: HOSTS, maxBytes: MAX_PART }, signal);
}
