/** Access rules as callers meet them: the Worker's bundle in workerd, over HTTP, against a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningWorker, startWorker } from "../support/worker.ts";
import { openPostgresWorld, SESSION, shopData, type World } from "./access-world.ts";
import { type Answer, type Ask, encoded, HEADERS, shopOverHttp } from "./shop-over-http.ts";

let world: World;
let ask: Ask;

beforeAll(async () => {
  let worker: RunningWorker;
  [world, worker] = await Promise.all([
    openPostgresWorld(),
    startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", V2_PROFILE: "modern" }),
  ]);
  ask = shopOverHttp(world, worker);
});
afterAll(() => world.close());

const rowsOf = ({ json }: Answer): unknown => json["data"];
const { user: _user, ...OTHERS } = Object.fromEntries(SESSION);
/** All properties but `user`, which the test says itself. */
const WITHOUT_USER = Object.fromEntries(
  Object.entries(OTHERS).map(([name, value]) => [`x-wren-variable-${name}`, value]),
);

describe("session values", () => {
  const HOSTILE: readonly (readonly [what: string, value: string, rows: boolean])[] = [
    ["a quote", "'o''brien'", true],
    ["SQL in a text", "'x'' OR 1=1 --'", true],
    ["a backslash before the quote", String.raw`'\'`, true],
    ["an escaped quote", String.raw`E'\' OR 1=1 --'`, true],
    ["a comment", "'ann' -- ' OR true", false],
    ["a comment in the text", "'/*' ", true],
    ["dollars", "$$' OR 1=1 --$$", true],
    ["characters beyond the basic plane", "'🦊 東京'", true],
    ["NULL", "NULL", true],
    ["a megabyte", `'${"x''".repeat(300_000)}'`, true],
    ["two statements", "'ann'; SELECT 1", false],
    ["a condition", "'ann' OR true", false],
    ["closing parentheses", "'ann') OR (true", false],
    ["a subquery", "(SELECT owner FROM orders LIMIT 1)", false],
    ["a column", "owner", false],
    ["a function", "concat('a', 'nn')", false],
    ["an operator", "'a' || 'nn'", false],
    ["a NUL", "'ann\u0000'", false],
    ["half a character", "'ann\ud800'", false],
    ["nested arrays", "[['ann']]", false],
    ["very nested arrays", `${"[".repeat(5000)}'ann'${"]".repeat(5000)}`, false],
    ["a list where one value is compared", "('ann', 'bob')", false],
    ["no quotes", "ann", false],
    ["nothing", "", false],
  ];

  test.each(HOSTILE)("%s: a value or refused, and never told", async (_what, value, rows) => {
    for (const rule of ["literal", "subquery"]) {
      const answer = await ask("SELECT id FROM orders", {
        rule,
        headers: WITHOUT_USER,
        more: { sessionProperties: { user: value } },
      });
      expect(answer.status, answer.text).toBe(rows ? 200 : 422);
      if (rows) {
        expect(rowsOf(answer)).toEqual(value.includes("-- '") ? [[1], [2], [3], [4]] : []);
      } else {
        // Texts that no JSON may hold are refused with the body.
        const reason = (answer.json["metadata"] as { reason: string } | undefined)?.reason ?? "detail";
        expect(reason).toMatch(/\0|[\ud800-\udfff]/.test(value) ? "detail" : /^SESSION_PROPERTY_(INVALID|REQUIRED)$/);
        if (value.length > 3) expect(answer.text).not.toContain(JSON.stringify(value).slice(1, -1));
      }
    }
  });

  test("a header's name has any case, its value is UTF-8, and the body wins over it", async () => {
    const none = await ask("SELECT id FROM orders", {
      headers: { ...WITHOUT_USER, "X-Wren-Variable-USER": Buffer.from("'Zoë'").toString("latin1") },
    });
    expect(rowsOf(none)).toEqual([]);
    const four = await ask("SELECT count(*) AS n FROM orders", {
      headers: { ...WITHOUT_USER, "X-Wren-Variable-User": "'bob'" },
      more: { sessionProperties: { USER: "'ann'" } },
    });
    expect(rowsOf(four)).toEqual([[4]]);
  });
});

