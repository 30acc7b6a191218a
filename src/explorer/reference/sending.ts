/** Sends a request and reads its answer, of which it keeps as much as a page can show. */
import type { MadeRequest } from "./request.ts";

export interface Answered {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly contentType: string;
  /** Undefined if the body is no text. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** The body has more than the page keeps. */
  readonly isCut: boolean;
  readonly milliseconds: number;
}

/** Bytes of a body that the page keeps. */
export const KEPT_BYTES = 256 * 1024;

/** Rejects if the service does not answer, and with the signal's reason. */
export async function send(
  { method, target, headers, body }: MadeRequest,
  { token, signal }: { readonly token: string | undefined; readonly signal: AbortSignal },
): Promise<Answered> {
  const began = performance.now();
  const response = await fetch(target, {
    method,
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as [string, string]]),
    ],
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    cache: "no-store",
    redirect: "error",
  });
  const contentType = response.headers.get("Content-Type") ?? "";
  const { bytes, isCut } = await firstBytes(response);
  const isText = /json|text|csv|xml/.test(contentType);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    contentType,
    text: isText ? new TextDecoder().decode(bytes) : undefined,
    bytes: bytes.length,
    isCut,
    milliseconds: performance.now() - began,
  };
}

/** Closing the body early ends the statement at the source. */
async function firstBytes({ body }: Response): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    pieces.push(value);
    size += value.length;
    if (size <= KEPT_BYTES) continue;
    await reader?.cancel();
    return { bytes: joined(pieces, KEPT_BYTES), isCut: true };
  }
  return { bytes: joined(pieces, size), isCut: false };
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, size - at);
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
