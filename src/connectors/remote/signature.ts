/**
 * Who may ask the sidecar (decisions C6): HMAC-SHA256 with a shared secret over everything that decides what a request
 * does, good for a minute and for one use. WebCrypto, unless a runtime lends something quicker.
 */

import { concatenated } from "../../result/bytes.ts";
import { hexText } from "../../result/text/hex.ts";

/** Clocks may differ by this much, either way. */
export const MAX_SKEW_SECONDS = 60;

export const TIMESTAMP_HEADER = "x-siskin-timestamp";
export const NONCE_HEADER = "x-siskin-nonce";
export const SIGNATURE_HEADER = "x-siskin-signature";

/** How it is made, told with each signature. */
const SCHEME = "v2=";

/** What is signed. `path` and `query` as they stand in the request line, `query` without its `?`. */
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

/** What a runtime computes with; synchronous where that is quicker than a turn through its threads. */
export interface Hashing {
  /** HMAC-SHA256 over the pieces, one behind the other. */
  mac(secret: string, pieces: readonly Uint8Array[]): Uint8Array | Promise<Uint8Array>;
  /** Whether `mac` is that of `pieces`, in time that does not depend on how nearly it is. */
  fits(secret: string, mac: Uint8Array, pieces: readonly Uint8Array[]): boolean | Promise<boolean>;
}

const keys = new Map<string, ReturnType<typeof keyOf>>();
/** A deployment has two secrets at most. */
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
  // 122 random bits, in one call of the platform's that gives them as text.
  const nonce = crypto.randomUUID().replaceAll("-", "");
  const mac = await WEB.mac(secret, covered(parts, timestamp, nonce));
  return { timestamp, nonce, signature: SCHEME + hexText(mac) };
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly because: "unsigned" | "malformed" | "clock" | "signature" | "replayed" | "busy" };

/** What can be told from the headers alone, before a body is read for somebody who has no secret. */
export function judgeHeaders(headers: Partial<SignatureHeaders>, now: number): Verdict {
  const { timestamp, nonce, signature } = headers;
  if (timestamp === undefined || nonce === undefined || signature === undefined) return refused("unsigned");
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{32}$/.test(nonce) || !/^v2=[0-9a-f]{64}$/.test(signature)) {
    return refused("malformed");
  }
  return Math.abs(now / 1000 - Number(timestamp)) > MAX_SKEW_SECONDS ? refused("clock") : { ok: true };
}

/**
 * Checks a request against every secret that is valid, in time that does not depend on which one or how well it fits,
 * and against the nonces seen. Only a request that is good uses its nonce up.
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
 * Nonces of the requests that could still be repeated. Kept by the minute of their expiry, so that forgetting is dropping
 * a set; bounded, and when it is full new requests are refused: forgetting early would let old ones in again.
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
 * Each part behind its length (texts in code units, the body in bytes): no two requests have the same, whatever they hold.
 * The body itself and not its digest, which would be another turn through the platform's cryptography.
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

/** Of an even number of hexadecimal digits. */
function unhex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
