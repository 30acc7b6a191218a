/**
 * Signs a person in at the issuer by an authorization code with PKCE (RFC 7636). The tokens stay in the memory of the page; the state
 * and the verifier alone are in the tab's storage, from the way out to the way back.
 */
import type { SignInSettings } from "../page-settings.ts";

const KEY = "siskin.sign-in";

interface Begun {
  readonly state: string;
  readonly verifier: string;
  /** Path and question of the page that was left. */
  readonly from: string;
}

interface IssuerAddresses {
  readonly authorization: string;
  readonly token: string;
}

const redirectAddress = (): string => `${location.origin}/explore`;

/** Leaves the page for the issuer's. Rejects if the issuer does not say where that is. */
export async function beginSignIn(settings: SignInSettings): Promise<void> {
  const { authorization } = await addressesOf(settings.issuer);
  const begun: Begun = { state: randomText(), verifier: randomText(), from: location.pathname + location.hash };
  sessionStorage.setItem(KEY, JSON.stringify(begun));
  const address = new URL(authorization);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(begun.verifier));
  for (const [name, value] of Object.entries({
    response_type: "code",
    client_id: settings.clientId,
    redirect_uri: redirectAddress(),
    scope: settings.scopes.join(" "),
    state: begun.state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  })) {
    address.searchParams.set(name, value);
  }
  location.assign(address);
}

/** The token, if the address is the issuer's way back; the address is then that of the page that was left. */
export async function finishSignIn(settings: SignInSettings): Promise<string | undefined> {
  const answer = new URLSearchParams(location.search);
  if (!answer.has("code") && !answer.has("error")) return undefined;
  const begun = begunIn(sessionStorage.getItem(KEY));
  sessionStorage.removeItem(KEY);
  // A code in the address would be shared with it.
  history.replaceState(null, "", begun?.from ?? "/explore");
  if (begun === undefined || answer.get("state") !== begun.state) {
    throw new Error("The sign-in was not begun in this tab, or not by you. Sign in again.");
  }
  const issuer = answer.get("iss");
  if (issuer !== null && issuer !== settings.issuer) throw new Error("Another issuer answered. Sign in again.");
  const error = answer.get("error");
  if (error === "access_denied") throw new Error("The sign-in was denied.");
  if (error !== null) throw new Error(`The issuer refused the sign-in: ${answer.get("error_description") ?? error}`);
  return tokenFor(settings, answer.get("code") ?? "", begun.verifier);
}

async function tokenFor({ issuer, clientId }: SignInSettings, code: string, verifier: string): Promise<string> {
  const { token } = await addressesOf(issuer);
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectAddress(),
    client_id: clientId,
    code_verifier: verifier,
  });
  const answer = await jsonOf(fetch(token, { method: "POST", body, credentials: "omit", cache: "no-store" }));
  const { access_token: accessToken } = answer;
  if (typeof accessToken !== "string" || accessToken === "") {
    const { error_description: description, error } = answer;
    throw new Error(`The issuer gave no token: ${String(description ?? error ?? "its answer has none")}`);
  }
  return accessToken;
}

/** OpenID Connect Discovery. The page's policy allows requests to the issuer's origin alone. */
async function addressesOf(issuer: string): Promise<IssuerAddresses> {
  const known = await jsonOf(
    fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, { credentials: "omit" }),
  );
  const { issuer: named, authorization_endpoint: authorization, token_endpoint: token } = known;
  if (named !== issuer || typeof authorization !== "string" || typeof token !== "string") {
    throw new Error(`The issuer ${issuer} does not describe itself as OpenID Connect Discovery asks.`);
  }
  if (!isWeb(authorization) || new URL(token).origin !== new URL(issuer).origin) {
    throw new Error(`The issuer ${issuer} has its tokens at another host, where this page may not ask.`);
  }
  return { authorization, token };
}

const isWeb = (address: string): boolean =>
  URL.canParse(address) && ["https:", "http:"].includes(new URL(address).protocol);

/** The members of the answer, whatever its status: errors of the issuer are JSON, too. */
async function jsonOf(asked: Promise<Response>): Promise<Readonly<Record<string, unknown>>> {
  let answer: unknown;
  try {
    answer = await (await asked).json();
  } catch {
    throw new Error("The issuer does not answer this page: it has to allow its origin (CORS).");
  }
  return typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : {};
}

/** Undefined for what no page of this version wrote; a way back leads to the page alone. */
export function begunIn(text: string | null): Begun | undefined {
  try {
    const { state, verifier, from } = JSON.parse(text ?? "") as Readonly<Record<string, unknown>>;
    if (typeof state !== "string" || typeof verifier !== "string" || typeof from !== "string") return undefined;
    return { state, verifier, from: /^\/explore(?:[/#]|$)/.test(from) ? from : "/explore" };
  } catch {
    return undefined;
  }
}

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
