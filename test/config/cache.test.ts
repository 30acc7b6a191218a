import { describe, expect, it } from "vitest";
import { readWorkerSettings } from "../../src/config.ts";

const SECRET = "the secret of the tests, long enough";
const SIDECAR = { SIDECAR_URL: "http://127.0.0.1:8788", SIDECAR_SECRET: SECRET };
const kv = { get: () => null, put: () => undefined };

function problemsOf(settings: Readonly<Record<string, unknown>>): readonly string[] {
  const outcome = readWorkerSettings({ AUTH: "none", ...settings });
  return outcome.ok ? [] : outcome.problems;
}

describe("the query cache's settings", () => {
  it.each([
    ["none", {}],
    ["off, with a secret that waits", { CACHE_STORE: "off", CACHE_SECRET: SECRET }],
    ["memory", { CACHE_STORE: "memory" }],
    ["KV", { CACHE_STORE: "kv", CACHE_SECRET: SECRET, QUERY_CACHE: kv }],
    ["the sidecar", { CACHE_STORE: "sidecar", CACHE_SECRET: SECRET, ...SIDECAR }],
    ["a rotation", { CACHE_STORE: "memory", CACHE_SECRET: SECRET, CACHE_SECRET_PREVIOUS: `${SECRET}!` }],
  ])("may be %s", (_, settings) => {
    expect(problemsOf(settings)).toEqual([]);
  });

  it.each([
    ["KV without its binding", { CACHE_STORE: "kv", CACHE_SECRET: SECRET }, "no KV binding QUERY_CACHE"],
    ["KV without a secret", { CACHE_STORE: "kv", QUERY_CACHE: kv }, "CACHE_SECRET is not set"],
    ["the sidecar without one", { CACHE_STORE: "sidecar", CACHE_SECRET: SECRET }, "SIDECAR_URL is not set"],
    ["the sidecar without a secret", { CACHE_STORE: "sidecar", ...SIDECAR }, "CACHE_SECRET is not set"],
    ["a secret that is too short", { CACHE_STORE: "memory", CACHE_SECRET: "short" }, "CACHE_SECRET: "],
    ["a previous secret alone", { CACHE_SECRET_PREVIOUS: SECRET }, "CACHE_SECRET_PREVIOUS is set"],
    ["a life that is too short", { CACHE_TTL_SECONDS: "59" }, "CACHE_TTL_SECONDS: "],
    ["a store of another name", { CACHE_STORE: "redis" }, "CACHE_STORE: "],
    ["less room than three entries", { CACHE_STORE: "memory", CACHE_WORK_BYTES: "30000000" }, "CACHE_WORK_BYTES must"],
  ])("are not %s", (_, settings, problem) => {
    expect(problemsOf(settings)).toEqual([expect.stringContaining(problem)]);
  });

  it("never repeat a secret in what they say", () => {
    expect(problemsOf({ CACHE_SECRET: "hunter2" }).join()).not.toContain("hunter2");
  });
});
