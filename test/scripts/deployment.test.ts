/** Checks of `npm run deploy` before anything is uploaded. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { deploymentNotes, deploymentProblems } from "../../scripts/service/deployment.ts";

const ROOT = join(import.meta.dirname, "../..");
const SECRET = "a secret that is long enough for anybody";
const KV = [{ binding: "QUERY_CACHE", id: "0123456789abcdef0123456789abcdef" }];
const HYPERDRIVE = [{ binding: "ORDERS_DB", id: "0123456789abcdef0123456789abcdef" }];
const CONNECTION = JSON.stringify({ orders: { dataSource: "postgres", hyperdrive: "ORDERS_DB" } });

type Config = Parameters<typeof deploymentProblems>[0];

const config = (changes: Partial<Config>): Config => ({
  vars: { AUTH: "none" },
  kv_namespaces: [],
  hyperdrive: [],
  vpc_services: [],
  ratelimits: [],
  analytics_engine_datasets: [],
  services: [{ binding: "CONNECTORS", service: "siskin-connectors", entrypoint: "Connectors" }],
  compatibility_flags: ["nodejs_compat", "enable_request_signal"],
  ...changes,
});

test.each<
  [name: string, changes: Partial<Config>, secrets: Record<string, string>, problems: readonly (string | RegExp)[]]
>([
  ["a little one", {}, {}, []],
  [
    "a whole one",
    {
      vars: { AUTH: "none", SIDECAR_URL: "https://sidecar.example.com", CACHE_STORE: "kv" },
      kv_namespaces: KV,
      hyperdrive: HYPERDRIVE,
    },
    { SIDECAR_SECRET: SECRET, CACHE_SECRET: SECRET, CONNECTIONS: CONNECTION },
    [],
  ],
  ["nobody says who may call", { vars: {} }, {}, ["AUTH is not set"]],
  [
    "a name that is no setting",
    { vars: { AUTH: "none", CASHE_STORE: "kv" } },
    {},
    ["CASHE_STORE is not a setting (did you mean CACHE_STORE?)"],
  ],
  [
    "half of the sidecar",
    { vars: { AUTH: "none", SIDECAR_URL: "https://sidecar.example.com" } },
    {},
    ["SIDECAR_URL and SIDECAR_SECRET go together"],
  ],
  [
    "a sidecar without TLS",
    { vars: { AUTH: "none", SIDECAR_URL: "http://sidecar.example.com" } },
    { SIDECAR_SECRET: SECRET },
    ["SIDECAR_URL must be https unless it is a loopback address"],
  ],
  ["a short secret", {}, { SIDECAR_SECRET: "short" }, [/^SIDECAR_SECRET: /]],
  [
    "a secret for everybody to read",
    { vars: { AUTH: "none", CACHE_STORE: "memory", CACHE_SECRET: SECRET } },
    {},
    ["CACHE_SECRET is a secret and stands in [vars]: put it into the file of secrets"],
  ],
  [
    "a cache without its store",
    { vars: { AUTH: "none", CACHE_STORE: "kv" } },
    { CACHE_SECRET: SECRET },
    ["CACHE_STORE is kv, and there is no KV binding QUERY_CACHE"],
  ],
  [
    "a store without an id",
    { vars: { AUTH: "none", CACHE_STORE: "kv" }, kv_namespaces: [{ binding: "QUERY_CACHE" }] },
    { CACHE_SECRET: SECRET },
    ["the KV namespace QUERY_CACHE has no id: npx wrangler kv namespace create QUERY_CACHE"],
  ],
  [
    "a connection over a binding that is not there",
    {},
    { CONNECTIONS: CONNECTION },
    [/^CONNECTIONS: "orders": .*Hyperdrive binding/],
  ],
  [
    "a connection that nobody can serve",
    {},
    {
      CONNECTIONS: JSON.stringify({
        inside: {
          dataSource: "postgres",
          connectionInfo: { host: "db.internal", port: 5432, database: "d", user: "u", password: "p" },
        },
      }),
    },
    [/^CONNECTIONS: "inside": /],
  ],
  ["private hosts", { vars: { AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" } }, {}, [/^ALLOW_PRIVATE_HOSTS/]],
  [
    "a flag that was dropped",
    { compatibility_flags: ["nodejs_compat"] },
    {},
    ["compatibility_flags lacks enable_request_signal"],
  ],
  ["no way to the sources", { services: [] }, {}, [/^there is no service CONNECTORS/]],
  [
    "another door of theirs",
    { services: [{ binding: "CONNECTORS", service: "siskin-connectors" }] },
    {},
    [/^there is no service CONNECTORS/],
  ],
  [
    "another door of the files Worker",
    {
      services: [
        { binding: "CONNECTORS", service: "siskin-connectors", entrypoint: "Connectors" },
        { binding: "FILES", service: "siskin-files", entrypoint: "Connectors" },
      ],
    },
    {},
    ["the service FILES has another entrypoint than Files"],
  ],
])("%s", (_name, changes, secrets, problems) => {
  const found = deploymentProblems(config(changes), secrets);
  expect(found).toEqual(
    problems.map((problem) => (typeof problem === "string" ? problem : expect.stringMatching(problem))),
  );
  expect(found.join()).not.toContain(SECRET);
});

test("what a deployment does without is told", () => {
  expect(deploymentNotes(config({}), {})).toEqual([
    expect.stringContaining("AUTH is none"),
    expect.stringContaining("SIDECAR_URL"),
    expect.stringContaining("RATE_LIMITER"),
    expect.stringContaining("METRICS"),
  ]);
});

describe("npm run deploy -- --dry-run", () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-deploy-"));
  afterAll(() => rmSync(directory, { recursive: true }));

  function run(toml: string, secrets: string, ...words: readonly string[]): { status: number | null; output: string } {
    const [file, secretsFile] = [join(directory, "wrangler.toml"), join(directory, "secrets")];
    const own = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
      .replace('main = "', `main = "${ROOT}/`)
      .replace('directory = "', `directory = "${ROOT}/`)
      .replaceAll('"./src/', `"${ROOT}/src/`);
    writeFileSync(file, `${own}\n${toml}`);
    writeFileSync(secretsFile, secrets);
    const { status, stdout, stderr } = spawnSync(
      "npm",
      ["run", "-s", "deploy", "--", "--dry-run", "--config", file, "--secrets-file", secretsFile, ...words],
      { cwd: ROOT, encoding: "utf8" },
    );
    return { status, output: stdout + stderr };
  }

  it("finds an environment right, and builds it", () => {
    const { status, output } = run(
      `[env.production.vars]
AUTH = "none"

[[env.production.services]]
binding = "CONNECTORS"
service = "siskin-production-connectors"
entrypoint = "Connectors"

[[env.production.services]]
binding = "MCP"
service = "siskin-production-mcp"
entrypoint = "Mcp"

[[env.production.services]]
binding = "FILES"
service = "siskin-production-files"
entrypoint = "Files"

[[env.production.hyperdrive]]
binding = "ORDERS_DB"
id = "0123456789abcdef0123456789abcdef"
`,
      `CACHE_SECRET=${SECRET}\n`,
      "--env",
      "production",
    );
    expect(output).toContain("AUTH is none: whoever reaches the Worker may ask.");
    // The Worker of the connectors, which has the Hyperdrive to dial, the MCP Worker, that of the files, and then the API, bound to all.
    expect(output.match(/--dry-run: exiting now\./g)).toHaveLength(4);
    expect(output).toMatch(
      /ORDERS_DB[\s\S]*exiting now[\s\S]*env\.CONNECTORS \(siskin-production-connectors#Connectors\)/,
    );
    expect(output).toMatch(/env\.MCP \(siskin-production-mcp#Mcp\)/);
    expect(output).toMatch(/env\.FILES \(siskin-production-files#Files\)/);
    expect(status).toBe(0);
  });

  it("tells everything that is wrong, and builds nothing", () => {
    const { status, output } = run('[vars]\nAUTH = "key"\n', "SIDECAR_SECRET=short\n");
    expect(output).toMatch(/✗ AUTH: .*\n✗ SIDECAR_SECRET: .*\nNothing was uploaded\./);
    expect(output).not.toContain("exiting now");
    expect(status).toBe(1);
  });

  it.each([
    ["an unknown option", ["--frob"], /^✗ Unknown option '--frob'/],
    [
      "a file of secrets that is not there",
      ["--secrets-file", "/nowhere"],
      /^✗ The file of secrets \/nowhere cannot be read/,
    ],
    ["a configuration that is not there", ["--config", "/nowhere"], /^✗ There is no file \/nowhere/],
    ["an environment that is not there", ["--env", "prod"], /^✗ There is no environment prod in .*It has none\./],
  ])("ends in a sentence: %s", (_name, words, sentence) => {
    const { status, output } = run("", "", ...words);
    expect(output).toMatch(sentence);
    expect(output).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  });

  it("knows no environment that is not there", () => {
    const { status, output } = run("", "", "--env", "staging");
    expect(output).toContain("There is no environment staging");
    expect(status).toBe(1);
  });
});
