/** Every example of README.md, run: the curl commands against a started service, the answers compared with those shown. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "./support/postgres.ts";
import { type RunningService, startService } from "./support/service.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const README = readFileSync(`${ROOT}README.md`, "utf8");
const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { scripts: Record<string, string> };

interface Block {
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
  language: match[1] ?? "",
  text: (match[2] ?? "").trim(),
}));
const commands = blocks.filter(({ language }) => language === "bash");
const curls = commands.filter(({ text }) => text.startsWith("curl "));

let service: RunningService;
let database: TestDatabase;

beforeAll(async () => {
  [service, database] = await Promise.all([startService(), startPostgres()]);
  const client = await database.connect();
  await client.query(`
    CREATE TABLE public.sales (day date, total numeric(12,2));
    INSERT INTO public.sales VALUES ('2024-01-02', 10), ('2024-01-02', 2.5), ('2024-01-03', 7.25)`);
});
afterAll(async () => {
  await service.stop();
  await database.stop();
});

/** The command with this run's ports and this database's connection in place of the README's. */
function adapted(command: string): string {
  const { host, port, user, password, database: name } = database;
  const connection = JSON.stringify({ host, port, user, password, database: name });
  return command
    .replace("http://127.0.0.1:8787", service.url)
    .replace(/"connectionInfo": \{[^}]*\}/, `"connectionInfo": ${connection}`);
}

test("names the two commands that a newcomer needs", () => {
  expect(commands.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["npm ci && npm start", "npm ci && npm test"]),
  );
  for (const [, name = ""] of README.matchAll(/\bnpm (?:run )?([a-z][\w:]*)/g)) {
    expect(["ci", "start", "test", ...Object.keys(scripts)]).toContain(name);
  }
});

test("links only to files that are there", () => {
  for (const [, target = ""] of README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
    expect(() => readFileSync(`${ROOT}${target}`), target).not.toThrow();
  }
});

describe("answers are those shown", () => {
  test("there are examples", () => expect(curls.length).toBeGreaterThanOrEqual(3));

  test.each(curls.map(({ text }) => [text.split("\n")[0], text] as const))("%s", async (_first, command) => {
    const shown = blocks[blocks.findIndex(({ text }) => text === command) + 1];
    expect(shown?.language).toBe("json");
    const { stdout } = await promisify(execFile)("bash", ["-c", adapted(command)], { cwd: ROOT });
    expect(JSON.parse(stdout)).toMatchObject(JSON.parse(shown?.text ?? ""));
  });
});
