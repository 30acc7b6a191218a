/**
 * Decrypts private keys with a passphrase: PKCS#8 by PBES2 (RFC 8018, appendix A; RFC 5958), OpenSSL's format since 1.1.
 * WebCrypto implements PBKDF2 and AES-CBC, but not the format that describes them. Older schemes (DES, scrypt) are refused with a
 * hint.
 */
import { Secret } from "../guard/secret.ts";
import { invalidConnection } from "./connection/connection.ts";

/** OpenSSL uses 2,048, and some users a million; workerd rejects more than 100,000. */
const MOST_ITERATIONS = 100_000;

const [INTEGER, OCTETS, NULL, OBJECT, SEQUENCE] = [0x02, 0x04, 0x05, 0x06, 0x30];

/** Contents of object identifiers, in hexadecimal. */
const PBES2 = "2a864886f70d01050d";
const PBKDF2 = "2a864886f70d01050c";
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ["2a864886f70d0207", "SHA-1"],
  ["2a864886f70d0209", "SHA-256"],
  ["2a864886f70d020a", "SHA-384"],
  ["2a864886f70d020b", "SHA-512"],
]);
const AES_CBC_BITS: ReadonlyMap<string, number> = new Map([
  ["608648016503040102", 128],
  ["608648016503040116", 192],
  ["60864801650304012a", 256],
]);

/** Takes base64 of the encrypted key and returns base64 of PKCS#8. Rejects with `INVALID_CONNECTION`, naming `member`. */
export async function decryptedKey(encrypted: Secret, passphrase: Secret, member: string): Promise<Secret> {
  const { salt, iterations, digest, bits, iv, data } = schemeOf(bytesOf(encrypted), member);
  if (iterations < 1 || iterations > MOST_ITERATIONS) {
    throw invalidConnection(
      member,
      `is encrypted by more than ${MOST_ITERATIONS.toLocaleString("en-US")} iterations`,
      RENEW,
    );
  }
  const words = new TextEncoder().encode(passphrase.reveal());
  const base = await crypto.subtle.importKey("raw", words, "PBKDF2", false, ["deriveKey"]);
  const key = await crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: digest, salt, iterations },
    base,
    { name: "AES-CBC", length: bits },
    false,
    ["decrypt"],
  );
  try {
    const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-CBC", iv }, key, data));
    return new Secret(btoa(String.fromCharCode(...plain)));
  } catch {
    throw invalidConnection(member, "is not decrypted by its passphrase");
  }
}

const RENEW = "Encrypt it anew: openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256 -in key.p8 -out new.p8";

interface Scheme {
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly iterations: number;
  readonly digest: string;
  readonly bits: number;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly data: Uint8Array<ArrayBuffer>;
}

function schemeOf(der: Uint8Array<ArrayBuffer>, member: string): Scheme {
  const other = () => invalidConnection(member, "is encrypted in an unsupported way", RENEW);
  const [info] = valuesIn(der);
  const [algorithm, data] = within(info, SEQUENCE);
  const [scheme, parameters] = within(algorithm, SEQUENCE);
  const [derivation, cipher] = within(parameters, SEQUENCE);
  const [derives, how] = within(derivation, SEQUENCE);
  const [by, iv] = within(cipher, SEQUENCE);
  const [salt, iterations, ...rest] = within(how, SEQUENCE);
  const [digest] = within(
    rest.find(({ tag }) => tag === SEQUENCE),
    SEQUENCE,
  );
  const hash = digest === undefined ? "SHA-1" : DIGESTS.get(identifier(digest));
  const bits = AES_CBC_BITS.get(identifier(by));
  if (identifier(scheme) !== PBES2 || identifier(derives) !== PBKDF2 || hash === undefined || bits === undefined)
    throw other();
  if (salt?.tag !== OCTETS || iterations?.tag !== INTEGER || iv?.tag !== OCTETS || data?.tag !== OCTETS) throw other();
  const count = iterations.content.reduce((sum, byte) => sum * 256 + byte, 0);
  return { salt: salt.content, iterations: count, digest: hash, bits, iv: iv.content, data: data.content };
}

/** A value of DER (ITU-T X.690). */
interface Value {
  readonly tag: number;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Returns no values if one exceeds the end. */
function valuesIn(der: Uint8Array<ArrayBuffer>): readonly Value[] {
  const values: Value[] = [];
  let at = 0;
  while (at < der.length) {
    const [tag = NULL, first = 0] = der.subarray(at);
    const digits = first < 0x80 ? 0 : first - 0x80;
    const start = at + 2 + digits;
    const length = digits === 0 ? first : der.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    if (start + length > der.length) return [];
    values.push({ tag, content: der.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}

const within = (value: Value | undefined, tag: number): readonly Value[] =>
  value?.tag === tag ? valuesIn(value.content) : [];

function identifier(value: Value | undefined): string {
  if (value?.tag !== OBJECT) return "";
  return Array.from(value.content, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const bytesOf = (base64: Secret): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64.reveal()), (character) => character.charCodeAt(0));
