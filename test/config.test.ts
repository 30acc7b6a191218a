import { describe, expect, it } from "vitest";
import { largestManifest, readSidecarSettings, readSupervisorSettings, readWorkerSettings } from "../src/config.ts";

it("keep the pool's bounds in order", () => {
  const secret = "x".repeat(32);
  const read = (POOL_PER_CONNECTION: string) => readSidecarSettings({ SIDECAR_SECRET: secret, POOL_PER_CONNECTION });
  expect(read("100").ok).toBe(true);
  expect(read("101")).toEqual({ ok: false, problems: ["POOL_PER_CONNECTION must not be above POOL_TOTAL"] });
});

describe("the supervisor's settings", () => {
  it("have defaults, and empty text is not set", () => {
    const settings = {
      FILES_WORKER: "off",
      PROBE_INTERVAL_MS: 5000,
      STOP_GRACE_MS: 2500,
      API_METRICS_PORT: undefined,
      API_METRICS_HOST: "127.0.0.1",
      RESTART_MAX_PAUSE_MS: 10_000,
      WORKER_HEAP_MIB: 512,
    };
    expect(readSupervisorSettings({ PATH: "/bin", FILES_WORKER: "" })).toEqual({ ok: true, settings });
  });

  it.each([
    ["FILES_WORKER", "true"],
    ["PROBE_INTERVAL_MS", "600001"],
    ["PROBE_INTERVAL_MS", "1.5"],
    ["PROBE_INTERVAL_MS", "99"],
    ["RESTART_MAX_PAUSE_MS", "-1"],
  ])("%s is not %s", (name, value) => {
    expect(readSupervisorSettings({ [name]: value })).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(`^${name}`)],
    });
  });

  it("send no probes with an interval of 0", () => {
    expect(readSupervisorSettings({ PROBE_INTERVAL_MS: "0" })).toMatchObject({
      ok: true,
      settings: { PROBE_INTERVAL_MS: 0 },
    });
  });
});

