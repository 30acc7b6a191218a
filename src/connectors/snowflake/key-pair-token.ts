/**
 * Authentication by a token that is signed with the user's own key
 * (https://docs.snowflake.com/developer-guide/sql-api/authenticating).
 */
import { SignJWT } from "jose/jwt/sign";
import { Secret } from "../../guard/secret.ts";
import type { KeyPairLogin, SnowflakeConnection } from "../connection/snowflake.ts";
import { decryptedKey } from "../encrypted-key.ts";
import { rsaFingerprint, rsaSigningKey } from "../rsa-key.ts";

/** Snowflake's maximum; a request ends earlier. */
const LIFETIME_SECONDS = 3600;

/** Rejects with `INVALID_CONNECTION` if the key is not an RSA key. */
export async function keyPairToken({ account, user }: SnowflakeConnection, login: KeyPairLogin): Promise<Secret> {
  // A locator's region and cloud belong only to the host name.
  const [name = ""] = account.split(".");
  const subject = `${name}.${user}`.toUpperCase();
  const privateKey =
    login.passphrase === undefined
      ? login.privateKey
      : await decryptedKey(login.privateKey, login.passphrase, "private_key");
  const [key, fingerprint] = await Promise.all([
    rsaSigningKey(privateKey, "private_key"),
    rsaFingerprint(privateKey, "private_key"),
  ]);
  const now = Math.floor(Date.now() / 1000);
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(`${subject}.SHA256:${fingerprint}`)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key);
  return new Secret(token);
}
