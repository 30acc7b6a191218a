/**
 * The isolation key decides which calls may share an engine of the service. DuckDB's WASM memory and DuckDB's processes are
 * reused only for equal keys, so a reader that returns memory that it should not read returns at worst data of the same caller.
 */
import { hexText } from "../result/text/hex.ts";

export interface IsolationParts {
  /** The caller's name from authentication. */
  readonly caller: string;
  /** The tenant, in deployments that have several. */
  readonly project?: string;
  /** See `connectionIdentity`. */
  readonly connection: string;
  /** Session properties that access rules of the plan read; undefined if the caller did not set the value. */
  readonly session: ReadonlyMap<string, string | undefined>;
}

/** A SHA-256 digest: the key is sent to other processes, and reveals neither values nor secrets. */
export async function isolationKey({ caller, project, connection, session }: IsolationParts): Promise<string> {
  const values = [...session].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, value ?? null]);
  const text = JSON.stringify(["siskin isolation", caller, project ?? null, connection, values]);
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
