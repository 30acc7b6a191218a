/**
 * Reads pasted RSA private keys: PKCS#8, in PEM form or as its base64 alone (RFC 5958). Other kinds of keys are recognised by
 * their beginning, so that the error can say what to do. Whether the text is a valid key shows only when it is imported.
 */
import { Secret } from "../../guard/secret.ts";
import { invalidConnection } from "./connection.ts";

const PEM = /^-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----$/;

/** Tags of DER (ITU-T X.690). */
const INTEGER = 0x02;
const SEQUENCE = 0x30;

/** The key as base64 of PKCS#8, encrypted if it comes with a passphrase. Throws `INVALID_CONNECTION`, naming `member`. */
export function privateKeyOf(member: string, text: string, passphrase?: Secret): PrivateKey {
  if (text.length > MAX_TEXT) throw notPrivateKey(member);
  // Shells and nested JSON leave line ends as two characters.
  const lines = text.replaceAll("\\r", "").replaceAll("\\n", "\n").trim();
  const [, , body = lines] = PEM.exec(lines) ?? [];
  // PEM contains headers if OpenSSL has encrypted the key in its own format.
  if (/^[^\S\n\r\u2028\u2029]*(?:Proc-Type|DEK-Info):/m.test(body)) throw encrypted(member);
  const bytes = bytesOf(body.replaceAll(/\s/g, ""));
  const inside = bytes === undefined ? undefined : contentOf(bytes);
  if (bytes !== undefined && inside?.[0] === SEQUENCE) {
    if (passphrase === undefined) throw encrypted(member);
    return { key: base64Of(bytes), passphrase };
  }
  if (bytes === undefined || inside?.[0] !== INTEGER) {
    throw notPrivateKey(member);
  }
  // In PKCS#8 the kind of key follows the version; in PKCS#1 numbers follow.
  if (inside[3] !== SEQUENCE) {
    throw invalidConnection(
      member,
      "is a private key as PKCS#1",
      "Convert it: openssl pkcs8 -topk8 -nocrypt -in key.pem -out key.p8",
    );
  }
  return { key: base64Of(bytes), passphrase: undefined };
}

export interface PrivateKey {
  /** Base64 of PKCS#8. */
  readonly key: Secret;
  /** Present if the key is encrypted. */
  readonly passphrase: Secret | undefined;
}

const base64Of = (bytes: Uint8Array): Secret => new Secret(btoa(String.fromCharCode(...bytes)));

function notPrivateKey(member: string) {
  return invalidConnection(member, "is not a private key", "Give a key as PKCS#8 in PEM form: BEGIN PRIVATE KEY.");
}

function encrypted(member: string) {
  return invalidConnection(
    member,
    "is an encrypted private key, and its passphrase is not configured",
    "Give private_key_passphrase where there is one, or decrypt it: openssl pkcs8 -topk8 -nocrypt -in key.p8 -out plain.p8",
  );
}

/** Limits above the size of keys with 16,384 bits: as base64 alone, and with line ends and headers. */
const MAX_BASE64 = 16 * 1024;
const MAX_TEXT = 64 * 1024;

function bytesOf(base64: string): Uint8Array | undefined {
  if (base64.length > MAX_BASE64 || !/^[\w+/-]+={0,2}$/.test(base64)) return undefined;
  try {
    const binary = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The contents of the outermost sequence, if nothing follows it. */
function contentOf(der: Uint8Array): Uint8Array | undefined {
  const [tag, first = 0] = der;
  const digits = first < 0x80 ? 0 : first - 0x80;
  const length = digits === 0 ? first : der.subarray(2, 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  const content = der.subarray(2 + digits);
  return tag === SEQUENCE && content.length === length ? content : undefined;
}
