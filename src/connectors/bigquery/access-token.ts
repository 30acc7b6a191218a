/**
 * Authentication at Google: an access token in return for an assertion that is signed with the service account's key (RFC 7523,
 * https://developers.google.com/identity/protocols/oauth2/service-account). It is used as long as the connector, which lasts for
 * one request. It is always requested from Google's address, whatever the account's file contains.
 */
import { SignJWT } from "jose/jwt/sign";
import { Secret } from "../../guard/secret.ts";
import type { ServiceAccount } from "../connection/service-account.ts";
import { ConnectorFailure } from "../failure.ts";
import { type HttpSource, request } from "../http/request.ts";
import { rsaSigningKey } from "../rsa-key.ts";
import { isJson, jsonOf, MAX_TEXT, notBigQuery } from "./answers.ts";

const ORIGIN = "https://oauth2.googleapis.com";
const ADDRESS = `${ORIGIN}/token`;
const MAX_ANSWER = 64 * 1024;
/** Lifetime of the assertion, which is used at once. */
const LIFETIME_SECONDS = 600;

/** The second scope is for tables over Drive sheets (docs/spec/contract.md#connections), which are only read. */
const SCOPES = "https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/drive.readonly";

/** Rejects with `ConnectorFailure`: `AUTHENTICATION` when Google refuses, `INVALID_CONNECTION` if the key is not an RSA key. */
export async function accessToken(
  account: ServiceAccount,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  scopes = SCOPES,
): Promise<Secret> {
  const source: HttpSource = {
    fetch,
    origins: [ORIGIN],
    maxBytes: MAX_ANSWER,
    isAnswer: isJson,
    quotesRefusals: false,
  };
  const response = await request(source, ADDRESS, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: await assertionBy(account, scopes),
    }).toString(),
    signal,
  });
  const { access_token: token, error, error_description: description } = (await jsonOf(response)) as TokenAnswer;
  if (response.status === 200 && typeof token === "string" && /^[\x21-\x7e]{1,16384}$/.test(token))
    return new Secret(token);
  if (response.status >= 400 && response.status < 500 && typeof error === "string") {
    const said = typeof description === "string" ? `: ${description.slice(0, MAX_TEXT)}` : ".";
    throw new ConnectorFailure("AUTHENTICATION", `Google gave no access token for the service account${said}`, {
      ...(/^\w{1,64}$/.test(error) && { engineCode: error }),
      hint: "Check that the service account and its key exist and are enabled, and that clocks are right.",
    });
  }
  throw notBigQuery("oauth2.googleapis.com did not answer with an access token.");
}

interface TokenAnswer {
  readonly access_token?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

async function assertionBy({ email, keyId, privateKey }: ServiceAccount, scope: string): Promise<string> {
  const key = await rsaSigningKey(privateKey, "credentials");
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(email)
    .setAudience(ADDRESS)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key);
}
