/** Every example of README.md, run: the curl commands against a started service, the answers compared with those shown. */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import type { ConnectorHost } from "../src/connectors/host.ts";
import { openHere } from "../src/connectors/open-here.ts";
import { targetOf } from "../src/planner/dialects/targets.ts";
import { DATA_SOURCES } from "../src/service/data-sources.ts";
import { blocksOf, settled } from "./support/documents.ts";
import { startPostgres, type TestDatabase } from "./support/postgres.ts";
import { type S3Server, startS3Server } from "./support/s3-server.ts";
import { type RunningService, startService } from "./support/service.ts";

const ROOT = join(import.meta.dirname, "..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };

const blocks = blocksOf(README);
const commands = blocks.filter(({ language }) => language === "sh");
/** Programs that ask the service; the answer of all is shown behind the last. */
const programs = blocks.filter(({ language }) => language === "python" || language === "ts");
const curls = commands.filter(({ text }) => text.startsWith("curl "));
const siskins = commands.filter(({ text }) => text.startsWith("npx --no-install siskin "));

let service: RunningService;
/** Whose sidecar reaches no store. */
let filesService: RunningService;
let database: TestDatabase;
/** A fake of a bucket; test/engines/files asks a real one. */
let store: S3Server;

beforeAll(async () => {
  const withoutSidecar = { FILES_WORKER: "on", ALLOW_PRIVATE_HOSTS: "true", ALLOWED_HOSTS: "sidecar.invalid" };
  [service, filesService, database, store] = await Promise.all([
    startService(),
    startService(withoutSidecar),
    startPostgres(),
    startS3Server(),
  ]);
  for (const name of readdirSync(join(ROOT, "examples/tpch")).filter((file) => file.endsWith(".parquet"))) {
    store.objects.set(`tpch/${name}`, readFileSync(join(ROOT, "examples/tpch", name)));
  }
  const client = await database.connect();
  await client.query(readFileSync(join(ROOT, "examples/postgres/sales.sql"), "utf8"));
});
afterAll(async () => {
  await Promise.all([service.stop(), filesService.stop()]);
  await database.stop();
  await store.close();
});

/** The command with this run's port and this database's connection in place of the README's. */
function adapted(command: string, { url } = service): string {
  const { host, port, user, password, database: name } = database;
  const connection = JSON.stringify(
    command.includes("/minio_file/")
      ? store.connectionInfo({ format: "parquet" })
      : { host, port, user, password, database: name },
  );
  return command
    .replace("http://127.0.0.1:8787", url)
    .replace(/"connectionInfo": \{[^}]*\}/, `"connectionInfo": ${connection}`);
}

test("names the two commands that a newcomer needs, and no script that is not there", () => {
  expect(commands.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["npm ci && npm start", "npm ci && npm test"]),
  );
  for (const [, name = ""] of README.matchAll(/\bnpm run ([a-z][\w:]*)/g)) expect(scripts).toHaveProperty([name]);
});

test("says nothing in a fence that is not run", () => {
  const known = commands.length + blocks.filter(({ language }) => language === "json").length;
  expect(blocks).toHaveLength(known + programs.length);
  expect(programs.map(({ language }) => language)).toEqual(["python", "ts"]);
  expect(commands).toHaveLength(curls.length + siskins.length + 2);
});

test.each(["README.md", "ARCHITECTURE.md", "docs/CONTRIBUTING.md", "docs/SECURITY.md", "CHANGELOG.md"])(
  "%s links only to what is there",
  (page) => {
    const text = readFileSync(join(ROOT, page), "utf8");
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
  },
);

test("the command line answers as shown", () => {
  expect(siskins).toHaveLength(1);
  for (const command of siskins) {
    const shown = blocks[blocks.indexOf(command) + 1];
    const bin = join(ROOT, "cli/bin/siskin.mjs");
    const text = command.text.replace("npx --no-install siskin", `"${process.execPath}" "${bin}"`);
    const { stdout, stderr } = spawnSync("bash", ["-c", text], { cwd: ROOT, encoding: "utf8" });
    expect({ answer: JSON.parse(stdout), stderr }).toEqual({ answer: JSON.parse(shown?.text ?? ""), stderr: "" });
  }
});

/** The tests need nothing but Node: where there is no curl, one of ours takes its place. Both are tried where there is one. */
const hasCurl = spawnSync("sh", ["-c", "command -v curl"]).status === 0;

