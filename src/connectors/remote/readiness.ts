/**
 * Checks a far end: it is reachable, has the same release, and is not shutting down. The request is not signed, because it runs
 * nothing.
 */
import { PROTOCOL_VERSION, VERSION_HEADER } from "./protocol.ts";

export type RemoteState = "ok" | "unreachable" | "of another release" | "draining" | "full";

export async function remoteState(
  url: string,
  fetch: typeof globalThis.fetch,
  timeoutMs: number,
): Promise<RemoteState> {
  try {
    const response = await fetch(new URL("/ready", url), {
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const version = response.headers.get(VERSION_HEADER);
    const body = (await response.text()).slice(0, 200);
    if (version !== null && version !== PROTOCOL_VERSION) return "of another release";
    if (response.status === 503 && version !== null) return body.includes("draining") ? "draining" : "full";
    if (response.status !== 200) return "unreachable";
    return version === null ? "of another release" : "ok";
  } catch {
    return "unreachable";
  }
}