describe("the Worker's settings", () => {
  it("have defaults for everything but AUTH", () => {
    const outcome = readWorkerSettings({ AUTH: "none" });
    expect(outcome).toMatchObject({
      ok: true,
      settings: {
        V2_PROFILE: "classic",
        MAX_BODY_BYTES: 8 * 1024 * 1024,
        MAX_MANIFEST_BYTES: undefined,
        MAX_JSON_DEPTH: 64,
        MAX_IN_FLIGHT: 64,
        STATEMENT_TIMEOUT_MS: 180_000,
        APP_TIMEOUT_MS: 240_000,
        CONNECT_TIMEOUT_MS: 10_000,
        ALLOW_PRIVATE_HOSTS: false,
      },
    });
  });

  it.each([
    [{}, 6 * 1024 * 1024],
    [{ MAX_BODY_BYTES: "1024" }, 768],
    [{ MAX_MANIFEST_BYTES: "4096" }, 4096],
    [{ MAX_MANIFEST_BYTES: "16777216", MAX_BODY_BYTES: "22369624" }, 16 * 1024 * 1024],
  ])("let in manifests that fit into a body: %j", (given, bytes) => {
    const outcome = readWorkerSettings({ AUTH: "none", ...given });
    expect(outcome.ok && largestManifest(outcome.settings)).toBe(bytes);
  });

  const secret = "x".repeat(32);
  const keys = (entry: object, ...others: string[]): string => {
    const key = { digests: ["0".repeat(64)], ...entry };
    return JSON.stringify(Object.fromEntries(["ann", ...others].map((name) => [name, key])));
  };
  const jwt = { AUTH: "jwt", JWT_ISSUER: "i", JWT_AUDIENCE: "a", JWT_JWKS_URL: "https://x.test/keys" };

  it.each<[string, Record<string, string | undefined>, string]>([
    ["AUTH is missing", {}, "AUTH"],
    ["AUTH is unknown", { AUTH: "hunter2" }, "AUTH"],
    ["a number is none", { AUTH: "none", MAX_IN_FLIGHT: "many" }, "MAX_IN_FLIGHT"],
    ["a number is out of range", { AUTH: "none", MAX_BODY_BYTES: "1" }, "MAX_BODY_BYTES"],
    [
      "a manifest of the limit's size cannot arrive",
      { AUTH: "none", MAX_MANIFEST_BYTES: "16777216" },
      "MAX_MANIFEST_BYTES does not fit into MAX_BODY_BYTES, which must be at least 22369624 for it",
    ],
    ["a name is mistyped", { AUTH: "none", V2_PROFIL: "modern" }, "V2_PROFIL is not a setting"],
    [
      "a secret is short",
      { AUTH: "none", SIDECAR_URL: "http://127.0.0.1:1", SIDECAR_SECRET: "hunter2" },
      "SIDECAR_SECRET",
    ],
    ["a sidecar has no secret", { AUTH: "none", SIDECAR_URL: "http://127.0.0.1:1" }, "go together"],
    ["a secret has no sidecar", { AUTH: "none", SIDECAR_SECRET: secret }, "go together"],
    [
      "a sidecar elsewhere is not https",
      { AUTH: "none", SIDECAR_URL: "http://side.test", SIDECAR_SECRET: secret },
      "https",
    ],
    ["keys are asked for and none are listed", { AUTH: "keys" }, "AUTH=keys needs API_KEYS"],
    ["keys are listed and not asked for", { AUTH: "none", API_KEYS: keys({}) }, "API_KEYS is for AUTH=keys"],
    ["keys are no JSON", { AUTH: "keys", API_KEYS: "hunter2" }, "API_KEYS: The text is not JSON"],
    ["a digest is a key", { AUTH: "keys", API_KEYS: keys({ digests: ["hunter2"] }) }, "ann.digests.0"],
    ["a key has no digest", { AUTH: "keys", API_KEYS: keys({ digests: [] }) }, "ann.digests"],
    ["a member of a key is mistyped", { AUTH: "keys", API_KEYS: keys({ conections: [] }) }, "conections"],
    ["a limit is none", { AUTH: "keys", API_KEYS: keys({ limits: { rows: 0 } }) }, "ann.limits.rows"],
    ["a key has two owners", { AUTH: "keys", API_KEYS: keys({}, "bob") }, "a digest twice"],
    ["tokens are asked for without an issuer", { ...jwt, JWT_ISSUER: undefined }, "AUTH=jwt needs JWT_ISSUER"],
    ["tokens are asked for without an audience", { ...jwt, JWT_AUDIENCE: "" }, "AUTH=jwt needs JWT_AUDIENCE"],
    ["tokens' keys come from nowhere", { ...jwt, JWT_JWKS_URL: undefined }, "JWT_JWKS_URL or JWT_KEYS"],
    [
      "tokens' keys come over plain HTTP",
      { ...jwt, JWT_JWKS_URL: "http://hunter2.test" },
      "JWT_JWKS_URL must be https",
    ],
    [
      "a claim's type is unknown",
      { ...jwt, CLAIM_PROPERTIES: '{"a":{"claim":"a","type":"date"}}' },
      "CLAIM_PROPERTIES",
    ],
    ["callers that are one have limits", { AUTH: "none", CALLER_CONCURRENT: "1" }, "CALLER_CONCURRENT needs callers"],
  ])("stop the start when %s, and repeat no value", (_what, environment, problem) => {
    const outcome = readWorkerSettings(environment);
    expect(outcome.ok).toBe(false);
    if (!outcome.ok) {
      expect(outcome.problems.join("\n")).toContain(problem);
      expect(outcome.problems.join("\n")).not.toContain("hunter2");
    }
  });

  it.each([["http://127.0.0.1:8788"], ["http://localhost:8788"], ["http://[::1]:8788"], ["https://side.test"]])(
    "accept a sidecar at %s",
    (url) => {
      expect(readWorkerSettings({ AUTH: "none", SIDECAR_URL: url, SIDECAR_SECRET: secret }).ok).toBe(true);
    },
  );

  it("leave bindings that are no text alone", () => {
    expect(readWorkerSettings({ AUTH: "none", CACHE: {} }).ok).toBe(true);
  });
});

describe("the sidecar's settings", () => {
  const secret = "x".repeat(32);

  it("have defaults for everything but the secret, among the variables of any process", () => {
    const outcome = readSidecarSettings({ SIDECAR_SECRET: secret, PATH: "/bin", SIDECAR_SECRET_PREVIOUS: "" });
    expect(outcome).toMatchObject({
      ok: true,
      settings: {
        HOST: "127.0.0.1",
        PORT: 8788,
        ALLOWED_HOSTS: [],
        MAX_IN_FLIGHT: 64,
        DUCKDB_STATEMENTS: 8,
        DUCKDB_MEMORY: "1GB",
      },
    });
    expect(outcome).toHaveProperty("settings.SIDECAR_SECRET_PREVIOUS", undefined);
  });

  it.each([
    ["the secret is missing", {}, "SIDECAR_SECRET is not set"],
    ["the secret is short", { SIDECAR_SECRET: "hunter2" }, "SIDECAR_SECRET: "],
    ["memory is no size", { SIDECAR_SECRET: secret, DUCKDB_MEMORY: "hunter2" }, "DUCKDB_MEMORY: "],
    ["a number is out of range", { SIDECAR_SECRET: secret, PORT: "70000" }, "PORT: "],
  ])("stop the start when %s, and repeat no value", (_what, environment, problem) => {
    const outcome = readSidecarSettings(environment);
    expect(outcome.ok).toBe(false);
    if (!outcome.ok) {
      expect(outcome.problems.join("\n")).toContain(problem);
      expect(outcome.problems.join("\n")).not.toContain("hunter2");
    }
  });
});
