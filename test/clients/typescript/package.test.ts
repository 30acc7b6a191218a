/** The packed client where programs run it: this Node, Chromium and workerd, against the running service. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { McpService } from "../../mcp/mcp-service.ts";
import { hasBrowser, startBrowser, WITHOUT_BROWSER } from "../../support/browser.ts";
import { blocksOf } from "../../support/documents.ts";
import { startClientsService } from "../service.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = join(ROOT, "clients/typescript");
const env = { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) };

let service: McpService;
let home: string;
let bundle: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "siskin-client-"));
  // Packing builds below the folder, so each run packs a copy.
  const copy = join(home, "clients/typescript");
  cpSync(CLIENT, copy, { recursive: true, filter: (path) => !path.endsWith("dist") });
  cpSync(join(ROOT, "tsconfig.json"), join(home, "tsconfig.json"));
  execFileSync("ln", ["-s", join(ROOT, "node_modules"), join(home, "node_modules")]);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", home], { cwd: copy, env });
  const [tarball = ""] = readdirSync(home).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(home, "package.json"), '{"type": "module"}');
  for (const name of ["node_modules", "tsconfig.json"]) rmSync(join(home, name));
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(home, tarball)], { cwd: home, env });
  bundle = readFileSync(join(home, "node_modules/@siskin/client/dist/index.js"), "utf8");
  service = await startClientsService();
});
afterAll(async () => {
  await service?.close();
  rmSync(home, { recursive: true, force: true });
});

/** Every call of the client, and an error; the answer is the same wherever it runs. */
const PROGRAM = `async (siskin, SiskinError, url) => {
  const db = siskin({ url, project: "shop" });
  const { columns, rows } = await db.query("SELECT id, name FROM nations WHERE id = $1", { parameters: [3] });
  const streamed = [];
  for await (const row of db.stream("SELECT count(*) AS n FROM nations")) streamed.push(row);
  const cube = await db.cube({ cube: "sales", measures: ["revenue"], dimensions: ["status"], filters: [{ dimension: "status", operator: "eq", value: "P" }] });
  const arrow = await db.arrow("SELECT id FROM nations");
  const { matches } = await db.search("revenue");
  const { models } = await db.describe();
  const explained = await db.explain("SELECT 1 AS a");
  const { values } = await db.values("orders.status");
  const listed = await db.projects();
  const failure = await db.query("SELECT nme FROM nations").catch((error) => error);
  const stop = new AbortController();
  const stopped = db.query("SELECT count(*) FROM orders a, orders b, orders c", { signal: stop.signal }).catch((error) => error.name);
  stop.abort();
  return {
    columns, rows, streamed, cube: cube.rows, arrow: arrow.length > 8, match: matches[0].name, models: models.length,
    explained: explained.columns, values, projects: listed.length,
    failure: [failure instanceof SiskinError, failure.reason, failure.suggestions, failure.position.column],
    stopped: await stopped,
  };
}`;

const ANSWER = {
  columns: [
    { name: "id", type: "int32" },
    { name: "name", type: "string" },
  ],
  rows: [{ id: 3, name: "CANADA" }],
  streamed: [{ n: "25" }],
  cube: [{ status: "P", revenue: expect.stringMatching(/^\d+\.\d+$/) }],
  arrow: true,
  match: "revenue",
  models: 3,
  explained: [{ name: "a", type: "integer", nullable: false }],
  values: ["F", "O", "P"],
  projects: expect.any(Number),
  failure: [true, "COLUMN_NOT_FOUND", ["name"], 8],
  stopped: "AbortError",
};

describe("the package", () => {
  test("has at most 6 KiB, no dependency, and nothing but what it needs", () => {
    expect(gzipSync(bundle, { level: 9 }).length).toBeLessThanOrEqual(6 * 1024);
    expect(readdirSync(join(home, "node_modules/@siskin/client")).sort()).toEqual([
      "README.md",
      "dist",
      "package.json",
    ]);
    const { dependencies } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8")) as {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
    expect(bundle).not.toMatch(/\bimport\b/);
  });

  test("has types for programs that check everything", () => {
    writeFileSync(
      join(home, "typed.ts"),
      `import { siskin, SiskinError, type CubeQuery } from "@siskin/client";
const query: CubeQuery = { cube: "sales", measures: ["revenue"] };
export const rows: Promise<{ rows: readonly { n: string }[] }> = siskin({ url: "", project: "" }).query<{ n: string }>("");
export const reason: string = new SiskinError("a", "b").reason;
// @ts-expect-error: url is a text.
export const wrong = siskin({ url: 1, project: "" }).cube(query);
`,
    );
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2024",
      "--lib",
      "es2024,dom",
      "--types",
      "",
    ];
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...options, "typed.ts"], {
      cwd: home,
    });
  });
});

test("in Node", () => {
  const program = `import { siskin, SiskinError } from "@siskin/client";
console.log(JSON.stringify(await (${PROGRAM})(siskin, SiskinError, process.argv[2])));`;
  writeFileSync(join(home, "program.js"), program);
  const out = execFileSync(process.execPath, ["program.js", service.url], { cwd: home, encoding: "utf8" });
  expect(JSON.parse(out)).toEqual(ANSWER);
});

test.skipIf(!hasBrowser)(hasBrowser ? "in Chromium" : WITHOUT_BROWSER, async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${service.url}/health`);
    const module = `URL.createObjectURL(new Blob([${JSON.stringify(bundle)}], { type: "text/javascript" }))`;
    const expression = `import(${module}).then(({ siskin, SiskinError }) => (${PROGRAM})(siskin, SiskinError, ${JSON.stringify(service.url)}))`;
    expect(await page.evaluate(expression)).toEqual(ANSWER);
  } finally {
    await browser.close();
  }
});

test("in workerd", async () => {
  const script = `import { siskin, SiskinError } from "./client.js";
export default { fetch: async () => Response.json(await (${PROGRAM})(siskin, SiskinError, ${JSON.stringify(service.url)})) };`;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        { type: "ESModule", path: "worker.js", contents: script },
        { type: "ESModule", path: "client.js", contents: bundle },
      ],
      compatibilityDate: "2026-09-01",
      cf: false,
    }),
  );
  try {
    const answer = await miniflare.dispatchFetch("http://worker.test/");
    expect(await answer.json()).toEqual(ANSWER);
  } finally {
    await miniflare.dispose();
  }
});

test("the README's program runs", () => {
  const [program] = blocksOf(readFileSync(join(CLIENT, "README.md"), "utf8")).filter(
    ({ language }) => language === "ts",
  );
  writeFileSync(join(home, "readme.js"), (program?.text ?? "").replace("http://127.0.0.1:8787", service.url));
  const out = execFileSync(process.execPath, ["readme.js"], { cwd: home, encoding: "utf8" });
  expect(out).toContain("{ status: 'F', total: '");
});
