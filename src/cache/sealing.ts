/**
 * Names and values as a store sees them (docs/decisions/0032-cache.md). A name is an HMAC over every input of an answer. A value is
 * encrypted and authenticated together with its name, so that a truncated, changed or renamed value cannot be opened. WebCrypto
 * only.
 */
import { compressed, decompressed } from "./compression.ts";

/** Increase when the layout of values changes; values of other versions are not opened. */
const VERSION = 1;
const NONCE_BYTES = 12;
/** Header of the plain text: creation time, and whether the frames are compressed. */
const HEADER_BYTES = 9;
const COMPRESSED = 1;

/** A cached answer. */
export interface CacheEntry {
  /** Milliseconds since 1970, taken before the query started. */
  readonly createdAt: number;
  /** A complete result in frames (`result/encode/frames`). */
  readonly frames: Uint8Array<ArrayBuffer>;
}

/** Derives names and seals entries with one secret. */
export interface Sealer {
  /** The name of an answer that depends on these parts, in their order. */
  nameOf(parts: readonly string[]): Promise<string>;
  seal(name: string, entry: CacheEntry): Promise<Uint8Array<ArrayBuffer>>;
  /** `undefined` for bytes that this secret did not seal under this name; never an error. */
  open(name: string, value: Uint8Array): Promise<CacheEntry | undefined>;
}

/** Keys are derived on first use: an isolate that caches nothing derives none. */
export function createSealer(secret: string): Sealer {
  // Keeps the keys and not their promise: a request must not wait for work that another request started and that may end.
  let keys: Awaited<ReturnType<typeof deriveKeys>> | undefined;
  const derived = async () => {
    keys ??= await deriveKeys(secret);
    return keys;
  };
  return {
    async nameOf(parts) {
      const mac = await crypto.subtle.sign("HMAC", (await derived()).name, lengthPrefixed(parts));
      return `siskin:${VERSION}:${hex(new Uint8Array(mac))}`;
    },
    async seal(name, entry) {
      const shorter = await compressed(entry.frames);
      const body = shorter ?? entry.frames;
      const plain = new Uint8Array(HEADER_BYTES + body.length);
      const header = new DataView(plain.buffer);
      header.setFloat64(0, entry.createdAt);
      header.setUint8(8, shorter === undefined ? 0 : COMPRESSED);
      plain.set(body, HEADER_BYTES);
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const algorithm = { name: "AES-GCM", iv, additionalData: boundTo(name) };
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, (await derived()).value, plain));
      const value = new Uint8Array(1 + NONCE_BYTES + sealed.length);
      value[0] = VERSION;
      value.set(iv, 1);
      value.set(sealed, 1 + NONCE_BYTES);
      return value;
    },
    async open(name, value) {
      if (value[0] !== VERSION) return undefined;
      const iv = value.subarray(1, 1 + NONCE_BYTES);
      const algorithm = { name: "AES-GCM", iv, additionalData: boundTo(name) };
      try {
        const sealed = value.subarray(1 + NONCE_BYTES);
        const plain = new Uint8Array(await crypto.subtle.decrypt(algorithm, (await derived()).value, sealed));
        const header = new DataView(plain.buffer, 0, HEADER_BYTES);
        const body = plain.subarray(HEADER_BYTES);
        const isCompressed = header.getUint8(8) === COMPRESSED;
        return { createdAt: header.getFloat64(0), frames: isCompressed ? await decompressed(body) : body };
      } catch {
        // The value is foreign or damaged: the caller runs the query.
        return undefined;
      }
    },
  };
}

async function deriveKeys(secret: string) {
  const bytes = new TextEncoder().encode(secret);
  const master = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const from = (info: string) => ({
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(0),
    info: new TextEncoder().encode(info),
  });
  const [name, value] = await Promise.all([
    crypto.subtle.deriveKey(from("siskin cache name"), master, { name: "HMAC", hash: "SHA-256", length: 256 }, false, [
      "sign",
    ]),
    crypto.subtle.deriveKey(from("siskin cache value"), master, { name: "AES-GCM", length: 256 }, false, [
      "encrypt",
      "decrypt",
    ]),
  ]);
  return { name, value };
}

function boundTo(name: string): Uint8Array {
  return new TextEncoder().encode(`${VERSION}:${name}`);
}

/** Each part follows its length in bytes, so no two lists give the same bytes, whatever characters they contain. */
function lengthPrefixed(parts: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const encoded = parts.map((part) => encoder.encode(part));
  const whole = new Uint8Array(encoded.reduce((sum, part) => sum + 4 + part.length, 4));
  const view = new DataView(whole.buffer);
  view.setUint32(0, parts.length);
  let at = 4;
  for (const part of encoded) {
    view.setUint32(at, part.length);
    whole.set(part, at + 4);
    at += 4 + part.length;
  }
  return whole;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