describe("answers to what rules withhold", () => {
  test.each([
    ["a denied column", "SELECT secret FROM orders", HEADERS, "ACCESS_DENIED", /column "orders"\."secret"/],
    ["a hidden column", "SELECT owner_key FROM orders", HEADERS, "COLUMN_NOT_FOUND", /"owner_key" not found/],
    [
      "a missing property",
      "SELECT id FROM orders",
      WITHOUT_USER,
      "SESSION_PROPERTY_REQUIRED",
      /property user is required/,
    ],
    ["an unknown function", "SELECT f(id) FROM items", HEADERS, "FUNCTION_NOT_ALLOWED", /function f is not known/],
  ] as const)("%s", async (_what, sql, headers, reason, message) => {
    const { status, json } = await ask(sql, { headers });
    expect(status).toBe(422);
    expect(json).toMatchObject({
      errorCode: "INVALID_SQL",
      phase: "SQL_PLANNING",
      message: expect.stringMatching(message),
      metadata: { reason },
    });
  });

  test.each([
    ["when it is run", "SELECT 100 / (units - 1) FROM orders", "/v3/connector/postgres/query"],
    ["in /v2", "SELECT 100 / (units - 1) FROM orders", "/v2/connector/postgres/query"],
    ["in a cast", "SELECT CAST(note AS INTEGER) FROM orders", "/v3/connector/postgres/query"],
  ])("the source's own words are not among them %s", async (_what, sql, path) => {
    const { status, json, text } = await ask(sql, { path });
    expect(status).toBe(422);
    expect(json["message"]).toBe("The data source failed to run the statement.");
    expect(Object.keys(json["metadata"] as object).toSorted()).toEqual(["hint", "reason"]);
    expect(text).not.toMatch(/note 1|division|owner/);
  });

  test("nor when the first rows are out already", async () => {
    const sql = "SELECT o.note, 1 / (g.n - 300001) AS x FROM orders o, generate_series(1, 400000) AS g(n)";
    const { status, text } = await ask(sql, { headers: { ...HEADERS, accept: "application/x-ndjson" } });
    expect(status).toBe(200);
    const { error } = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "") as { error: Record<string, unknown> };
    expect(error["message"]).toBe("The data source failed to run the statement.");
    expect(JSON.stringify(error)).not.toMatch(/division|dialectSql|plannedSql/);
  });
});

describe("rules that are skipped", () => {
  const OPTIONAL = {
    name: "mine",
    requiredProperties: [{ name: "nobody", required: false }],
    condition: "id = @nobody",
  };
  const more = (): object => {
    return { manifestStr: encoded(shopData(world, world.whole, [OPTIONAL])) };
  };

  test("are a warning, and with x-strict an error before anything runs", async () => {
    const sql = "SELECT id FROM orders WHERE id < 3";
    const answer = await ask(sql, { more: more() });
    expect(rowsOf(answer)).toEqual([[1], [2]]);
    expect(answer.warnings).toMatchObject([
      {
        code: "ACCESS_RULE_SKIPPED",
        message: 'row rule "mine" of model "orders" is skipped: the session property nobody is not set',
      },
    ]);
    const strict = await ask(sql, { more: more(), headers: { ...HEADERS, "x-strict": "true" } });
    expect(strict.status).toBe(422);
    expect(strict.json).toMatchObject({ metadata: { reason: "STRICT_WARNING" } });
  });
});

test("dry-plan shows its caller the rules with their values (docs/reference/access-rules.md)", async () => {
  const { status, text } = await ask("SELECT id FROM orders", { path: "/v3/connector/postgres/dry-plan" });
  expect(status).toBe(200);
  expect(text).toContain("owner = 'ann'");
});
