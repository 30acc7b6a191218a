/** The compose files, as far as they can be tested without Docker: the settings they name, and the store's command. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkerSettings, sidecarSettings, supervisorSettings, workerSettings } from "../../src/config.ts";
import { REDIS_SERVER, startRedis } from "../support/redis.ts";

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, "../..", file), "utf8");
const names = /^ {6}([A-Z_]+): (.*)$/gm;

it.each(["compose.yaml", "examples/compose.cache.yaml"])("%s names settings that there are", (file) => {
  const known = new Set([workerSettings, sidecarSettings, supervisorSettings].flatMap((table) => Object.keys(table)));
  const named = [...textOf(file).matchAll(names)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it.each(["supervisor/Dockerfile", "sidecar/Dockerfile"])(
  "%s copies only what .dockerignore lets through",
  (dockerfile) => {
    const sent = textOf(".dockerignore")
      .split("\n")
      .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
    const copied = [...textOf(dockerfile).matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, words = ""]) =>
      words.split(" "),
    );
    expect(copied.length).toBeGreaterThan(2);
    expect(copied.filter((name) => !sent.some((each) => name === each || name.startsWith(`${each}/`)))).toEqual([]);
  },
);

it("engines start when their profile is asked for alone, of a release, and answer on loopback", () => {
  const [, ...services] = textOf("examples/compose.engines.yaml")
    .slice(textOf("examples/compose.engines.yaml").indexOf("\nservices:"))
    .split(/^ {2}(?=[a-z]+:\n)/m);
  expect(services.map((text) => /^[a-z]+/.exec(text)?.[0])).toEqual([
    ...["postgres", "mysql", "mariadb", "clickhouse", "trino", "spark"],
  ]);
  for (const text of services) {
    const [name = ""] = /^[a-z]+/.exec(text) ?? [];
    expect(text).toContain(`profiles: [${name}]`);
    expect(text).toMatch(/image: [\w./-]+:\d[\w.]*\n/);
    expect([...text.matchAll(/ports: \[(.*)\]/g)].map(([, ports]) => ports)).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:\d+:\d+$/),
    ]);
  }
});

/** The value that compose.yaml gives without a setting of the operator's. */
const given = (name: string): string =>
  new RegExp(`^ +${name}: (?:\\$\\{\\w+:-)?([^}\\n]+)\\}?$`, "m").exec(textOf("compose.yaml"))?.[1] ?? "";
const bytesOf = (text: string): number => {
  const [, number = "", unit = ""] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(number) * ({ "": 1, GB: 1e9, MB: 1e6, g: 2 ** 30, m: 2 ** 20 }[unit] ?? Number.NaN);
};

describe("the limits of the sidecar's container", () => {
  it("hold all statements of DuckDB that may run at once, and the sidecar", () => {
    const container = textOf("compose.yaml").split(/^ {2}sidecar:$/m)[1] ?? "";
    const memory = bytesOf(/mem_limit: \$\{SIDECAR_MEMORY:-(\w+)\}/.exec(container)?.[1] ?? "");
    const statements = Number(given("DUCKDB_STATEMENTS"));
    const needed = statements * (bytesOf(given("DUCKDB_MEMORY")) + 1.5e9) + 512e6;
    expect(statements).toBeGreaterThan(1);
    expect(needed).toBeLessThanOrEqual(memory);
  });

  it("name the disk that spilled data and objects may take, on a volume", () => {
    const text = textOf("compose.yaml");
    const disk = Number(given("DUCKDB_STATEMENTS")) * bytesOf(given("DUCKDB_SPILL")) + bytesOf(given("STORE_BYTES"));
    expect(text).toContain(`${Math.ceil(disk / 1e9)} GB together`);
    expect(bytesOf(given("STORE_BYTES"))).toBeGreaterThanOrEqual(
      sidecarSettings.STORE_STATEMENT_BYTES.standard?.value ?? 0,
    );
    const container = text.split(/^ {2}sidecar:$/m)[1] ?? "";
    expect(container).toContain("- scratch:/tmp\n");
    expect(container).not.toContain("tmpfs:");
    expect(text).toMatch(/^volumes:\n {2}scratch:$/m);
  });

  it("begin when the API, whose network it shares, is healthy", () => {
    expect(textOf("compose.yaml")).toMatch(/depends_on:\n +api:\n +condition: service_healthy\n/);
    expect(textOf("supervisor/Dockerfile")).toContain("HEALTHCHECK");
  });
});

it("both files together are settings that the Worker starts with", () => {
  const given = [...`${textOf("compose.yaml")}${textOf("examples/compose.cache.yaml")}`.matchAll(names)]
    .filter(([, name = ""]) => name in workerSettings)
    .map(([, name, value = ""]) => [
      name,
      value.startsWith("${") ? "a secret of the test, long enough for one" : value,
    ]);
  expect(readWorkerSettings({ ...Object.fromEntries(given), AUTH: "none" })).toMatchObject({
    ok: true,
    settings: { CACHE_STORE: "sidecar" },
  });
});

it.skipIf(REDIS_SERVER === undefined)("the store's options are ones that it takes, and bound its memory", async () => {
  const command = /command: (\[valkey-server.*\])/.exec(textOf("examples/compose.cache.yaml"))?.[1] ?? "";
  const words = [...command.matchAll(/"([^"]*)"|([\w.-]+)/g)].map((match) => match[1] ?? match[2] ?? "").slice(1);
  const at = words.indexOf("--port");
  const redis = await startRedis([...words.slice(0, at), ...words.slice(at + 2)]);
  try {
    const said = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(redis.port, "127.0.0.1", () => socket.write("CONFIG GET maxmemory*\r\nQUIT\r\n"));
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.once("error", reject);
      socket.once("end", () => resolve(text));
    });
    expect(said.split("\r\n")).toEqual(expect.arrayContaining([String(256 * 1024 * 1024), "allkeys-lru"]));
  } finally {
    await redis.stop();
  }
});