describe.each([
  { name: "curl", runs: hasCurl },
  { name: "the stand-in of curl", runs: true },
])("answers are those shown, by $name", ({ name, runs }) => {
  let path: string;
  beforeAll(() => {
    const directories = [join(process.execPath, ".."), process.env["PATH"]];
    if (name !== "curl") {
      directories.unshift(stand);
      copyFileSync(join(import.meta.dirname, "support/curl.mjs"), join(stand, "curl"));
      chmodSync(join(stand, "curl"), 0o755);
    }
    path = directories.join(delimiter);
  });
  const stand = mkdtempSync(join(tmpdir(), "siskin-readme-"));
  afterAll(() => rmSync(stand, { recursive: true }));

  test("there are examples", () => expect(curls.length).toBeGreaterThanOrEqual(4));

  const answers = async (command: string, by?: RunningService): Promise<void> => {
    const shown = blocks[blocks.findIndex(({ text }) => text === command) + 1];
    expect(shown?.language).toBe("json");
    const { stdout } = await promisify(execFile)("sh", ["-c", adapted(command, by)], {
      cwd: ROOT,
      env: { ...process.env, PATH: path },
    });
    expect(settled(JSON.parse(stdout))).toEqual(JSON.parse(shown?.text ?? ""));
  };

  test.runIf(runs).each(curls.map(({ text }) => [text.split("\n").slice(0, 2).join(" "), text] as const))(
    "%s",
    (_first, command) => answers(command),
  );

  test.runIf(runs)("a bucket without the sidecar", async () => {
    expect(README).toContain("`FILES_WORKER=on ALLOW_PRIVATE_HOSTS=true npm start`");
    const asked = curls.filter(({ text }) => text.includes("/minio_file/"));
    expect(asked).toHaveLength(1);
    for (const { text } of asked) await answers(text, filesService);
  });
});

const behind = (block: (typeof blocks)[number] | undefined) =>
  blocks[blocks.findIndex(({ text }) => text === block?.text) + 1];

describe("programs print the answer that is shown", () => {
  const shown = JSON.parse(behind(programs.at(-1))?.text ?? "");
  const text = (language: string): string =>
    (programs.find((each) => each.language === language)?.text ?? "").replace("http://127.0.0.1:8787", service.url);
  const run = async (command: string, args: readonly string[]): Promise<unknown> =>
    JSON.parse((await promisify(execFile)(command, args, { cwd: ROOT })).stdout);

  test.runIf(spawnSync("python3", ["--version"]).status === 0)("Python", async () => {
    expect(await run("python3", ["-c", text("python")])).toEqual(shown);
  });

  test("TypeScript", async () => {
    const args = [
      "--experimental-strip-types",
      "--disable-warning=ExperimentalWarning",
      "--input-type=module-typescript",
    ];
    expect(await run(process.execPath, [...args, "--eval", text("ts")])).toEqual(shown);
  });
});

describe("the table of sources", () => {
  const rows = README.split("| Source | Real engine | Row rules | Sidecar |")[1]!
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const namesOf = (cell: string): readonly string[] =>
    [...cell.matchAll(/`(\w+)`/g)].flatMap(([, name = ""]) => DATA_SOURCES.filter((each) => each === name));
  const said = new Map(
    rows.flatMap(([, cell = "", ...facts]) => namesOf(cell).map((name) => [name, facts.slice(0, 3)] as const)),
  );

  test("has every source once", () => {
    expect(rows.flatMap(([, cell = ""]) => namesOf(cell)).sort()).toEqual([...DATA_SOURCES].sort());
  });

  const verified = readFileSync(join(ROOT, "docs/reference/sources.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"));

  test.each(DATA_SOURCES)("%s: the real engine is what docs/reference/sources.md calls executed", (source) => {
    const connector = verified
      .find((line) => namesOf(line.split("|")[1]!).includes(source))
      ?.split("|")[2]
      ?.trim();
    expect(said.get(source)?.[0]).toBe(connector?.startsWith("executed") ? "yes" : "no");
  });

  test.each(DATA_SOURCES)("%s: the guarantees of row rules are those of the planner's target", (source) => {
    const { whenRaising, otherwise, bestEffort } = targetOf(source).fence;
    const guarantees = [
      ...(otherwise === "none" ? ["plain"] : []),
      ...(whenRaising === "refuse" ? [] : ["fenced"]),
      ...(bestEffort === undefined ? [] : ["best effort"]),
    ];
    expect(said.get(source)?.[1]).toBe(guarantees.join(", "));
  });

  test.each(DATA_SOURCES.filter((source) => !/^(?:s3|gcs|minio)_file$/.test(source)))(
    "%s: the sidecar is needed where a Worker opens no connection",
    async (source) => {
      const refusal = new Error("nothing is dialled");
      const host = {
        dial: () => Promise.reject(refusal),
        fetch: () => Promise.reject(refusal),
        connectTimeoutMs: 1000,
      } satisfies Partial<ConnectorHost>;
      const reason = await openHere({ source } as never, host as never, { signal: undefined } as never).then(
        () => "opened",
        (error: unknown) => (error instanceof ConnectorFailure ? error.reason : "another error"),
      );
      expect(said.get(source)?.[2]).toBe(reason === "NEEDS_SIDECAR" ? "yes" : "no");
    },
  );

  test.each(DATA_SOURCES)("%s is there", async (source) => {
    const response = await fetch(`${service.url}/v3/connector/${source}/metadata/version`, {
      method: "POST",
      body: JSON.stringify({ connectionInfo: {} }),
    });
    expect(response.status).not.toBe(501);
  });
});
