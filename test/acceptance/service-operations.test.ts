/** The acceptance cases of topic "service operations", through the API and on a real DuckDB where they ask for data. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDuckDb } from "../../sidecar/duckdb/connector.ts";
import { parseDuckDbConnection } from "../../src/connectors/connection/duckdb.ts";
import { INPUT_LANGUAGE } from "../../src/planner/dialects/input.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { limitRows } from "../../src/planner/row-limit.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import { print } from "../../src/planner/syntax/printer.ts";
import type { Sources } from "../../src/service/services.ts";
import { errorOf, planningApp, type TestApp } from "../api/test-app.ts";
import { makeWith, type Playground, playground } from "../sidecar/duckdb/fixtures.ts";

interface Case {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly operation: "limit" | "substitute" | "validate" | "analysis" | "manifest";
  readonly input: {
    readonly sql?: string;
    readonly limit?: number;
    readonly manifest?: string;
    readonly manifestStr?: string;
    readonly dataSource?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly rule?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
  readonly expected: {
    readonly sqlEquivalent?: string;
    readonly status?: number;
    readonly error?: string;
    readonly message?: string;
    readonly count?: number;
  };
}

const file = JSON.parse(readFileSync(new URL("../cases/planner-cases.json", import.meta.url), "utf8")) as {
  readonly fixtures: { readonly sql: string };
  readonly manifests: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
};
const CASES = file.cases.filter(({ topic }) => topic === "service operations");

let ground: Playground;
let sources: Sources;

beforeAll(async () => {
  ground = playground();
  await makeWith([file.fixtures.sql], join(ground.root, "cases.duckdb"));
  const settings = await ground.settings();
  const { info } = parseDuckDbConnection({ url: "/" });
  sources = {
    prepare: () => ({
      warnings: [],
      identity: () => "the engine",
      variantAt: () => undefined,
      open: () => openDuckDb(info, settings),
    }),
  };
});
afterAll(() => ground.remove());

function app(): TestApp {
  const made = planningApp();
  Object.assign(made.services, { sources });
  return made;
}

function manifestStrOf({ manifest, manifestStr }: Case["input"]): string {
  return manifestStr ?? Buffer.from(JSON.stringify(file.manifests[manifest ?? ""])).toString("base64");
}

/** One spelling of a text. */
function normal(sql: string): string {
  return print(parseQuery(sql, { limits: DEFAULT_LIMITS }), INPUT_LANGUAGE);
}

async function answerOf({ operation, input }: Case): Promise<Response> {
  const body = { sql: input.sql, manifestStr: manifestStrOf(input), connectionInfo: {}, parameters: input.parameters };
  switch (operation) {
    case "substitute": {
      // The text is PostgreSQL's; without a connection nothing is asked.
      const { connectionInfo: _, ...unconnected } = body;
      return app().post(`/v3/connector/${input.dataSource}/model-substitute`, unconnected, { ...input.headers });
    }
    case "validate":
      return app().post(`/v3/connector/duckdb/validate/${input.rule}`, body);
    case "analysis":
      return app().post("/v2/analysis/sql", body);
    case "manifest":
      return app().post("/v3/connector/dry-plan", { ...body, sql: "SELECT 1" });
    default:
      throw new TypeError(`${operation} is no call of the API`);
  }
}

test("there are cases of every operation", () => {
  expect(new Set(CASES.map(({ operation }) => operation)).size).toBe(5);
});

describe("limit", () => {
  test.each(CASES.filter(({ operation }) => operation === "limit"))("$id $title", ({ input, expected }) => {
    const limited = limitRows(parseQuery(input.sql ?? "", { limits: DEFAULT_LIMITS }), input.limit ?? 0);
    expect(print(limited, INPUT_LANGUAGE)).toBe(normal(expected.sqlEquivalent ?? ""));
  });
});

describe("calls", () => {
  test.each(CASES.filter(({ operation }) => operation !== "limit"))("$id $title", async (each) => {
    const { expected } = each;
    const response = await answerOf(each);
    if (expected.sqlEquivalent !== undefined) {
      expect(normal((await response.json()) as string)).toBe(normal(expected.sqlEquivalent));
      return;
    }
    if (expected.count !== undefined) {
      expect(await response.json()).toHaveLength(expected.count);
      return;
    }
    const text = response.status === 204 ? "" : await response.clone().text();
    expect([response.status, text], text).toEqual([expected.status, response.status === 204 ? "" : expect.any(String)]);
    if (expected.message !== undefined) expect((await errorOf(response)).message).toContain(expected.message);
    else if (expected.error !== undefined) expect(text).toContain(`"reason":"${expected.error}"`);
  });
});
