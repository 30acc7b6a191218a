/**
 * Parts of a result in cloud storage. Their addresses come from a response: they are fetched over HTTPS only, from hosts of the
 * cloud storages or of the connection itself, and without credentials. The runtime's `fetch` also checks the address behind each
 * name.
 */
import { ConnectorFailure } from "../failure.ts";
import { request } from "./request.ts";

export interface StoredPart {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StoredPartSource {
  readonly fetch: typeof globalThis.fetch;
  /** The connection's origin. */
  readonly own: string;
  /** Suffixes of hosts that belong to the source, besides the cloud storages. */
  readonly hosts?: readonly string[];
  readonly maxBytes: number;
}

const STORAGES = [
  ".amazonaws.com",
  ".amazonaws.com.cn",
  ".blob.core.windows.net",
  ".dfs.core.windows.net",
  ".blob.storage.azure.net",
  ".blob.core.usgovcloudapi.net",
  ".dfs.core.usgovcloudapi.net",
  ".blob.core.chinacloudapi.cn",
  ".dfs.core.chinacloudapi.cn",
  ".storage.googleapis.com",
] as const;

/** Storages report an expired address by these statuses, with bodies in their own formats. */
const EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** The part, or `expired`. Throws `ConnectorFailure`. */
export async function storedPart(
  { url, headers }: StoredPart,
  { fetch, own, hosts = [], maxBytes }: StoredPartSource,
  signal: AbortSignal,
): Promise<Uint8Array | "expired"> {
  const origin = judgedOrigin(url, own, hosts);
  const isAnswer = (status: number): boolean => status === 200 || EXPIRED.has(status);
  const source = { fetch, origins: [origin], maxBytes, isAnswer, quotesRefusals: false };
  const response = await request(source, url, { headers, signal });
  if (response.status !== 200) {
    await response.body?.cancel().catch(() => undefined);
    return "expired";
  }
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    if (cause instanceof ConnectorFailure || signal.aborted) throw cause;
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", "A part of the rows broke off.", { cause });
  }
}

function judgedOrigin(url: string, own: string, hosts: readonly string[]): string {
  const { origin, protocol, hostname, username, password } = URL.canParse(url) ? new URL(url) : new URL("none:");
  const isStorage =
    hostname === "storage.googleapis.com" || [...STORAGES, ...hosts].some((suffix) => hostname.endsWith(suffix));
  if (protocol === "https:" && username === "" && password === "" && (isStorage || origin === own)) return origin;
  const where = protocol === "https:" ? hostname : "an address that is not of HTTPS";
  throw new ConnectorFailure("EGRESS_DENIED", `The rows lie at ${where}, where none are fetched from.`, {
    hint: "Rows are fetched from the storages of AWS, Azure and Google Cloud, and from the source's own host.",
  });
}
