/** Callers of the bundled Worker, in workerd: keys, and tokens of an issuer that publishes its keys on loopback. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encoded } from "../api/test-app.ts";
import { type Issuer, type SigningKey, signingKey, startIssuer, token } from "../support/issuer.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

const ROOT = join(import.meta.dirname, "../..");
const PATH = "/v3/connector/postgres/dry-plan";
const manifestStr = encoded({
  models: [
    {
      name: "orders",
      tableReference: { schema: "public", table: "orders" },
      columns: [
        { name: "id", type: "integer" },
        { name: "tenant", type: "varchar" },
      ],
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "tenant", required: true }], condition: "tenant = @tenant" },
      ],
    },
  ],
});
const BODY = { sql: "SELECT id FROM orders", manifestStr };

describe("keys", () => {
  let worker: RunningWorker;
  let key: string;
  beforeAll(async () => {
    const made = execFileSync(process.execPath, ["--experimental-strip-types", join(ROOT, "scripts/key.ts")], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    key = /^key +(\S+)$/m.exec(made)?.[1] ?? "";
    const digest = /^digest +(\S+)$/m.exec(made)?.[1] ?? "";
    const API_KEYS = JSON.stringify({ ann: { digests: [digest], properties: { tenant: "acme" } } });
    worker = await startWorker({ AUTH: "keys", API_KEYS });
  });

  it("are what `npm run key` makes", async () => {
    expect(key).toMatch(/^sk_[\w-]{43}$/);
    const response = await worker.post(PATH, BODY, { authorization: `Bearer ${key}` });
    expect([response.status, await response.json()]).toEqual([200, expect.stringContaining("tenant = 'acme'")]);
  });

  it("are asked for", async () => {
    const response = await worker.post(PATH, BODY, { "x-api-key": `${key}x` });
    expect(response.status).toBe(401);
    expect((await worker.fetch("/health")).status).toBe(200);
  });
});

describe("tokens", () => {
  let worker: RunningWorker;
  let issuer: Issuer;
  let key: SigningKey;
  beforeAll(async () => {
    key = await signingKey("k1", "ES256");
    issuer = await startIssuer(key);
    worker = await startWorker({
      AUTH: "jwt",
      JWT_ISSUER: "https://issuer.test",
      JWT_AUDIENCE: "siskin",
      JWT_ALGORITHMS: "ES256",
      JWT_JWKS_URL: issuer.url,
      CLAIM_PROPERTIES: '{"tenant":"org.id"}',
    });
  });
  afterAll(() => issuer.close());

  const claims = (org: string) => ({
    iss: "https://issuer.test",
    aud: "siskin",
    sub: "ann",
    exp: Math.floor(Date.now() / 1000) + 60,
    org: { id: org },
  });

  it("give each caller its own rows, many at once, and ask the issuer once", async () => {
    const orgs = Array.from({ length: 12 }, (_, index) => `org ${index}`);
    const plans = await Promise.all(
      orgs.map(async (org) => {
        const response = await worker.post(PATH, BODY, { authorization: `Bearer ${await token(key, claims(org))}` });
        return [response.status, await response.json()];
      }),
    );
    expect(plans).toEqual(orgs.map((org) => [200, expect.stringContaining(`tenant = '${org}'`)]));
    expect(issuer.asked()).toBe(1);
  });

  it("bind their properties", async () => {
    const authorization = `Bearer ${await token(key, claims("acme"))}`;
    const response = await worker.post(PATH, BODY, { authorization, "x-wren-variable-tenant": "'other'" });
    expect(response.status).toBe(403);
  });

  it("are refused when another key signed them", async () => {
    const other = await signingKey("k1", "ES256");
    const response = await worker.post(PATH, BODY, { authorization: `Bearer ${await token(other, claims("acme"))}` });
    expect(response.status).toBe(401);
  });
});

it("the platform's rate limit counts per caller, and its data points are taken", async () => {
  const digest = (key: string): string => createHash("sha256").update(key).digest("hex");
  const worker = await startWorker(
    { AUTH: "keys", API_KEYS: JSON.stringify({ ann: { digests: [digest("a")] }, bob: { digests: [digest("b")] } }) },
    { rateLimits: { RATE_LIMITER: { limit: 2, period: 60 } }, datasets: ["METRICS"] },
  );
  const ask = async (key: string) => {
    const response = await worker.fetch("/config", { headers: { "x-api-key": key } });
    return [response.status, response.headers.get("retry-after")];
  };
  expect([await ask("a"), await ask("a"), await ask("a"), await ask("b")]).toEqual([
    [200, null],
    [200, null],
    [429, "10"],
    [200, null],
  ]);
});
