/** Workers that are built with some dialects only. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, it, test } from "vitest";
import { buildingWith, DIALECTS, readDialects } from "../../scripts/service/dialects.ts";
import { buildWorker, freshWorkers } from "../../scripts/service/worker-bundle.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";

const ROOT = join(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "siskin-dialects-"));
afterAll(() => rmSync(directory, { recursive: true }));

const manifestStr = btoa(
  JSON.stringify({
    catalog: "siskin",
    schema: "public",
    models: [{ name: "orders", tableReference: { table: "orders" }, columns: [{ name: "id", type: "bigint" }] }],
  }),
);
const sql = "SELECT id FROM orders";

test.each<[text: string, read: readonly string[] | string]>([
  ["postgres", ["postgres"]],
  [" duckdb, postgres,duckdb", ["duckdb", "postgres"]],
  ["mariadb,postgres", `--dialects: mariadb is not among ${DIALECTS.join(", ")}.`],
  ["", `--dialects: nothing is not among ${DIALECTS.join(", ")}.`],
])("--dialects %j", (text, read) => {
  expect(readDialects(text)).toEqual(read);
});

test("every dialect of targets.ts can be left out", () => {
  const targets = readFileSync(join(ROOT, "src/planner/dialects/targets.ts"), "utf8");
  const imported = [...targets.matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name);
  expect(imported.filter((name) => name.startsWith("#")).sort()).toEqual(DIALECTS.map((name) => `#dialects/${name}`));
  expect(imported.filter((name) => /^\.\/\w+\//.test(name))).toEqual([]);
});

describe.each(DIALECTS)("a planner with %s alone", (dialect) => {
  it("plans for it, and for no other", async () => {
    const outfile = join(directory, `${dialect}.mjs`);
    const conditions = buildingWith([dialect])["WRANGLER_BUILD_CONDITIONS"]?.split(",") ?? [];
    const entryPoints = [join(ROOT, "src/planner/index.ts")];
    await build({ entryPoints, outfile, conditions, bundle: true, minify: true, format: "esm", target: "es2024" });
    const { loadManifest, plan } = (await import(
      pathToFileURL(outfile).href
    )) as typeof import("../../src/planner/index.ts");
    const manifest = loadManifest(manifestStr, 1 << 20);
    if (!manifest.ok) throw manifest.error;
    const outcomes = DIALECTS.map((name) => {
      const outcome = plan({
        sql,
        manifest: manifest.value,
        source: name as DataSource,
        session: new Map(),
        options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
      });
      return [name, outcome.ok ? "planned" : outcome.error.message];
    });
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(
        DIALECTS.map((name) => [
          name,
          name === dialect ? "planned" : "the deployment has no dialect for the data source",
        ]),
      ),
    );
  });
});

test("a Worker with PostgreSQL alone", async () => {
  await buildWorker("api", directory, { dialects: ["postgres"] });
  const file = join(directory, "worker.js");
  const { default: worker } = (await import(pathToFileURL(file).href)) as {
    readonly default: {
      fetch(request: Request, environment: object, context: object): Promise<Response>;
    };
  };
  const ask = async (path: string, body?: object): Promise<{ readonly status: number; readonly text: string }> => {
    const init = body && {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    };
    const request = new Request(`http://siskin.example${path}`, init);
    const answer = await worker.fetch(request, { AUTH: "none" }, { waitUntil() {}, passThroughOnException() {} });
    return { status: answer.status, text: await answer.text() };
  };
  const dryPlan = { sql, manifestStr };
  expect(await ask("/v3/connector/postgres/dry-plan", dryPlan)).toMatchObject({ status: 200 });
  // Without a source, the input language is printed, which every Worker has.
  expect(await ask("/v3/connector/dry-plan", dryPlan)).toMatchObject({ status: 200 });
  expect(await ask("/v3/connector/postgres/functions")).toMatchObject({ status: 200 });
  for (const refused of [
    await ask("/v3/connector/mysql/dry-plan", dryPlan),
    await ask("/v3/connector/duckdb/functions"),
    await ask("/v3/connector/mssql/knowledge"),
  ]) {
    expect(refused).toMatchObject({ status: 501 });
    expect(refused.text).toContain("the deployment has no dialect for the data source");
  }
  expect(statSync(file).size).toBeLessThan(statSync((await freshWorkers()).api).size * 0.9);
});
