import { describe, expect, it } from "vitest";
import { readSidecarSettings, readSupervisorSettings, readWorkerSettings } from "../../src/config.ts";

const SECRET = "x".repeat(32);

const problemsOf = (variables: Record<string, string>): readonly string[] => {
  const outcome = readSidecarSettings({ SIDECAR_SECRET: SECRET, ...variables });
  return outcome.ok ? [] : outcome.problems;
};

describe("a variable that looks like a setting and is none stops the start", () => {
  it.each([
    ["ALOWED_HOSTS", "ALLOWED_HOSTS"],
    ["ALLOWED_HOST", "ALLOWED_HOSTS"],
    ["allowed_hosts", "ALLOWED_HOSTS"],
    ["MAX_ROWZ", "MAX_ROWS"],
    ["FILEROOT", "FILE_ROOT"],
    ["FILE_ROOTS", "FILE_ROOT"],
    ["DUCKDB_MEMROY", "DUCKDB_MEMORY"],
    ["POOL_SIZE", undefined],
    ["CACHE_DIRECTORY", undefined],
  ])("%s, near %s", (name, near) => {
    const problems = problemsOf({ [name]: "hunter2" });
    expect(problems).toEqual([`${name} is not a setting${near === undefined ? "" : ` (did you mean ${near}?)`}`]);
    expect(readSupervisorSettings({ [name]: "hunter2" }).ok).toBe(false);
  });

  it("of the Worker, whose text variables are all its own, with near names too", () => {
    expect(readWorkerSettings({ AUTH: "none", MAX_ROWZ: "3" })).toEqual({
      ok: false,
      problems: ["MAX_ROWZ is not a setting (did you mean MAX_ROWS?)"],
    });
    expect(readWorkerSettings({ AUTH: "none", MAX_ROWZ: {} }).ok).toBe(true);
  });
});

describe("others do not", () => {
  it.each([
    ...["PATH", "HOME", "HOSTNAME", "NODE_OPTIONS", "NODE_EXTRA_CA_CERTS", "AWS_REGION", "API_KEY", "npm_config_cache"],
    ...["LANG", "USER", "PWD", "TERM", "CI", "DEBUG", "OTEL_SERVICE_NAME", "KUBERNETES_SERVICE_HOST", "GIT_SSL_CAINFO"],
  ])("%s", (name) => expect(problemsOf({ [name]: "x" })).toEqual([]));

  it.each([
    ["CACHE_SERVICE_HOST", "10.0.0.1"],
    ["CACHE_SERVICE_PORT", "6379"],
    ["CACHE_SERVICE_PORT_REDIS", "6379"],
    ["SIDECAR_PORT", "tcp://10.0.0.1:8788"],
    ["SIDECAR_PORT_8788_TCP", "tcp://10.0.0.1:8788"],
    ["SIDECAR_PORT_8788_TCP_ADDR", "10.0.0.1"],
    ["POOL_SIZE", ""],
  ])("%s=%s", (name, value) => expect(problemsOf({ [name]: value })).toEqual([]));

  it("settings of another process of the same machine", () => {
    expect(problemsOf({ AUTH: "none", MAX_ROWS: "5", FILES_WORKER: "on", CACHE_SECRET: SECRET })).toEqual([]);
  });
});

describe("ALLOWED_HOSTS", () => {
  it.each([
    "*",
    "10.0.0.0/8",
    "10.1.2.3",
    "db.example.com",
    ".internal",
    "localhost",
    "::1",
    "[::1]",
    "fd00::/8",
    "a_b.c",
  ])("takes %s", (entry) => expect(problemsOf({ ALLOWED_HOSTS: `other.test, ${entry}` })).toEqual([]));
  it.each([
    ["10.0.0.0/99", "is no range like 10.0.0.0/8"],
    ["fd00::/129", "is no range like 10.0.0.0/8"],
    ["10.0.0/8", "is no range like 10.0.0.0/8"],
    ["https://db.test", "is no range like 10.0.0.0/8"],
    ["10.0.0.256", "is no IPv4 address"],
    ["010.0.0.1", "is no IPv4 address"],
    ["db.test:5432", "is no IPv6 address; ports are not part of an entry"],
    ["*.example.com", "has a * inside; write .example.com for all hosts below one"],
    ["db test", "is no name of a host"],
    ["db..test", "is no name of a host"],
    ["bücher.example", "is no name of a host"],
  ])("refuses %s", (entry, problem) => {
    expect(problemsOf({ ALLOWED_HOSTS: `other.test, ${entry}` })).toEqual([`ALLOWED_HOSTS: entry 2 ${problem}`]);
  });
});
