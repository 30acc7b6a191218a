/**
 * Parts of a result that lie in a cloud's storage. Their addresses are an answer's word: they are asked for over HTTPS, at hosts
 * of the clouds' storages or of the connection itself, and without what proves who asks. What is reached by such a name is judged
 * by the runtime's `fetch` as well.
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
  /** Endings of hosts that are the source's, beside the clouds' storages. */
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

/** Storages say by these that an address has expired; the body is in words of theirs. */
const EXPIRED: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** The part, or `expired`. Fails with `ConnectorFailure`. */
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
