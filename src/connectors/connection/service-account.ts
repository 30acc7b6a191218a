/**
 * Credentials of a Google service account: base64 of the JSON file that Google's console creates
 * (docs/spec/contract.md#connections).
 */
import type { Secret } from "../../guard/secret.ts";
import { invalidConnection } from "./connection.ts";
import { privateKeyOf } from "./private-key.ts";

export interface ServiceAccount {
  readonly email: string;
  /** Identifies one of the account's keys. */
  readonly keyId: string | undefined;
  /** Base64 of PKCS#8. */
  readonly privateKey: Secret;
}

/** The token addresses in such files: old and new names of one service. Tokens are always requested from the current one. */
const TOKEN_ADDRESSES: ReadonlySet<unknown> = new Set([
  "https://oauth2.googleapis.com/token",
  "https://accounts.google.com/o/oauth2/token",
  "https://www.googleapis.com/oauth2/v4/token",
]);
const EMAIL = /^[\w.+-]{1,128}@[\w.-]{1,253}$/;
const KEY_ID = /^[\w-]{1,128}$/;

const HOW = "Give base64 of the JSON file that the Google Cloud console hands out for a key of a service account.";

/** Throws `INVALID_CONNECTION`, naming `member` and never a value. */
export function serviceAccountOf(member: string, base64: string): ServiceAccount {
  const json = jsonIn(base64);
  if (json === undefined) throw invalidConnection(member, "is not base64 of JSON", HOW);
  const { type, client_email: email, private_key: key, private_key_id: keyId, token_uri: tokenAddress } = json;
  if (type !== "service_account") {
    throw invalidConnection(member, "is not the file of a service account: its type is another", HOW);
  }
  // A caller who chooses the token address would receive a proof of the key.
  if (tokenAddress != null && !TOKEN_ADDRESSES.has(tokenAddress)) {
    throw invalidConnection(member, "names a token_uri that is not Google's, and no other is asked", HOW);
  }
  const universe = json["universe_domain"];
  if (universe != null && universe !== "googleapis.com") {
    throw invalidConnection(member, "is of another universe_domain than googleapis.com", HOW);
  }
  if (typeof email !== "string" || !EMAIL.test(email)) throw invalidConnection(member, "has no client_email", HOW);
  if (typeof key !== "string" || key === "") throw invalidConnection(member, "has no private_key", HOW);
  return {
    email,
    keyId: typeof keyId === "string" && KEY_ID.test(keyId) ? keyId : undefined,
    privateKey: privateKeyOf(`${member} (private_key)`, key).key,
  };
}

/** The form that `serviceAccountOf` reads. */
export function canonicalServiceAccount({ email, keyId, privateKey }: ServiceAccount): string {
  return btoa(
    JSON.stringify({
      type: "service_account",
      client_email: email,
      ...(keyId !== undefined && { private_key_id: keyId }),
      private_key: privateKey.reveal(),
    }),
  );
}

const MAX_BASE64 = 64 * 1024;

/** A JSON object, or undefined for anything else. */
function jsonIn(base64: string): Readonly<Record<string, unknown>> | undefined {
  const text = base64.replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (text.length > MAX_BASE64) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
    return typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
