/** Who gets the page `/explore`, and the headers that keep other pages and other code away from it. */
import { describe, expect, it } from "vitest";
import type { Explorer } from "../../src/api/exchange.ts";
import { testApp, testAuthenticator } from "./test-app.ts";

const FILES: Readonly<Record<string, string>> = {
  "index.html": "<!doctype html><head></head>",
  "reference.html": "<!doctype html><title>Reference</title>",
  "guide-first-model.html": "<!doctype html><title>Guide</title>",
  "explorer-A1.js": "1",
  "explorer-A1.css": "a{}",
  "page-A1.png": "PNG",
};
const KEYS = { AUTH: "keys", API_KEYS: JSON.stringify({ ann: { digests: ["0".repeat(64)] } }) };

function app(
  setting: Explorer["setting"],
  auth: Readonly<Record<string, string>> = { AUTH: "none" },
  more: Partial<Explorer> = {},
) {
  const asked: string[] = [];
  const files: Explorer["files"] = async (name) => {
    asked.push(name);
    const text = FILES[name];
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };
  return {
    asked,
    ...testApp({ api: { explorer: { files, setting, ...more }, authenticator: testAuthenticator(auth) } }),
  };
}

describe("the page", () => {
  it.each<[setting: Explorer["setting"], auth: Readonly<Record<string, string>>, url: string, status: number]>([
    [undefined, { AUTH: "none" }, "http://127.0.0.1:8787/explore", 200],
    [undefined, { AUTH: "none" }, "http://localhost/explore/shop", 200],
    [undefined, { AUTH: "none" }, "http://sql.example.com/explore", 404],
    [undefined, KEYS, "http://sql.example.com/explore", 200],
    ["on", { AUTH: "none" }, "http://sql.example.com/explore", 200],
    ["off", { AUTH: "none" }, "http://127.0.0.1/explore", 404],
    ["off", KEYS, "http://sql.example.com/explore/assets/explorer-A1.js", 404],
    [undefined, { AUTH: "none" }, "http://sql.example.com/explore/assets/explorer-A1.js", 404],
    [undefined, { AUTH: "none" }, "http://127.0.0.1:8787/docs/guide/first-model", 200],
    [undefined, { AUTH: "none" }, "http://sql.example.com/docs/guide/first-model", 404],
    [undefined, KEYS, "http://sql.example.com/docs/guide", 200],
    ["off", KEYS, "http://sql.example.com/docs/guide", 404],
    [undefined, KEYS, "http://sql.example.com/explored", 401],
    [undefined, KEYS, "http://sql.example.com/docs/guides/x", 401],
    [undefined, KEYS, "http://sql.example.com/docs/guide/first-model", 200],
    ["off", KEYS, "http://127.0.0.1/docs/guide/first-model", 404],
  ])("EXPLORER=%s, %j: %s answers %d", async (setting, auth, url, status) => {
    expect((await app(setting, auth).fetch(url)).status).toBe(status);
  });

  it("is not there without its files", async () => {
    expect((await testApp().fetch("http://127.0.0.1/explore")).status).toBe(404);
  });

  it.each(["/explore", "/docs", "/docs/guide/first-model"])(
    "%s allows nothing inline and nothing of other hosts",
    async (path) => {
      const { headers } = await app("on").fetch(path);
      expect(headers.get("content-security-policy")?.split("; ")).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("no-store");
    },
  );
});

describe("/docs", () => {
  it.each<[setting: Explorer["setting"], auth: Readonly<Record<string, string>>, url: string, isReference: boolean]>([
    [undefined, { AUTH: "none" }, "http://127.0.0.1:8787/docs", true],
    [undefined, KEYS, "http://sql.example.com/docs", true],
    [undefined, { AUTH: "none" }, "http://sql.example.com/docs", false],
    ["off", KEYS, "http://sql.example.com/docs", false],
    ["on", KEYS, "http://sql.example.com/redoc", false],
  ])(
    "EXPLORER=%s, %j: %s is the reference with forms: %s; else a list without scripts",
    async (setting, auth, url, isReference) => {
      const response = await app(setting, auth).fetch(url);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(text.includes("<title>Reference</title>")).toBe(isReference);
      if (!isReference) expect([text.includes("/v3/projects"), text.includes("<script")]).toEqual([true, false]);
    },
  );

  it.each(["..%2Findex", "index.html", "first-model.html", "FIRST", "x".repeat(61), "missing", "a/b"])(
    "%.20s is no guide",
    async (name) => {
      expect((await app("on").fetch(`/docs/guide/${name}`)).status).toBe(404);
    },
  );
});

describe("the page's settings", () => {
  const settingsIn = async (response: Response): Promise<unknown> => {
    const [, content = ""] = /<meta name="siskin" content="([^"]*)">/.exec(await response.text()) ?? [];
    return JSON.parse(
      content.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
    );
  };
  const signIn = {
    clientId: `page"><script>$&`,
    issuer: "https://login.example.com/tenant/",
    scopes: ["openid", "a&b"],
  };

  it.each([
    [{}, { history: "on" }],
    [{ history: "off" as const }, { history: "off" }],
    [{ signIn }, { history: "on", signIn }],
  ])("%j are in its head", async (given, expected) => {
    expect(await settingsIn(await app("on", { AUTH: "none" }, given).fetch("/explore"))).toEqual(expected);
  });

  it("name the issuer as the only other host", async () => {
    const { headers } = await app("on", KEYS, { signIn }).fetch("/explore");
    expect(headers.get("content-security-policy")).toContain("connect-src 'self' https://login.example.com; ");
  });
});

describe("its files", () => {
  it.each([
    ["explorer-A1.js", "text/javascript; charset=utf-8"],
    ["explorer-A1.css", "text/css; charset=utf-8"],
    ["page-A1.png", "image/png"],
  ])("%s may be kept for ever", async (name, type) => {
    const { headers } = await app("on").fetch(`/explore/assets/${name}`);
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual([
      type,
      "public, max-age=31536000, immutable",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    "index.html",
    "..%2Fworker.js",
    "%2e%2e.js",
    "a/b.js",
    `${"x".repeat(200)}.js`,
    "explorer-A1.js.map",
    "missing.js",
  ])("%.30s is none of them", async (name) => {
    const { asked, fetch } = app("on");
    expect((await fetch(`/explore/assets/${name}`)).status).toBe(404);
    expect(asked.every((each) => each === "missing.js")).toBe(true);
  });
});
