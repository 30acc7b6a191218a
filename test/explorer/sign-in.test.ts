/** The sign-in at an issuer: an authorization code with PKCE, its errors, and where the token is kept. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { begunIn } from "../../src/explorer/sign-in/code-flow.ts";
import { hasBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { type Issuer, type SigningKey, signingKey, startIssuer, token } from "../support/issuer.ts";
import { type RunningService, startService } from "../support/service.ts";
import { findings, pagesOf, summary } from "./browser-page.ts";

const { open } = pagesOf();

test.each([
  ['{"state":"s","verifier":"v","from":"/explore/shop#sql=SELECT+1"}', "/explore/shop#sql=SELECT+1"],
  ['{"state":"s","verifier":"v","from":"//evil.example.com"}', "/explore"],
  ['{"state":"s","verifier":"v","from":"/explorer"}', "/explore"],
  ['{"state":"s","verifier":"v"}', undefined],
  ["7", undefined],
  [null, undefined],
])("%j leads back to %s", (kept, from) => {
  expect(begunIn(kept)?.from).toBe(from);
});

describe.skipIf(!hasBrowser)(`the sign-in${hasBrowser ? "" : ` (${WITHOUT_BROWSER})`}`, () => {
  let issuer: Issuer;
  let key: SigningKey;
  let origin = "";
  let service: RunningService;
  /** Deviations of the issuer, for one test. */
  let odd: { readonly back?: Record<string, string>; readonly expired?: true; readonly refuses?: true } = {};
  const codes = new Map<string, { readonly challenge: string; readonly redirect: string }>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const json = (body: object, status = 200): void => {
      response.writeHead(status, { "content-type": "application/json", "access-control-allow-origin": service.url });
      response.end(JSON.stringify(body));
    };
    if (url.pathname === "/keys") return json({ keys: [key.jwk] });
    if (url.pathname === "/.well-known/openid-configuration") {
      return json({ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` });
    }
    if (url.pathname === "/authorize") {
      const {
        redirect_uri: redirect = "",
        state = "",
        code_challenge: challenge = "",
        ...asked
      } = Object.fromEntries(url.searchParams);
      expect(asked).toEqual({
        response_type: "code",
        client_id: "page",
        scope: "openid",
        code_challenge_method: "S256",
      });
      codes.set("code-1", { challenge, redirect });
      const back = new URL(redirect);
      for (const [name, value] of Object.entries(odd.back ?? { code: "code-1", state, iss: origin }))
        back.searchParams.set(name, value === "STATE" ? state : value);
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const form = new URLSearchParams(await text(request));
    const begun = codes.get(form.get("code") ?? "");
    codes.clear();
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight = begun?.challenge === challenge && begun.redirect === form.get("redirect_uri");
    if (!isRight || odd.refuses === true)
      return json({ error: "invalid_grant", error_description: "the code ended" }, 400);
    const now = Math.floor(Date.now() / 1000);
    const exp = odd.expired === true ? now - 3600 : now + 3600;
    const claims = { iss: origin, aud: "siskin", sub: "ann", iat: now - 7200, exp };
    json({ access_token: await token(key, claims), token_type: "Bearer" });
  }

  beforeAll(async () => {
    key = await signingKey("page-1");
    issuer = await startIssuer(key);
    origin = new URL(issuer.url).origin;
    issuer.behave((request, response) => void answer(request, response));
    service = await startService({
      AUTH: "jwt",
      JWT_ISSUER: origin,
      JWT_AUDIENCE: "siskin",
      JWT_JWKS_URL: issuer.url,
      JWT_PROJECTS: "shop",
      EXPLORER_CLIENT_ID: "page",
    });
  });
  afterAll(async () => {
    await service?.stop();
    await issuer?.close();
  });

  const begin = async (deviation: typeof odd) => {
    odd = deviation;
    const opened = await open(`${service.url}/explore/shop#sql=SELECT+7+AS+seven`);
    await opened.page.getByRole("button", { name: `Sign in at ${new URL(origin).host}` }).click();
    return opened;
  };

  test("leads back to the question, and the token is nowhere but in the page's memory", async () => {
    const { page, faults, hosts } = await begin({});
    await summary(page).getByText("1 row").waitFor();
    expect(page.url()).toBe(`${service.url}/explore/shop#sql=SELECT+7+AS+seven`);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state]),
    );
    expect(kept).not.toContain("eyJ");
    expect(kept).not.toContain("code-1");
    expect(await page.content()).not.toContain("eyJ");
    expect([...hosts].toSorted()).toEqual([new URL(origin).host, new URL(service.url).host].toSorted());
    expect(faults).toEqual([]);
    await page.reload();
    await page.getByText("Who are you?").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test.each<[what: string, deviation: typeof odd, said: string]>([
    ["a wrong state", { back: { code: "code-1", state: "guessed" } }, "The sign-in was not begun in this tab"],
    ["no state", { back: { code: "code-1" } }, "The sign-in was not begun in this tab"],
    ["another issuer", { back: { code: "code-1", state: "STATE", iss: "https://evil.example.com" } }, "Another issuer"],
    ["a denial", { back: { error: "access_denied", state: "STATE" } }, "The sign-in was denied."],
    ["an error", { back: { error: "server_error", state: "STATE" } }, "The issuer refused the sign-in: server_error"],
    ["a code that ended", { refuses: true }, "The issuer gave no token: the code ended"],
    ["a token that has expired", { expired: true }, "Sign in again"],
  ])("%s ends at the way to sign in, with the reason", async (_, deviation, said) => {
    const { page, faults } = await begin(deviation);
    await page.getByRole("main").getByText(said).first().waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    odd = {};
    await page.getByRole("button", { name: "Sign in at" }).click();
    await summary(page).getByText("1 row").waitFor();
    expect(faults).toEqual([]);
  });
});
