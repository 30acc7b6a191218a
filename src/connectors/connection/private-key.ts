/**
 * Private keys of RSA that people paste: PKCS#8, in PEM form or as its base64 alone (RFC 5958). What else such a text may be is
 * told apart by how it begins, so that whoever brings it is told what to do. Whether it is a key is seen when it is imported.
 */
import { Secret } from "../../guard/secret.ts";
import { invalidConnection } from "./connection.ts";

const PEM = /^-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----$/;

/** Tags of DER (ITU-T X.690). */
const INTEGER = 0x02;
const SEQUENCE = 0x30;

/** The key as base64 of PKCS#8, encrypted where a passphrase comes with it that it needs. Throws `INVALID_CONNECTION`, naming `member`. */
export function privateKeyOf(member: string, text: string, passphrase?: Secret): PrivateKey {
  if (text.length > MAX_TEXT) throw notPrivateKey(member);
  // Shells and JSON in JSON leave line ends as two characters.
  const lines = text.replaceAll("\\r", "").replaceAll("\\n", "\n").trim();
  const [, , body = lines] = PEM.exec(lines) ?? [];
  // Headers stand within PEM where OpenSSL has encrypted a key by itself.
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
  // Behind the version stands what kind of key it is; PKCS#1 goes on with numbers.
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
  /** Where the key is encrypted. */
  readonly passphrase: Secret | undefined;
}

const base64Of = (bytes: Uint8Array): Secret => new Secret(btoa(String.fromCharCode(...bytes)));

function notPrivateKey(member: string) {
  return invalidConnection(member, "is not a private key", "Give a key as PKCS#8 in PEM form: BEGIN PRIVATE KEY.");
}

function encrypted(member: string) {
  return invalidConnection(
    member,
    "is an encrypted private key, and nobody here has its passphrase",
    "Give private_key_passphrase where there is one, or decrypt it: openssl pkcs8 -topk8 -nocrypt -in key.p8 -out plain.p8",
  );
}

/** Longer than keys of 16,384 bits are, as base64 alone and with line ends and headers. */
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

/** What the outermost sequence holds, when it is all there is. */
function contentOf(der: Uint8Array): Uint8Array | undefined {
  const [tag, first = 0] = der;
  const digits = first < 0x80 ? 0 : first - 0x80;
  const length = digits === 0 ? first : der.subarray(2, 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  const content = der.subarray(2 + digits);
  return tag === SEQUENCE && content.length === length ? content : undefined;
}
