/**
 * Authentication of the sidecar's clients (docs/decisions/0028-signed-requests.md): HMAC-SHA256 with a shared secret over all parts
 * that decide what a request does, valid for a minute and for one use. Uses WebCrypto, unless a runtime passes a faster
 * implementation.
 */

import { concatenated } from "../../result/bytes.ts";
import { hexText } from "../../result/text/hex.ts";

/** Maximum clock difference, in both directions. */
export const MAX_SKEW_SECONDS = 60;

export const TIMESTAMP_HEADER = "x-siskin-timestamp";
export const NONCE_HEADER = "x-siskin-nonce";
export const SIGNATURE_HEADER = "x-siskin-signature";

/** Identifies the signature scheme; part of each signature. */
const SCHEME = "v2=";

/** The signed parts. `path` and `query` are those of the request line, `query` without its `?`. */
export interface SignedParts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
}

export interface SignatureHeaders {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

/** Hash functions of a runtime; synchronous where that is faster than its thread pool. */
export interface Hashing {
  /** HMAC-SHA256 over the concatenated pieces. */
  mac(secret: string, pieces: readonly Uint8Array[]): Uint8Array | Promise<Uint8Array>;
  /** Whether `mac` is the MAC of `pieces`, in constant time. */
  fits(secret: string, mac: Uint8Array, pieces: readonly Uint8Array[]): boolean | Promise<boolean>;
}

const keys = new Map<string, ReturnType<typeof keyOf>>();
/** A deployment has at most two secrets. */
const MOST_KEYS = 8;

function keyFor(secret: string): ReturnType<typeof keyOf> {
  let key = keys.get(secret);
  if (key === undefined) {
    if (keys.size >= MOST_KEYS) keys.clear();
    key = keyOf(secret);
    keys.set(secret, key);
  }
  return key;
}

const WEB: Hashing = {
  mac: async (secret, pieces) =>
    new Uint8Array(await crypto.subtle.sign("HMAC", await keyFor(secret), concatenated(pieces))),
  fits: async (secret, mac, pieces) => crypto.subtle.verify("HMAC", await keyFor(secret), mac, concatenated(pieces)),
};

/** Headers that prove possession of `secret` for this one request. `now` in milliseconds since 1970. */
export async function sign(secret: string, parts: SignedParts, now: number): Promise<SignatureHeaders> {
  const timestamp = String(Math.floor(now / 1000));
  // 122 random bits from one call into the platform, which returns text.
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const mac = await WEB.mac(secret, covered(parts, timestamp, nonce));
  return { timestamp, nonce, signature: SCHEME + hexText(mac) };
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly because: "unsigned" | "malformed" | "clock" | "signature" | "replayed" | "busy" };

/** Checks the headers alone, before the body of an unauthenticated client is read. */
export function judgeHeaders(headers: Partial<SignatureHeaders>, now: number): Verdict {
  const { timestamp, nonce, signature } = headers;
  if (timestamp === undefined || nonce === undefined || signature === undefined) return refused("unsigned");
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{32}$/.test(nonce) || !/^v2=[0-9a-f]{64}$/.test(signature)) {
    return refused("malformed");
  }
  return Math.abs(now / 1000 - Number(timestamp)) > MAX_SKEW_SECONDS ? refused("clock") : { ok: true };
}

/**
 * Checks a request against every valid secret, in a time that does not depend on which one matches or how closely, and against
 * the nonces seen. Only a valid request uses up its nonce.
 */
export async function verify(
  secrets: readonly string[],
  parts: SignedParts,
  headers: Partial<SignatureHeaders>,
  nonces: NonceWindow,
  now: number,
  hashing: Hashing = WEB,
): Promise<Verdict> {
  const { timestamp = "", nonce = "", signature = "" } = headers;
  const plausible = judgeHeaders(headers, now);
  if (!plausible.ok) return plausible;
  const mac = unhex(signature.slice(SCHEME.length));
  const pieces = covered(parts, timestamp, nonce);
  const fits = await Promise.all(secrets.map((secret) => hashing.fits(secret, mac, pieces)));
  if (!fits.includes(true)) return refused("signature");
  const use = nonces.use(nonce, Number(timestamp) + MAX_SKEW_SECONDS, now / 1000);
  return use === "fresh" ? { ok: true } : refused(use === "used" ? "replayed" : "busy");
}

/**
 * Nonces of the requests that could still be replayed, grouped by the minute of their expiry, so that a whole group is dropped at
 * once. The window is bounded. When it is full, new requests are rejected: dropping nonces early would allow replays.
 */
export class NonceWindow {
  readonly #capacity: number;
  readonly #minutes = new Map<number, Set<string>>();
  #size = 0;

  constructor(capacity = 1_000_000) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  /** Both times in seconds. */
  use(nonce: string, expires: number, now: number): "fresh" | "used" | "full" {
    this.#forget(now);
    const minute = Math.floor(expires / 60);
    const seen = this.#minutes.get(minute);
    if (seen?.has(nonce)) return "used";
    if (this.#size >= this.#capacity) return "full";
    if (seen === undefined) this.#minutes.set(minute, new Set([nonce]));
    else seen.add(nonce);
    this.#size++;
    return "fresh";
  }

  #forget(now: number): void {
    for (const [minute, nonces] of this.#minutes) {
      if ((minute + 1) * 60 > now) continue;
      this.#minutes.delete(minute);
      this.#size -= nonces.size;
    }
  }
}

function refused(because: Extract<Verdict, { ok: false }>["because"]): Verdict {
  return { ok: false, because };
}

/**
 * Each part after its length (texts in code units, the body in bytes), so that no two requests have the same encoding. The body
 * itself is signed and not its digest, which would be another call into the platform's cryptography.
 */
function covered({ method, path, query, body }: SignedParts, timestamp: string, nonce: string): readonly Uint8Array[] {
  let head = "";
  for (const part of ["siskin-v2", method.toUpperCase(), path, query, timestamp, nonce])
    head += `${part.length}:${part},`;
  return [new TextEncoder().encode(`${head}${body.length}:`), body];
}

/** The platforms have no common name for the type of a key. */
function keyOf(secret: string) {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

/** Decodes an even number of hexadecimal digits. */
function unhex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
