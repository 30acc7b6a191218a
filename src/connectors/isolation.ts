/**
 * The isolation key: whose data an engine of ours may hold. DuckDB's WASM memory and DuckDB's processes are used again for
 * equal keys only, so a reader that returns memory it should not read returns data of the same caller at worst.
 */
import { hexText } from "../result/text/hex.ts";

export interface IsolationParts {
  /** The caller as authentication names it. */
  readonly caller: string;
  /** The tenant within a deployment, for deployments that have several. */
  readonly project?: string;
  /** See `connectionIdentity`. */
  readonly connection: string;
  /** Session properties that access rules of the plan read; a value is undefined where the caller set none. */
  readonly session: ReadonlyMap<string, string | undefined>;
}

/** A SHA-256 digest: the key crosses to other processes, and neither a value nor a secret can be read from it. */
export async function isolationKey({ caller, project, connection, session }: IsolationParts): Promise<string> {
  const values = [...session].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, value ?? null]);
  const text = JSON.stringify(["siskin isolation", caller, project ?? null, connection, values]);
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
