/** RSA keys for signing requests, in WebCrypto's form. */
import type { Secret } from "../guard/secret.ts";
import { invalidConnection } from "./connection/connection.ts";

const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/**
 * A key for signatures. `privateKey` is base64 of PKCS#8. Rejects with `INVALID_CONNECTION`, naming `member`, if it is not an RSA
 * key.
 */
export async function rsaSigningKey(privateKey: Secret, member: string): Promise<CryptoKey> {
  return imported(privateKey, member, false);
}

/** Base64 of the SHA-256 of the public key, by which Snowflake identifies a key. Rejects as `rsaSigningKey` does. */
export async function rsaFingerprint(privateKey: Secret, member: string): Promise<string> {
  // The type of an exported key depends only on the format, which the platform's types do not express.
  const whole = (await crypto.subtle.exportKey("jwk", await imported(privateKey, member, true))) as JsonWebKey;
  const { kty, n = "", e = "" } = whole;
  const half = await crypto.subtle.importKey("jwk", { kty, n, e }, RS256, true, ["verify"]);
  const spki = (await crypto.subtle.exportKey("spki", half)) as ArrayBuffer;
  const digest = await crypto.subtle.digest("SHA-256", spki);
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

async function imported(privateKey: Secret, member: string, isExtractable: boolean): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(privateKey.reveal()), (character) => character.charCodeAt(0));
  try {
    return await crypto.subtle.importKey("pkcs8", bytes, RS256, isExtractable, ["sign"]);
  } catch {
    throw invalidConnection(member, "has a private key that is not one of RSA");
  }
}
